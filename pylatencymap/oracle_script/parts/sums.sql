  ---------------------------------------------------------------- sums of time waited

  -- Whether GV$SYSTEM_EVENT counts the waits that the histogram counts: the views are not read at one moment, and from a
  -- container one of them can be of the whole instance.
  FUNCTION belong_together(total NUMBER, counted NUMBER) RETURN BOOLEAN IS
  BEGIN
    RETURN ABS(total - counted) <= 20 + counted / 1000;
  END belong_together;

  -- The sum that is nearest to a wanted one and possible for these waits, in microseconds.
  FUNCTION possible_micros(waits numbers, wanted NUMBER) RETURN NUMBER IS
    least_micros NUMBER := 0;
    most_micros NUMBER := 0;
  BEGIN
    FOR bucket IN 0 .. beyond LOOP
      IF number_at(waits, bucket) > 0 THEN
        least_micros := least_micros + waits(bucket) * lower_micros(bucket);
        most_micros := CASE WHEN bucket < beyond THEN most_micros + waits(bucket) * powers(bucket) * unit END;
      END IF;
    END LOOP;
    RETURN LEAST(GREATEST(wanted, least_micros), NVL(most_micros, GREATEST(wanted, least_micros)));
  END possible_micros;
