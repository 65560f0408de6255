-- The stream EXITs here. For the maps these lines are one statement, whose column has the name EXIT: nothing happens.
SET SQLBLANKLINES &olm_goes_on
SELECT dummy

EXIT

FROM dual WHERE 1 = 2;

PROMPT Those were {{frames}} frames. To go on: @oralatencymap &olm_again "&5"
PROMPT For a script with more of them: oralatencymap --print-sql --hours 8 > oralatencymap.sql

-- SQL*Plus as it is by itself, which need not be what the session had before.
WHENEVER SQLERROR CONTINUE
UNDEFINE 1 2 3 4 5 olm_sleep olm_view olm_bound olm_on_error olm_seconds
UNDEFINE olm_pause olm_goes_on olm_again olm_sums olm_only olm_skip olm_advises olm_draws olm_old
COLUMN 1 CLEAR
COLUMN 2 CLEAR
COLUMN 3 CLEAR
COLUMN 4 CLEAR
COLUMN 5 CLEAR
COLUMN olm_sleep CLEAR
COLUMN olm_view CLEAR
COLUMN olm_bound CLEAR
COLUMN olm_on_error CLEAR
COLUMN olm_seconds CLEAR
COLUMN olm_pause CLEAR
COLUMN olm_goes_on CLEAR
COLUMN olm_again CLEAR
COLUMN olm_sums CLEAR
COLUMN olm_only CLEAR
COLUMN olm_skip CLEAR
COLUMN olm_advises CLEAR
COLUMN olm_draws CLEAR
COLUMN olm_old CLEAR
SET LINESIZE 80 LONG 80 LONGCHUNKSIZE 80 TAB ON SQLBLANKLINES OFF
SET FEEDBACK 6 VERIFY ON HEADING ON PAGESIZE 14
SET TERMOUT ON ECHO OFF TIMING OFF TRIMOUT ON FLUSH ON DEFINE ON
