  ---------------------------------------------------------------- the window

  -- Append a column to the window: its waits by bucket, and its microseconds waited if they are known. One that took
  -- several times the usual interval is as many columns wide.
  PROCEDURE add_column(span NUMBER, flag VARCHAR2, waits numbers, micros NUMBER) IS
    all_columns VARCHAR2(32767) := :olm_window;
    tally_list VARCHAR2(4000);
    parts PLS_INTEGER;
    surplus PLS_INTEGER;
  BEGIN
    FOR bucket IN 0 .. beyond LOOP
      IF waits.EXISTS(bucket) THEN
        tally_list := tally_list || LPAD(TO_CHAR(bucket), 2) || TO_CHAR(waits(bucket)) || ',';
      END IF;
    END LOOP;
    IF micros IS NOT NULL THEN
      tally_list := tally_list || TO_CHAR(micros_waited) || TO_CHAR(micros) || ',';
    END IF;
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

  -- One column: two characters of bucket, and its waits, as often as there are any; micros_waited is the sum.
  PROCEDURE read_column(column_text VARCHAR2) IS
    here PLS_INTEGER := 1;
    stop PLS_INTEGER;
    bucket PLS_INTEGER;
    tally NUMBER;
    rate NUMBER;

    PROCEDURE add_to_all IS
    BEGIN
      all_events := all_events + rate;
      IF bucket_events.EXISTS(bucket) THEN
        bucket_events(bucket) := bucket_events(bucket) + rate;
        all_counts(bucket) := all_counts(bucket) + tally / pieces(newest);
      ELSE
        bucket_events(bucket) := rate;
        all_counts(bucket) := tally / pieces(newest);
      END IF;
    END add_to_all;

  BEGIN
    WHILE here < LENGTH(column_text) LOOP
      stop := INSTR(column_text, ',', here);
      bucket := TO_NUMBER(SUBSTR(column_text, here, 2));
      tally := TO_NUMBER(SUBSTR(column_text, here + 2, stop - here - 2));
      here := stop + 1;
      tallies(newest * per_column + bucket) := tally;
      rate := tally * micro / spans(newest);
      IF bucket <> micros_waited THEN
        add_to_all;
      END IF;
    END LOOP;
    is_estimated := is_estimated OR NOT tallies.EXISTS(newest * per_column + micros_waited);
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

  BEGIN
    WHILE bucket IS NOT NULL LOOP
      IF bucket > 0 AND bucket < beyond THEN
        turn := (LN(filled(bucket_above(bucket))) - LN(filled(bucket - 1))) / 2;
        turn := GREATEST(LEAST(turn, 4), -4);
        means(bucket) := mean_of_turn(bucket, turn);
      END IF;
      bucket := all_counts.NEXT(bucket);
    END LOOP;
  END fill_means;

  -- What was waited in each bucket of a column, in microseconds: each wait counts as the mean of its bucket. If the sum is
  -- known, each bucket moves towards its upper or lower bound by the same part, so that all of them add up to it.
  PROCEDURE fill_waited(col PLS_INTEGER) IS
    base PLS_INTEGER := col * per_column;
    spot PLS_INTEGER := tallies.NEXT(base - 1);
    found NUMBER := 0;
    missing NUMBER := 0;
    whole_room NUMBER := 0;
    reached NUMBER := 0;

    -- How far a bucket can move.
    FUNCTION room_of(bucket PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      RETURN tallies(base + bucket) * GREATEST(CASE
        WHEN missing < 0 THEN means(bucket) - lower_micros(bucket)
        WHEN bucket = beyond THEN 0
        ELSE powers(bucket) * unit - means(bucket)
      END, 0);
    END room_of;

  BEGIN
    WHILE spot <= base + beyond LOOP
      cell_waited(spot) := tallies(spot) * means(spot - base);
      found := found + cell_waited(spot);
      spot := tallies.NEXT(spot);
    END LOOP;
    IF tallies.EXISTS(base + micros_waited) THEN
      missing := tallies(base + micros_waited) - found;
      spot := tallies.NEXT(base - 1);
      WHILE spot <= base + beyond LOOP
        whole_room := whole_room + room_of(spot - base);
        spot := tallies.NEXT(spot);
      END LOOP;
      spot := tallies.NEXT(base - 1);
      WHILE spot <= base + beyond LOOP
        IF whole_room > 0 THEN
          cell_waited(spot) := cell_waited(spot)
            + room_of(spot - base) * GREATEST(LEAST(missing / whole_room, 1), -1);
        END IF;
        reached := reached + cell_waited(spot);
        spot := tallies.NEXT(spot);
      END LOOP;
    END IF;
    column_waited(col) := 0;
    spot := tallies.NEXT(base - 1);
    WHILE spot <= base + beyond LOOP
      IF reached > 0 THEN
        cell_waited(spot) := cell_waited(spot) * tallies(base + micros_waited) / reached;
      END IF;
      column_waited(col) := column_waited(col) + cell_waited(spot);
      bucket_waited(spot - base) := number_at(bucket_waited, spot - base) + cell_waited(spot) * micro / spans(col);
      spot := tallies.NEXT(spot);
    END LOOP;
    all_waited := all_waited + column_waited(col) * micro / spans(col);
  END fill_waited;

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
    FOR col IN 1 .. newest LOOP
      fill_waited(col);
    END LOOP;
  END read_window;
