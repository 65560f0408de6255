  -- The bucket that a bound of the view names. What is no power of two and large is the overflow row: it begins at the
  -- next lower power of two.
  FUNCTION bucket_of(upper_bound NUMBER) RETURN PLS_INTEGER IS
    k PLS_INTEGER := 0;
  BEGIN
    WHILE powers(k) < upper_bound AND k < beyond - 1 LOOP
      k := k + 1;
    END LOOP;
    IF powers(k) = upper_bound OR upper_bound < least_overflow THEN
      RETURN k;
    END IF;
    :olm_open := k - 1;
    RETURN beyond;
  END bucket_of;

  FUNCTION lower_micros(bucket PLS_INTEGER) RETURN NUMBER IS
  BEGIN
    RETURN CASE bucket WHEN beyond THEN powers(:olm_open) WHEN 0 THEN 0 ELSE powers(bucket - 1) END * unit;
  END lower_micros;

  -- The bucket that holds the next longer waits.
  FUNCTION bucket_above(bucket PLS_INTEGER) RETURN PLS_INTEGER IS
  BEGIN
    RETURN CASE bucket WHEN :olm_open THEN beyond ELSE bucket + 1 END;
  END bucket_above;

  -- The mean latency of the waits of a bucket, in microseconds, if the logarithm of their density rises so along it.
  FUNCTION mean_of_turn(bucket PLS_INTEGER, turn NUMBER) RETURN NUMBER IS
    FUNCTION grown(turns NUMBER) RETURN NUMBER IS
    BEGIN
      IF ABS(turns) < 0.000001 THEN
        RETURN 1;
      END IF;
      RETURN (EXP(turns) - 1) / turns;
    END grown;

  BEGIN
    RETURN lower_micros(bucket) * grown(turn + LN(2)) / grown(turn);
  END mean_of_turn;

  -- Powers of two; and what a wait of each bucket counts for in time until there is a window: the middle.
  PROCEDURE fill_powers IS
  BEGIN
    powers(0) := 1;
    FOR k IN 1 .. beyond LOOP
      powers(k) := powers(k - 1) * 2;
    END LOOP;
    FOR bucket IN 0 .. beyond - 1 LOOP
      means(bucket) := (lower_micros(bucket) + powers(bucket) * unit) / 2;
    END LOOP;
  END fill_powers;
