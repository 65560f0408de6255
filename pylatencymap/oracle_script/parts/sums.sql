  ---------------------------------------------------------------- sums of time waited

  FUNCTION agree(total NUMBER, counted NUMBER, besides NUMBER) RETURN BOOLEAN IS
  BEGIN
    RETURN ABS(total - counted) <= 20 + counted / 1000 + besides;
  END agree;

  -- Whether GV$SYSTEM_EVENT counts the waits of an instance that the histogram counts: the views are not read at one
  -- moment, and from a container one of them can be of the whole instance. They have to agree since start-up, and since
  -- they were first compared, give or take the most that the histogram counted in one interval.
  FUNCTION belong_together(instance NUMBER, total NUMBER, counted NUMBER) RETURN BOOLEAN IS
    known VARCHAR2(32767) := '/' || :olm_compared;
    mark VARCHAR2(50) := '/' || TO_CHAR(instance) || ':';
    place PLS_INTEGER := INSTR(known, mark);
    here PLS_INTEGER := place + LENGTH(mark);
    first_total NUMBER := total;
    first_counted NUMBER := counted;
    last_total NUMBER;
    last_counted NUMBER;
    widest NUMBER := 0;
  BEGIN
    IF place > 0 THEN
      first_total := TO_NUMBER(next_part(known, here, ':'));
      first_counted := TO_NUMBER(next_part(known, here, ':'));
      last_total := TO_NUMBER(next_part(known, here, ':'));
      last_counted := TO_NUMBER(next_part(known, here, ':'));
      widest := TO_NUMBER(next_part(known, here, '/'));
      known := SUBSTR(known, 1, place) || SUBSTR(known, here);
      IF total < last_total OR counted < last_counted THEN
        first_total := total;
        first_counted := counted;
        widest := 0;
      ELSE
        widest := GREATEST(widest, counted - last_counted);
      END IF;
    END IF;
    :olm_compared := SUBSTR(known, 2) || SUBSTR(mark, 2) || TO_CHAR(first_total) || ':' || TO_CHAR(first_counted) || ':'
      || TO_CHAR(total) || ':' || TO_CHAR(counted) || ':' || TO_CHAR(widest) || '/';
    RETURN agree(total, counted, 0) AND agree(total - first_total, counted - first_counted, widest);
  END belong_together;

  -- The same, of the counters of an instance; false where no sum is known.
  FUNCTION has_sum(counters_now numbers, instance PLS_INTEGER) RETURN BOOLEAN IS
    base PLS_INTEGER := instance * per_column;
    counted NUMBER := 0;
  BEGIN
    IF NOT counters_now.EXISTS(base + total_waits) THEN
      RETURN FALSE;
    END IF;
    FOR bucket IN 0 .. beyond LOOP
      counted := counted + number_at(counters_now, base + bucket);
    END LOOP;
    RETURN belong_together(instance, counters_now(base + total_waits), counted);
  END has_sum;

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
