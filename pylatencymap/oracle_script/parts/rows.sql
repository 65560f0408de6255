  -- The part of all waits, or of all time, that the bucket in a place has; the open row is above the last bucket.
  FUNCTION part_at(position PLS_INTEGER, is_time BOOLEAN) RETURN NUMBER IS
    bucket PLS_INTEGER := CASE WHEN has_open AND position = last_bucket THEN beyond ELSE position END;
  BEGIN
    IF NOT bucket_events.EXISTS(bucket) THEN
      RETURN 0;
    ELSIF is_time THEN
      RETURN CASE WHEN all_waited > 0 THEN bucket_waited(bucket) / all_waited ELSE 0 END;
    END IF;
    RETURN bucket_events(bucket) / all_events;
  END part_at;

  -- Both, whichever is more.
  FUNCTION weight_at(position PLS_INTEGER) RETURN NUMBER IS
  BEGIN
    RETURN GREATEST(part_at(position, FALSE), part_at(position, TRUE));
  END weight_at;

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

  -- The part of all waits, or of all time, whose bucket is not seen if these become one row: all but the largest.
  FUNCTION hidden_in(from_position PLS_INTEGER, to_position PLS_INTEGER, is_time BOOLEAN) RETURN NUMBER IS
    total NUMBER := 0;
    largest NUMBER := 0;
  BEGIN
    FOR position IN from_position .. to_position LOOP
      total := total + part_at(position, is_time);
      largest := GREATEST(largest, part_at(position, is_time));
    END LOOP;
    RETURN total - largest;
  END hidden_in;

  -- The same of both edges.
  FUNCTION hidden_at_edges(is_time BOOLEAN) RETURN NUMBER IS
  BEGIN
    RETURN hidden_in(first_bucket, low_row, is_time) + hidden_in(high_row, last_bucket, is_time);
  END hidden_at_edges;

  -- The row that a bucket is in.
  FUNCTION row_at(position PLS_INTEGER) RETURN PLS_INTEGER IS
  BEGIN
    IF are_alike THEN
      RETURN CEIL((position - first_bucket + 1) * row_count / bucket_count);
    END IF;
    RETURN LEAST(GREATEST(position, low_row), high_row) - low_row + 1;
  END row_at;

  -- Where there are more buckets than wanted, those at the edges with the least waits and the least time become one row;
  -- if that would hide more than a hundredth, all merge with their neighbours, evenly.
  PROCEDURE merge_rows IS
    below NUMBER := weight_at(first_bucket);
    above NUMBER := weight_at(last_bucket);
    lowest PLS_INTEGER;
  BEGIN
    low_row := first_bucket;
    high_row := last_bucket;
    bucket_count := last_bucket - first_bucket + 1;
    WHILE high_row - low_row + 1 > :olm_rows LOOP
      IF below <= above THEN
        low_row := low_row + 1;
        below := below + weight_at(low_row);
      ELSE
        high_row := high_row - 1;
        above := above + weight_at(high_row);
      END IF;
    END LOOP;
    row_count := high_row - low_row + 1;
    are_alike := GREATEST(hidden_at_edges(FALSE), hidden_at_edges(TRUE)) > 0.01;
    FOR line_no IN 1 .. row_count LOOP
      signs(line_no) := NULL;
    END LOOP;
    FOR position IN first_bucket .. last_bucket LOOP
      signs(row_at(position)) := CASE WHEN signs(row_at(position)) IS NULL THEN ' ' ELSE '*' END;
      labels(row_at(position)) := latency_text(powers(position) * unit);
      lowest := CASE WHEN signs(row_at(position)) = ' ' THEN position ELSE lowest END;
    END LOOP;
    IF has_open OR (high_row < last_bucket AND NOT are_alike) THEN
      labels(row_count) := open_label(powers(lowest - 1) * unit);
      signs(row_count) := ' ';
    END IF;
  END merge_rows;

  -- The rates of all columns, by row. Empty cells have no element, except where rows were merged.
  PROCEDURE fill_rows IS
    bucket PLS_INTEGER;
    line_no PLS_INTEGER;
    spot PLS_INTEGER;
    rate NUMBER;
    waited_rate NUMBER;
  BEGIN
    FOR position IN first_bucket .. last_bucket LOOP
      bucket := CASE WHEN has_open AND position = last_bucket THEN beyond ELSE position END;
      line_no := row_at(position);
      FOR col IN 1 .. newest LOOP
        spot := col * per_column + bucket;
        IF tallies.EXISTS(spot) THEN
          rate := tallies(spot) * micro / spans(col);
          waited_rate := cell_waited(spot) * micro / spans(col);
          spot := col * per_column + line_no;
          IF events.EXISTS(spot) THEN
            events(spot) := events(spot) + rate;
            waited(spot) := waited(spot) + waited_rate;
          ELSE
            events(spot) := rate;
            waited(spot) := waited_rate;
          END IF;
        END IF;
      END LOOP;
    END LOOP;
  END fill_rows;
