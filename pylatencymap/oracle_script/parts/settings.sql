WHENEVER SQLERROR CONTINUE
SET TERMOUT OFF
SET DEFINE '&'
SET FEEDBACK OFF VERIFY OFF HEADING OFF PAGESIZE 0 ECHO OFF TIMING OFF SQLBLANKLINES ON
SET LINESIZE 4000 LONG 1000000 LONGCHUNKSIZE 1000000 TRIMOUT ON TAB OFF FLUSH ON

-- Arguments that were not given are empty: a SELECT without rows defines them unless they are defined.
COLUMN 1 NEW_VALUE 1
COLUMN 2 NEW_VALUE 2
COLUMN 3 NEW_VALUE 3
COLUMN 4 NEW_VALUE 4
COLUMN 5 NEW_VALUE 5
SELECT '' "1", '' "2", '' "3", '' "4", '' "5" FROM dual WHERE 1 = 2;

-- What this user may use, asked of the dictionary: buckets of microseconds came with 12.1.0.2, and DBMS_SESSION.SLEEP,
-- which needs no grant, with 18c. If the dictionary does not answer, both are assumed to be there. A static reference to
-- what is missing does not compile, so that the names have to be chosen before they are used.
DEFINE olm_sleep = dbms_session.sleep
DEFINE olm_view = gv$event_histogram_micro
DEFINE olm_bound = wait_time_micro
COLUMN olm_sleep NEW_VALUE olm_sleep
COLUMN olm_view NEW_VALUE olm_view
COLUMN olm_bound NEW_VALUE olm_bound
SELECT CASE COUNT(*) WHEN 0 THEN 'dbms_lock.sleep' ELSE 'dbms_session.sleep' END AS olm_sleep
FROM all_procedures
WHERE owner = 'SYS' AND object_name = 'DBMS_SESSION' AND procedure_name = 'SLEEP';
SELECT 'gv$event_histogram' AS olm_view, 'wait_time_milli' AS olm_bound
FROM all_views
WHERE owner = 'SYS' AND view_name = 'GV_$EVENT_HISTOGRAM' AND NOT EXISTS
  (SELECT 1 FROM all_views WHERE owner = 'SYS' AND view_name = 'GV_$EVENT_HISTOGRAM_MICRO');

SET TERMOUT ON
