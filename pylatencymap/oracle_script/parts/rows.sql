  -- The part of all waits, or of all time, that a bucket has, whichever is more.
  FUNCTION weight_of(bucket PLS_INTEGER) RETURN NUMBER IS
  BEGIN
    IF NOT bucket_events.EXISTS(bucket) THEN
      RETURN 0;
    END IF;
    RETURN GREATEST(bucket_events(bucket) / all_events, bucket_events(bucket) * means(bucket) / all_waited);
  END weight_of;

  -- Which buckets are shown: all that are in use now or were lately. The open row stands above the others, as if it were
  -- the next bucket.
  PROCEDURE choose_buckets IS
    used_low PLS_INTEGER;
    used_high PLS_INTEGER;
  BEGIN
    FOR bucket IN 0 .. beyond - 1 LOOP
      IF bucket_events.EXISTS(bucket) THEN
        used_low := NVL(used_low, bucket);
        used_high := bucket;
      END IF;
    END LOOP;
    has_open := bucket_events.EXISTS(beyond);
    IF has_open THEN
      used_high := GREATEST(:olm_open, NVL(used_high, 0));
      used_low := NVL(used_low, used_high);
    END IF;
    IF used_high IS NOT NULL THEN
      first_bucket := -held_value(3, -used_low);
      last_bucket := held_value(4, used_high);
    ELSIF held.EXISTS(7) THEN
      first_bucket := -held(7);
      last_bucket := held(10);
    END IF;
    IF has_open THEN
      last_bucket := used_high + 1;
    END IF;
  END choose_buckets;

  -- Where there are more buckets than wanted, those at the edges with the least waits and the least time become one row.
  PROCEDURE merge_edges IS
    below NUMBER := weight_of(first_bucket);
    above NUMBER := weight_of(CASE WHEN has_open THEN beyond ELSE last_bucket END);
  BEGIN
    low_row := first_bucket;
    high_row := last_bucket;
    WHILE high_row - low_row + 1 > :olm_rows LOOP
      IF below <= above THEN
        low_row := low_row + 1;
        below := below + weight_of(low_row);
      ELSE
        high_row := high_row - 1;
        above := above + weight_of(high_row);
      END IF;
    END LOOP;
    row_count := high_row - low_row + 1;
    FOR line_no IN 1 .. row_count LOOP
      labels(line_no) := latency_text(powers(low_row + line_no - 1) * unit);
    END LOOP;
    IF has_open OR high_row < last_bucket THEN
      labels(row_count) := open_label(powers(high_row - 1) * unit);
    END IF;
  END merge_edges;

  -- The rates of all columns, by row. Empty cells have no element, except where rows were merged.
  PROCEDURE fill_rows IS
    bucket PLS_INTEGER;
    line_no PLS_INTEGER;
    spot PLS_INTEGER;
    rate NUMBER;
  BEGIN
    FOR position IN first_bucket .. last_bucket LOOP
      bucket := CASE WHEN has_open AND position = last_bucket THEN beyond ELSE position END;
      line_no := LEAST(GREATEST(position, low_row), high_row) - low_row + 1;
      FOR col IN 1 .. newest LOOP
        spot := col * per_column + bucket;
        IF tallies.EXISTS(spot) THEN
          rate := tallies(spot) * micro / spans(col);
          spot := col * per_column + line_no;
          IF events.EXISTS(spot) THEN
            events(spot) := events(spot) + rate;
            waited(spot) := waited(spot) + rate * means(bucket);
          ELSE
            events(spot) := rate;
            waited(spot) := rate * means(bucket);
          END IF;
        END IF;
      END LOOP;
    END LOOP;
  END fill_rows;
