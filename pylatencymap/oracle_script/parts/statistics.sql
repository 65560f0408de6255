  ---------------------------------------------------------------- statistics

  -- The latency below which a part of the waits lies; inside the bucket that holds it, their density is a power of the
  -- latency, by its neighbours, as for means.
  FUNCTION percentile(counts numbers, total NUMBER, part NUMBER) RETURN VARCHAR2 IS
    bucket PLS_INTEGER := counts.FIRST;
    below NUMBER := 0;
    turn NUMBER;
    inside NUMBER;

    FUNCTION filled(neighbour PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      IF counts.EXISTS(neighbour) AND counts(neighbour) > 0 THEN
        RETURN counts(neighbour);
      END IF;
      RETURN 0.5;
    END filled;

  BEGIN
    WHILE below + counts(bucket) < total * part AND counts.NEXT(bucket) IS NOT NULL LOOP
      below := below + counts(bucket);
      bucket := counts.NEXT(bucket);
    END LOOP;
    IF bucket = beyond THEN
      RETURN '> ' || latency_text(lower_micros(bucket));
    END IF;
    inside := (total * part - below) / counts(bucket);
    IF bucket = 0 THEN
      RETURN measured_text(inside * powers(0) * unit);
    END IF;
    turn := (LN(filled(bucket_above(bucket))) - LN(filled(bucket - 1))) / 2;
    turn := GREATEST(LEAST(turn, 4), -4);
    IF ABS(turn) > 1e-9 THEN
      inside := LN(1 + inside * (EXP(turn) - 1)) / turn;
    END IF;
    RETURN measured_text(lower_micros(bucket) * POWER(2, inside));
  END percentile;

  PROCEDURE put_statistics(
    named VARCHAR2, counts numbers, seconds NUMBER, micros NUMBER, is_guess BOOLEAN
  ) IS
    bucket PLS_INTEGER := counts.FIRST;
    total NUMBER := 0;
    title VARCHAR2(60) := named || ' ' || span_text(seconds);

    PROCEDURE put_figure(name VARCHAR2, figure VARCHAR2) IS
    BEGIN
      put(dim, ' ' || name || ' ');
      put(NULL, RPAD(figure, GREATEST(9, LENGTH(figure))));
    END put_figure;

  BEGIN
    put(dim, ' ' || RPAD(title, GREATEST(13, LENGTH(title))));
    WHILE bucket IS NOT NULL LOOP
      total := total + counts(bucket);
      bucket := counts.NEXT(bucket);
    END LOOP;
    IF total = 0 THEN
      put(dim, ' no waits');
    ELSE
      put_figure('avg', CASE WHEN is_guess AND counts.EXISTS(beyond) THEN '>= ' END || measured_text(micros / total));
      put_figure('p50', percentile(counts, total, 0.5));
      put_figure('p90', percentile(counts, total, 0.9));
      put_figure('p99', percentile(counts, total, 0.99));
      bucket := counts.LAST;
      put_figure('max', CASE bucket WHEN beyond THEN '> ' || latency_text(lower_micros(bucket))
        ELSE '< ' || latency_text(powers(bucket) * unit) END);
    END IF;
    end_line;
  END put_statistics;

  -- Of all columns, and of the newest that has data.
  PROCEDURE draw_statistics IS
    counts numbers;
    seconds NUMBER := 0;
    micros NUMBER := 0;
    latest PLS_INTEGER;
    spot PLS_INTEGER;
  BEGIN
    FOR col IN 1 .. newest LOOP
      IF flags(col) NOT IN ('G', 'g') THEN
        seconds := seconds + spans(col) / pieces(col) / micro;
        micros := micros + column_waited(col) / pieces(col);
        latest := col;
      END IF;
    END LOOP;
    put_statistics('window', all_counts, seconds, micros, is_estimated);
    IF latest IS NULL THEN
      RETURN;
    END IF;
    FOR bucket IN 0 .. beyond LOOP
      spot := latest * per_column + bucket;
      IF tallies.EXISTS(spot) THEN
        counts(bucket) := tallies(spot) / pieces(latest);
      END IF;
    END LOOP;
    put_statistics('latest', counts, spans(latest) / pieces(latest) / micro, column_waited(latest) / pieces(latest),
      NOT tallies.EXISTS(latest * per_column + micros_waited));
  END draw_statistics;
