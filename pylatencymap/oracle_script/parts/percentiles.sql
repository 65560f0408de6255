  ---------------------------------------------------------------- percentiles

  -- What the waits of each bucket waited, in microseconds, so that all add up to a sum: each bucket takes as much of what
  -- is missing as it has of the variance, by the slopes to both neighbours. Nothing if the waits do not allow that sum.
  FUNCTION waits_of_sum(counts numbers, micros NUMBER) RETURN numbers IS
    nothing numbers;
    found numbers;
    unsure numbers;
    missing NUMBER;
    whole NUMBER;

    FUNCTION level_at(bucket PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      RETURN LN(CASE WHEN number_at(counts, bucket) > 0 THEN counts(bucket) ELSE 0.5 END);
    END level_at;

    FUNCTION limit_of(bucket PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      RETURN counts(bucket) * CASE WHEN missing > 0 THEN powers(bucket) * unit ELSE lower_micros(bucket) END;
    END limit_of;

    PROCEDURE guess(bucket PLS_INTEGER) IS
      rise NUMBER;
      next_rise NUMBER;
      turn NUMBER;
      wide NUMBER;
    BEGIN
      IF bucket = beyond THEN
        found(bucket) := counts(bucket) * lower_micros(bucket);
        RETURN;
      ELSIF bucket = 0 THEN
        found(bucket) := counts(bucket) * powers(0) * unit / 2;
        unsure(bucket) := POWER(found(bucket), 2) + counts(bucket) * POWER(powers(0) * unit, 2) / 12;
        RETURN;
      END IF;
      rise := GREATEST(LEAST(level_at(bucket) - level_at(bucket - 1), 6), -6);
      next_rise := GREATEST(LEAST(level_at(bucket_above(bucket)) - level_at(bucket), 6), -6);
      turn := GREATEST(LEAST((level_at(bucket_above(bucket)) - level_at(bucket - 1)) / 2, 4), -4);
      wide := mean_of_turn(bucket, GREATEST(rise, next_rise, turn)) - mean_of_turn(bucket, LEAST(rise, next_rise, turn));
      found(bucket) := counts(bucket) * mean_of_turn(bucket, turn);
      unsure(bucket) := POWER(counts(bucket) * wide / 2, 2) + counts(bucket) * POWER(lower_micros(bucket), 2) / 12;
    END guess;

  BEGIN
    IF micros IS NULL OR ABS(possible_micros(counts, micros) - micros) > micros / 1000000 THEN
      RETURN nothing;
    END IF;
    missing := micros;
    FOR bucket IN 0 .. beyond LOOP
      IF number_at(counts, bucket) > 0 THEN
        guess(bucket);
        missing := missing - found(bucket);
      END IF;
    END LOOP;
    FOR attempt IN 1 .. beyond LOOP
      EXIT WHEN ABS(missing) <= micros / 1000000000;
      IF missing > 0 AND found.EXISTS(beyond) THEN
        found(beyond) := found(beyond) + missing;
        EXIT;
      END IF;
      whole := 0;
      FOR bucket IN 0 .. beyond - 1 LOOP
        IF found.EXISTS(bucket) AND ABS(limit_of(bucket) - found(bucket)) > micros / 1000000000 THEN
          whole := whole + unsure(bucket);
        END IF;
      END LOOP;
      EXIT WHEN whole = 0;
      FOR bucket IN 0 .. beyond - 1 LOOP
        IF found.EXISTS(bucket) AND ABS(limit_of(bucket) - found(bucket)) > micros / 1000000000 THEN
          found(bucket) := found(bucket) + missing * unsure(bucket) / whole;
          found(bucket) := CASE WHEN missing > 0 THEN LEAST(found(bucket), limit_of(bucket))
            ELSE GREATEST(found(bucket), limit_of(bucket)) END;
        END IF;
      END LOOP;
      missing := micros;
      FOR bucket IN 0 .. beyond LOOP
        missing := missing - number_at(found, bucket);
      END LOOP;
    END LOOP;
    RETURN found;
  END waits_of_sum;

  -- By how much the logarithm of the density rises along a bucket, if its waits have this mean, in microseconds.
  FUNCTION turn_of_mean(bucket PLS_INTEGER, mean NUMBER) RETURN NUMBER IS
    low NUMBER := -50;
    high NUMBER := 50;
    middle NUMBER;
  BEGIN
    FOR halving IN 1 .. 30 LOOP
      middle := (low + high) / 2;
      IF mean_of_turn(bucket, middle) < mean THEN
        low := middle;
      ELSE
        high := middle;
      END IF;
    END LOOP;
    RETURN (low + high) / 2;
  END turn_of_mean;

  -- A latency in a bucket that holds a rank, as far as whole waits allow it, if all of them waited so many microseconds:
  -- those up to the rank waited no longer, and those from it on no shorter. ``below`` are waits in lower buckets.
  FUNCTION possible_latency(
    latency NUMBER, counts numbers, micros NUMBER, bucket PLS_INTEGER, below NUMBER, wanted NUMBER
  ) RETURN NUMBER IS
    least_micros NUMBER := micros;
    most_micros NUMBER := micros;
    upto NUMBER := LEAST(CEIL(wanted - 0.000000001) - below, counts(bucket));
    from_there NUMBER := LEAST(below + counts(bucket) - FLOOR(wanted + 0.000000001), counts(bucket));
    found NUMBER := latency;
  BEGIN
    FOR other IN 0 .. beyond LOOP
      IF other <> bucket AND number_at(counts, other) > 0 THEN
        most_micros := most_micros - counts(other) * lower_micros(other);
        least_micros := CASE WHEN other < beyond THEN least_micros - counts(other) * powers(other) * unit END;
      END IF;
    END LOOP;
    IF upto > 0 AND least_micros IS NOT NULL THEN
      found := GREATEST(found, powers(bucket) * unit
        - GREATEST(counts(bucket) * powers(bucket) * unit - least_micros, 0) / upto);
    END IF;
    IF from_there > 0 THEN
      found := LEAST(found, lower_micros(bucket)
        + GREATEST(most_micros - counts(bucket) * lower_micros(bucket), 0) / from_there);
    END IF;
    RETURN found;
  END possible_latency;

  -- The latency below which a part of the waits lies; inside the bucket that holds it, their density is a power of the
  -- latency: by its neighbours, or by what the bucket waited, if that is known. micros: the sum, NULL if it is not known.
  FUNCTION percentile(counts numbers, total NUMBER, part NUMBER, waits numbers, micros NUMBER) RETURN VARCHAR2 IS
    bucket PLS_INTEGER := counts.FIRST;
    below NUMBER := 0;
    turn NUMBER;
    inside NUMBER;
    latency NUMBER;

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
      IF waits.EXISTS(0) AND waits(0) > 0 THEN
        inside := POWER(inside, counts(0) * powers(0) * unit / waits(0) - 1);
      END IF;
      latency := inside * powers(0) * unit;
    ELSE
      IF waits.EXISTS(bucket) THEN
        turn := turn_of_mean(bucket, waits(bucket) / counts(bucket));
      ELSE
        turn := (LN(filled(bucket_above(bucket))) - LN(filled(bucket - 1))) / 2;
        turn := GREATEST(LEAST(turn, 4), -4);
      END IF;
      IF ABS(turn) > 1e-9 AND inside < 1 THEN
        inside := LN(1 + inside * (EXP(turn) - 1)) / turn;
      END IF;
      latency := lower_micros(bucket) * POWER(2, inside);
    END IF;
    IF waits.EXISTS(bucket) THEN
      latency := possible_latency(latency, counts, micros, bucket, below, total * part);
    END IF;
    RETURN measured_text(latency);
  END percentile;
