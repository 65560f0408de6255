  ---------------------------------------------------------------- the window

  -- Append a column to the window; one that took several times the usual interval is as many columns wide.
  PROCEDURE add_column(span NUMBER, flag VARCHAR2, tally_list VARCHAR2) IS
    all_columns VARCHAR2(32767) := :olm_window;
    parts PLS_INTEGER;
    surplus PLS_INTEGER;
  BEGIN
    :olm_spans := with_recent(:olm_spans, span);
    parts := LEAST(GREATEST(ROUND(span / usual_of(:olm_spans)), 1), :olm_columns);
    surplus := NVL(LENGTH(all_columns) - NVL(LENGTH(REPLACE(all_columns, ';')), 0), 0) + parts - :olm_columns;
    WHILE surplus > 0 OR LENGTH(all_columns) > longest_window LOOP
      all_columns := SUBSTR(all_columns, INSTR(all_columns, ';') + 1);
      surplus := surplus - 1;
    END LOOP;
    FOR part IN 1 .. parts LOOP
      all_columns := all_columns || TO_CHAR(span) || ':' || TO_CHAR(parts) || ':'
        || CASE WHEN part = 1 THEN flag WHEN flag = 'G' THEN 'g' END || ':' || tally_list || ';';
    END LOOP;
    :olm_window := all_columns;
    new_columns := parts;
  END add_column;

  -- One column: two characters of bucket and its waits, as often as there are any.
  PROCEDURE read_column(column_text VARCHAR2) IS
    here PLS_INTEGER := 1;
    stop PLS_INTEGER;
    bucket PLS_INTEGER;
    tally NUMBER;
    rate NUMBER;
  BEGIN
    WHILE here < LENGTH(column_text) LOOP
      stop := INSTR(column_text, ',', here);
      bucket := TO_NUMBER(SUBSTR(column_text, here, 2));
      tally := TO_NUMBER(SUBSTR(column_text, here + 2, stop - here - 2));
      here := stop + 1;
      tallies(newest * per_column + bucket) := tally;
      rate := tally * micro / spans(newest);
      all_events := all_events + rate;
      IF bucket_events.EXISTS(bucket) THEN
        bucket_events(bucket) := bucket_events(bucket) + rate;
        all_counts(bucket) := all_counts(bucket) + tally / pieces(newest);
      ELSE
        bucket_events(bucket) := rate;
        all_counts(bucket) := tally / pieces(newest);
      END IF;
    END LOOP;
  END read_column;

  -- What a wait of each bucket counts for in time: the mean, by the slope of the waits from one neighbour to the other.
  PROCEDURE fill_means IS
    bucket PLS_INTEGER := all_counts.FIRST;
    turn NUMBER;

    FUNCTION filled(beside PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      IF all_counts.EXISTS(beside) THEN
        RETURN GREATEST(all_counts(beside), 0.000001);
      END IF;
      RETURN 0.5;
    END filled;

    FUNCTION grown(turns NUMBER) RETURN NUMBER IS
    BEGIN
      IF ABS(turns) < 0.000001 THEN
        RETURN 1;
      END IF;
      RETURN (EXP(turns) - 1) / turns;
    END grown;

  BEGIN
    WHILE bucket IS NOT NULL LOOP
      IF bucket > 0 AND bucket < beyond THEN
        turn := (LN(filled(bucket_above(bucket))) - LN(filled(bucket - 1))) / 2;
        turn := GREATEST(LEAST(turn, 4), -4);
        means(bucket) := lower_micros(bucket) * grown(turn + LN(2)) / grown(turn);
      END IF;
      all_waited := all_waited + bucket_events(bucket) * means(bucket);
      bucket := all_counts.NEXT(bucket);
    END LOOP;
  END fill_means;

  -- The window as numbers.
  PROCEDURE read_window IS
    all_columns VARCHAR2(32767) := :olm_window;
    place PLS_INTEGER := 1;
  BEGIN
    IF :olm_open IS NOT NULL THEN
      means(beyond) := lower_micros(beyond);
    END IF;
    WHILE place <= LENGTH(all_columns) LOOP
      newest := newest + 1;
      spans(newest) := TO_NUMBER(next_part(all_columns, place, ':'));
      pieces(newest) := TO_NUMBER(next_part(all_columns, place, ':'));
      flags(newest) := NVL(next_part(all_columns, place, ':'), '.');
      read_column(next_part(all_columns, place, ';'));
    END LOOP;
    fill_means;
  END read_window;
