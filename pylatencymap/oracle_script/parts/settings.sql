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

-- DBMS_SESSION.SLEEP exists from 18c and needs no grant; buckets of microseconds exist from 12.1. Where the version
-- cannot be read both are assumed to be there. A static reference to what is missing does not compile, so that the
-- names have to be chosen before they are used.
DEFINE olm_sleep = dbms_session.sleep
DEFINE olm_view = gv$event_histogram_micro
DEFINE olm_bound = wait_time_micro
COLUMN olm_sleep NEW_VALUE olm_sleep
COLUMN olm_view NEW_VALUE olm_view
COLUMN olm_bound NEW_VALUE olm_bound
SELECT CASE WHEN major < 18 THEN 'dbms_lock.sleep' ELSE 'dbms_session.sleep' END AS olm_sleep,
  CASE WHEN major < 12 THEN 'gv$event_histogram' ELSE 'gv$event_histogram_micro' END AS olm_view,
  CASE WHEN major < 12 THEN 'wait_time_milli' ELSE 'wait_time_micro' END AS olm_bound
FROM (SELECT TO_NUMBER(SUBSTR(version, 1, INSTR(version, '.') - 1)) AS major FROM v$instance);

SET TERMOUT ON
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
