  ---------------------------------------------------------------- sampling

  -- Take the counters; the difference to the last ones is a column. The first sample is only a start, as are the first
  -- counters of an instance. An instance without any row, as after a restart, is counted when it has some again, over
  -- the time since it had; while there are no rows at all the column waits as well.
  PROCEDURE take_sample IS
    instance PLS_INTEGER;
    spot PLS_INTEGER;
    span NUMBER := sampled_micros - :olm_sampled;
    old_counts numbers;
    new_counts numbers;
    gained numbers;
    present numbers;
    seen numbers;
    recent_rates texts;
    restarts PLS_INTEGER := 0;
    counted PLS_INTEGER := 0;
    micros_gained NUMBER := 0;
    is_known BOOLEAN;

    PROCEDURE read_instance(body_text VARCHAR2) IS
      here PLS_INTEGER := 1;
      bucket PLS_INTEGER;
    BEGIN
      WHILE here <= LENGTH(body_text) LOOP
        bucket := TO_NUMBER(next_part(body_text, here, '='));
        old_counts(instance * per_column + bucket) := TO_NUMBER(next_part(body_text, here, ';'));
      END LOOP;
    END read_instance;

    -- What counts_text wrote after the last sample.
    PROCEDURE read_last IS
      old_text VARCHAR2(32767) := :olm_counters;
      place PLS_INTEGER := 1;
    BEGIN
      WHILE place <= LENGTH(old_text) LOOP
        instance := TO_NUMBER(next_part(old_text, place, ':'));
        seen(instance) := TO_NUMBER(next_part(old_text, place, ':'));
        recent_rates(instance) := next_part(old_text, place, ':');
        read_instance(next_part(old_text, place, '/'));
      END LOOP;
    END read_last;

    PROCEDURE read_view IS
    BEGIN
      FOR bucket IN counters LOOP
        IF bucket.bound < 0 THEN
          new_counts(bucket.inst_id * per_column - bucket.bound) := bucket.waits;
        ELSE
          spot := bucket.inst_id * per_column + bucket_of(bucket.bound);
          new_counts(spot) := number_at(new_counts, spot) + bucket.waits;
          present(bucket.inst_id) := 1;
        END IF;
      END LOOP;
    END read_view;

    -- A counter that fell is a restart: all of them began again from 0. A bucket without a row keeps its last value.
    FUNCTION has_restarted RETURN BOOLEAN IS
    BEGIN
      FOR bucket IN 0 .. beyond LOOP
        spot := instance * per_column + bucket;
        IF new_counts.EXISTS(spot) AND new_counts(spot) < number_at(old_counts, spot) THEN
          RETURN TRUE;
        END IF;
      END LOOP;
      RETURN FALSE;
    END has_restarted;

    -- What an instance waited since the last sample, in microseconds. The sums may be a moment older or younger than the
    -- waits: what these do not allow is owed to the next column. Empty where no sums are known.
    FUNCTION micros_of(own numbers, restarted BOOLEAN) RETURN NUMBER IS
      base PLS_INTEGER := instance * per_column;
      wanted NUMBER;
      found NUMBER;
    BEGIN
      IF NOT is_known OR NOT new_counts.EXISTS(base + micros_waited) OR NOT old_counts.EXISTS(base + micros_waited) THEN
        RETURN NULL;
      END IF;
      wanted := new_counts(base + micros_waited);
      IF NOT restarted THEN
        wanted := wanted - old_counts(base + micros_waited) + number_at(old_counts, base + micros_owed);
      END IF;
      found := possible_micros(own, wanted);
      new_counts(base + micros_owed) := wanted - found;
      RETURN found;
    END micros_of;

    -- Add what an instance counted since the last sample. After a restart more than so many times the usual rate is not
    -- believed: it is a new start.
    PROCEDURE add_instance IS
      restarted BOOLEAN := has_restarted;
      own numbers;
      own_waits NUMBER := 0;
      own_rate NUMBER;
      own_span NUMBER := GREATEST(sampled_micros - seen(instance), span);
      usual NUMBER := usual_of(recent_rates(instance));
    BEGIN
      FOR bucket IN 0 .. beyond LOOP
        spot := instance * per_column + bucket;
        IF new_counts.EXISTS(spot) THEN
          own(bucket) := new_counts(spot) - CASE WHEN restarted THEN 0 ELSE number_at(old_counts, spot) END;
          own_waits := own_waits + own(bucket);
        ELSIF old_counts.EXISTS(spot) AND NOT restarted THEN
          new_counts(spot) := old_counts(spot);
        END IF;
      END LOOP;
      is_known := has_sum(new_counts, instance);
      own_rate := ROUND(own_waits * micro / own_span * micro);
      IF restarted THEN
        restarts := restarts + 1;
        IF usual > 0 AND own_rate > spike_factor * usual THEN
          RETURN;
        END IF;
      END IF;
      counted := counted + 1;
      micros_gained := micros_gained + ROUND(micros_of(own, restarted) * span / own_span);
      recent_rates(instance) := with_recent(recent_rates(instance), own_rate);
      FOR bucket IN 0 .. beyond LOOP
        IF number_at(own, bucket) > 0 THEN
          gained(bucket) := number_at(gained, bucket) + ROUND(own(bucket) * span / own_span);
        END IF;
      END LOOP;
    END add_instance;

    PROCEDURE add_instances IS
    BEGIN
      instance := present.FIRST;
      WHILE instance IS NOT NULL LOOP
        IF recent_rates.EXISTS(instance) THEN
          add_instance;
        ELSE
          is_known := has_sum(new_counts, instance);
          recent_rates(instance) := NULL;
        END IF;
        seen(instance) := sampled_micros;
        instance := present.NEXT(instance);
      END LOOP;
    END add_instances;

    -- Its time, its recent rates and its counters; the last ones where it has none now.
    FUNCTION counts_text RETURN VARCHAR2 IS
      counts VARCHAR2(32767);
    BEGIN
      FOR bucket IN 0 .. micros_owed LOOP
        spot := instance * per_column + bucket;
        IF NOT present.EXISTS(instance) AND old_counts.EXISTS(spot) THEN
          new_counts(spot) := old_counts(spot);
        END IF;
        IF new_counts.EXISTS(spot) THEN
          counts := counts || TO_CHAR(bucket) || '=' || TO_CHAR(new_counts(spot)) || ';';
        END IF;
      END LOOP;
      RETURN TO_CHAR(instance) || ':' || TO_CHAR(seen(instance)) || ':' || recent_rates(instance) || ':' || counts || '/';
    END counts_text;

    PROCEDURE keep_counters IS
      new_text VARCHAR2(32767);
    BEGIN
      instance := seen.FIRST;
      WHILE instance IS NOT NULL LOOP
        new_text := new_text || counts_text;
        instance := seen.NEXT(instance);
      END LOOP;
      :olm_counters := new_text;
    END keep_counters;

  BEGIN
    read_last;
    read_view;
    IF span <= 0 OR present.COUNT = 0 THEN
      :olm_sampled := LEAST(sampled_micros, :olm_sampled);
      RETURN;
    END IF;
    :olm_sampled := sampled_micros;
    add_instances;
    keep_counters;
    IF span > 0 THEN
      add_column(span, CASE WHEN restarts > 0 THEN CASE counted WHEN 0 THEN 'G' ELSE 'R' END END, gained, micros_gained);
    END IF;
  END take_sample;
