-- What is known from one sample to the next. Lists are text: SQL*Plus has no variables of other kinds.
VARIABLE olm_mode VARCHAR2(6)
VARIABLE olm_event VARCHAR2(200)
VARIABLE olm_seconds VARCHAR2(40)
VARIABLE olm_rows NUMBER
VARIABLE olm_columns NUMBER
VARIABLE olm_notice VARCHAR2(1000)
VARIABLE olm_missing VARCHAR2(1000)
VARIABLE olm_ready NUMBER
VARIABLE olm_sampled NUMBER
VARIABLE olm_spans VARCHAR2(400)
VARIABLE olm_open NUMBER
VARIABLE olm_held VARCHAR2(1000)
VARIABLE olm_compared CLOB
VARIABLE olm_counters CLOB
VARIABLE olm_window CLOB
VARIABLE olm_screen CLOB

-- The arguments, as values of variables: these commands end with the line, whatever is in it. "=" is in front because
-- "" might be no value. Before SQL*Plus 12.2 VARIABLE takes no value: then, and only then, the blocks below have them in
-- quotes, after olm_old, which is the sign of a comment otherwise. A quote in an argument breaks such a block; the first
-- argument has one of its own, because it says whether this is the stream.
VARIABLE olm_first VARCHAR2(250)
VARIABLE olm_second VARCHAR2(250)
VARIABLE olm_third VARCHAR2(250)
VARIABLE olm_fourth VARCHAR2(250)
VARIABLE olm_fifth VARCHAR2(250)
VARIABLE olm_taken VARCHAR2(9)
SET TERMOUT OFF
VARIABLE olm_first VARCHAR2(250) = '=&1'
VARIABLE olm_second VARCHAR2(250) = '=&2'
VARIABLE olm_third VARCHAR2(250) = '=&3'
VARIABLE olm_fourth VARCHAR2(250) = '=&4'
VARIABLE olm_fifth VARCHAR2(250) = '=&5'
VARIABLE olm_taken VARCHAR2(9) = '=a b'
COLUMN olm_old NEW_VALUE olm_old
SELECT CASE WHEN :olm_taken = '=a b' THEN '--' END AS olm_old FROM dual;
SET TERMOUT ON

BEGIN
  &olm_old :olm_first := '=&1';
  NULL;
END;
/
BEGIN
  &olm_old :olm_second := '=&2';
  &olm_old :olm_third := '=&3';
  &olm_old :olm_fourth := '=&4';
  :olm_taken := '=a b';
END;
/
