-- What is missing fails here, once: privileges, views and the sleep, which is only compiled. The stream ends then, as it
-- does with bad arguments.
DECLARE
  found NUMBER;
BEGIN
  SELECT COUNT(*) INTO found
  FROM &olm_view
  WHERE LOWER(REPLACE(event, '_', ' ')) = :olm_event;
  IF found < 0 THEN
    &olm_sleep(0);
  END IF;

  :olm_missing := 'no waits for the event "' || :olm_event || '" since the database was started;'
    || ' V$EVENT_NAME lists the names of all events';
  IF :olm_mode = 'stream' AND (found = 0 OR :olm_notice IS NOT NULL) THEN
    RAISE_APPLICATION_ERROR(-20001, NVL(:olm_notice, :olm_missing));
  END IF;
  :olm_ready := 1;
END;
/
