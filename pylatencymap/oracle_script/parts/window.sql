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
      all_waited := all_waited + rate * middles(bucket);
      IF bucket_events.EXISTS(bucket) THEN
        bucket_events(bucket) := bucket_events(bucket) + rate;
        all_counts(bucket) := all_counts(bucket) + tally / pieces(newest);
      ELSE
        bucket_events(bucket) := rate;
        all_counts(bucket) := tally / pieces(newest);
      END IF;
    END LOOP;
  END read_column;

  -- The window as numbers.
  PROCEDURE read_window IS
    all_columns VARCHAR2(32767) := :olm_window;
    place PLS_INTEGER := 1;
  BEGIN
    IF :olm_open IS NOT NULL THEN
      middles(beyond) := lower_micros(beyond);
    END IF;
    WHILE place <= LENGTH(all_columns) LOOP
      newest := newest + 1;
      spans(newest) := TO_NUMBER(next_part(all_columns, place, ':'));
      pieces(newest) := TO_NUMBER(next_part(all_columns, place, ':'));
      flags(newest) := NVL(next_part(all_columns, place, ':'), '.');
      read_column(next_part(all_columns, place, ';'));
    END LOOP;
  END read_window;
