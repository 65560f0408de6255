-- oralatencymap.sql: latency of Oracle wait events over time, for SQL*Plus and SQLcl
--
--   @oralatencymap stream [seconds] ["event"]
--
-- prints the record stream of pylatencymap: the cumulative wait counts of one event, per bucket and instance, at
-- once and then every so many seconds (3 unless given). The event is "db file sequential read" unless given; upper or
-- lower case, and underscores for blanks, do not matter. To draw it on the spot:
--
--   sqlplus -S user@db @oralatencymap stream 3 "log file sync" | pylatencymap
--
-- To keep it, end the line with `> file` instead, and draw it later with `pylatencymap replay file`.
--
-- It takes 1200 samples after the first one, which is one hour at 3 seconds, and then EXITs, as it does after an error.
--
-- Needs Oracle Database 12.1 or later, TIMED_STATISTICS = TRUE, and these privileges:
--   CREATE SESSION
--   READ (before 12.1.0.2: SELECT) on SYS.GV_$EVENT_HISTOGRAM_MICRO
--   before 18c: EXECUTE on SYS.DBMS_LOCK, and READ on SYS.V_$INSTANCE to find out that it is before 18c
-- No licence of the Diagnostics Pack: no DBA_HIST view is read.
--
-- Tested on an emulation of SQL*Plus, PL/SQL and the view, made from their documentation. It was never run on Oracle
-- Database. If it fails there, please report it.

WHENEVER SQLERROR CONTINUE
SET TERMOUT OFF
SET DEFINE '&'
SET FEEDBACK OFF VERIFY OFF HEADING OFF PAGESIZE 0 ECHO OFF TIMING OFF SQLBLANKLINES ON
SET LINESIZE 1000 TRIMOUT ON TAB OFF FLUSH ON

-- Arguments that were not given are empty: a SELECT without rows defines them unless they are defined.
COLUMN 1 NEW_VALUE 1
COLUMN 2 NEW_VALUE 2
COLUMN 3 NEW_VALUE 3
SELECT '' "1", '' "2", '' "3" FROM dual WHERE 1 = 2;

-- DBMS_SESSION.SLEEP exists from 18c and needs no grant. Where the version cannot be read it is assumed to be there.
-- A static call of a package that is missing does not compile, so that the name has to be chosen before the call.
DEFINE olm_sleep = dbms_session.sleep
COLUMN olm_sleep NEW_VALUE olm_sleep
SELECT 'dbms_lock.sleep' AS olm_sleep FROM v$instance
WHERE TO_NUMBER(SUBSTR(version, 1, INSTR(version, '.') - 1)) < 18;

COLUMN olm_seconds NEW_VALUE olm_seconds
SELECT NVL('&2', '3') AS olm_seconds FROM dual;

SET TERMOUT ON
SET SERVEROUTPUT ON SIZE UNLIMITED
WHENEVER SQLERROR EXIT FAILURE

-- Check the arguments, and that the event is there.
VARIABLE olm_event VARCHAR2(200)
DECLARE
  found NUMBER;
BEGIN
  IF NVL(LOWER('&1'), 'draw') <> 'stream' THEN
    RAISE_APPLICATION_ERROR(-20001, 'drawing in SQL*Plus comes next; today: @oralatencymap stream [seconds] ["event"]');
  END IF;

  IF LTRIM('&olm_seconds', '.0123456789') IS NOT NULL THEN
    RAISE_APPLICATION_ERROR(-20002, 'the second argument is the interval in seconds, such as 3, not &olm_seconds');
  END IF;

  :olm_event := LOWER(REPLACE(NVL(q'[&3]', 'db file sequential read'), '_', ' '));
  SELECT COUNT(*) INTO found
  FROM gv$event_histogram_micro
  WHERE LOWER(REPLACE(event, '_', ' ')) = :olm_event;

  IF found = 0 THEN
    RAISE_APPLICATION_ERROR(-20003, 'no waits for the event "' || :olm_event || '" since the database was started;'
      || ' V$EVENT_NAME lists the names of all events');
  END IF;
END;
/

-- One sample: one record per instance. The label's part before "latency data" is the name of the series.
DECLARE
  sampled TIMESTAMP(6) := SYS_EXTRACT_UTC(SYSTIMESTAMP);
  current_label VARCHAR2(200);

  -- Microseconds since 1970, UTC; day 2440588 of the Julian calendar is 1970-01-01.
  FUNCTION epoch_micros(t TIMESTAMP) RETURN NUMBER IS
  BEGIN
    RETURN (TO_NUMBER(TO_CHAR(t, 'J')) - 2440588) * 86400000000
      + TO_NUMBER(TO_CHAR(t, 'SSSSS')) * 1000000
      + TO_NUMBER(TO_CHAR(t, 'FF6'));
  END epoch_micros;

  -- A comma would end the label in the earlier tools.
  FUNCTION label_of(event VARCHAR2, instance NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN REPLACE(event, ',', ' ') || '@' || TO_CHAR(instance) || ' latency data from gv$event_histogram_micro';
  END label_of;

  PROCEDURE end_record IS
  BEGIN
    IF current_label IS NOT NULL THEN
      DBMS_OUTPUT.PUT_LINE('<end record>');
    END IF;
  END end_record;

  PROCEDURE begin_record(label VARCHAR2) IS
  BEGIN
    end_record;
    current_label := label;
    DBMS_OUTPUT.PUT_LINE('<begin record>');
    DBMS_OUTPUT.PUT_LINE('timestamp,microsec,' || TO_CHAR(epoch_micros(sampled)) || ','
      || TO_CHAR(sampled, 'YYYY-MM-DD HH24:MI:SS') || ' +00:00');
    DBMS_OUTPUT.PUT_LINE('label,' || label);
    DBMS_OUTPUT.PUT_LINE('latencyunit,microsec');
    DBMS_OUTPUT.PUT_LINE('datasource,oracle');
  END begin_record;

BEGIN
  -- Containers are summed. The row for 2^32 microseconds and more keeps its own label.
  FOR bucket IN (
    SELECT inst_id, event, wait_time_micro, SUM(wait_count) AS waits
    FROM gv$event_histogram_micro
    WHERE LOWER(REPLACE(event, '_', ' ')) = :olm_event
    GROUP BY inst_id, event, wait_time_micro
    ORDER BY inst_id, event, wait_time_micro
  ) LOOP
    IF current_label IS NULL OR current_label <> label_of(bucket.event, bucket.inst_id) THEN
      begin_record(label_of(bucket.event, bucket.inst_id));
    END IF;
    DBMS_OUTPUT.PUT_LINE(TO_CHAR(bucket.wait_time_micro) || ',' || TO_CHAR(bucket.waits));
  END LOOP;
  end_record;
END;
/

-- A slash runs the block above again; EXEC leaves it in the buffer. SQL*Plus has no loop, and a loop in PL/SQL would
-- print at its end only. All that follows is the same pair of lines, 1200 times over, and EXIT.
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXEC &olm_sleep(&olm_seconds)
/
EXIT
