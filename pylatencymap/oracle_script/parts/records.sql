  ---------------------------------------------------------------- records

  -- A comma would end the label in the earlier tools. What is not printed stays away from the terminal.
  FUNCTION label_of(named VARCHAR2, instance NUMBER) RETURN VARCHAR2 IS
    sign VARCHAR2(4);
    shown VARCHAR2(200);
  BEGIN
    FOR place IN 1 .. NVL(LENGTH(named), 0) LOOP
      sign := SUBSTR(named, place, 1);
      shown := shown || CASE WHEN ASCII(sign) BETWEEN 32 AND 126 THEN sign ELSE '?' END;
    END LOOP;
    RETURN REPLACE(shown, ',', ' ') || '@' || TO_CHAR(instance) || ' latency data from &olm_view';
  END label_of;

  -- ``time`` in the line that begins with #lmap is the exact sum.
  PROCEDURE begin_record(label VARCHAR2, micros NUMBER) IS
  BEGIN
    IF micros IS NOT NULL THEN
      write_line('#lmap {"v": 1, "time": ' || TO_CHAR(TRUNC(micros / micro)) || '.'
        || LPAD(TO_CHAR(MOD(micros, micro)), 6, '0') || '}');
    END IF;
    write_line('<begin record>');
    write_line('timestamp,microsec,' || TO_CHAR(sampled_micros) || ','
      || TO_CHAR(SYS_EXTRACT_UTC(sampled), 'YYYY-MM-DD HH24:MI:SS') || ' +00:00');
    write_line('label,' || label);
    write_line('latencyunit,' || CASE unit WHEN 1 THEN 'microsec' ELSE 'millisec' END);
    write_line('datasource,oracle');
  END begin_record;

  -- One record per instance. The label's part before "latency data" is the name of the series. Containers are summed.
  -- The overflow row keeps its own label. Sums that are of other waits are left out.
  PROCEDURE print_records IS
    last_label VARCHAR2(200);
    rows_text VARCHAR2(32767);
    last_instance NUMBER;
    counted NUMBER;
    waited NUMBER;
    sums numbers;

    PROCEDURE end_record IS
    BEGIN
      IF rows_text IS NOT NULL THEN
        waited := NULL;
        IF sums.EXISTS(micros_waited) THEN
          IF belong_together(last_instance, number_at(sums, total_waits), counted) THEN
            waited := sums(micros_waited);
          END IF;
        END IF;
        begin_record(last_label, waited);
        screen := screen || rows_text;
        write_line('<end record>');
      END IF;
      rows_text := NULL;
      counted := 0;
      sums.DELETE;
    END end_record;

  BEGIN
    FOR bucket IN counters LOOP
      IF last_label IS NULL OR last_label <> label_of(bucket.event, bucket.inst_id) THEN
        end_record;
        last_label := label_of(bucket.event, bucket.inst_id);
        last_instance := bucket.inst_id;
      END IF;
      IF bucket.bound < 0 THEN
        sums(-bucket.bound) := bucket.waits;
      ELSE
        rows_text := rows_text || TO_CHAR(bucket.bound) || ',' || TO_CHAR(bucket.waits) || CHR(10);
        counted := counted + bucket.waits;
      END IF;
    END LOOP;
    end_record;
  END print_records;
