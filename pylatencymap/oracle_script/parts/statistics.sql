  ---------------------------------------------------------------- statistics

  PROCEDURE put_statistics(
    named VARCHAR2, counts numbers, seconds NUMBER, micros NUMBER, is_guess BOOLEAN
  ) IS
    bucket PLS_INTEGER := counts.FIRST;
    total NUMBER := 0;
    title VARCHAR2(60) := named || ' ' || span_text(seconds);
    waits numbers;
    known NUMBER := CASE WHEN NOT is_guess THEN micros END;

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
      waits := waits_of_sum(counts, known);
      put_figure('avg', CASE WHEN is_guess AND counts.EXISTS(beyond) THEN '>= ' END || measured_text(micros / total));
      put_figure('p50', percentile(counts, total, 0.5, waits, known));
      put_figure('p90', percentile(counts, total, 0.9, waits, known));
      put_figure('p99', percentile(counts, total, 0.99, waits, known));
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
