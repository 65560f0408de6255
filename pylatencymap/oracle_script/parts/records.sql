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

  PROCEDURE begin_record(label VARCHAR2) IS
  BEGIN
    write_line('<begin record>');
    write_line('timestamp,microsec,' || TO_CHAR(sampled_micros) || ','
      || TO_CHAR(SYS_EXTRACT_UTC(sampled), 'YYYY-MM-DD HH24:MI:SS') || ' +00:00');
    write_line('label,' || label);
    write_line('latencyunit,' || CASE unit WHEN 1 THEN 'microsec' ELSE 'millisec' END);
    write_line('datasource,oracle');
  END begin_record;

  -- One record per instance. The label's part before "latency data" is the name of the series. Containers are summed.
  -- The overflow row keeps its own label.
  PROCEDURE print_records IS
    last_label VARCHAR2(200);
  BEGIN
    FOR bucket IN counters LOOP
      IF last_label IS NULL OR last_label <> label_of(bucket.event, bucket.inst_id) THEN
        IF last_label IS NOT NULL THEN
          write_line('<end record>');
        END IF;
        last_label := label_of(bucket.event, bucket.inst_id);
        begin_record(last_label);
      END IF;
      write_line(TO_CHAR(bucket.bound) || ',' || TO_CHAR(bucket.waits));
    END LOOP;
    IF last_label IS NOT NULL THEN
      write_line('<end record>');
    END IF;
  END print_records;
