-- What is known from one sample to the next. Lists are text: SQL*Plus has no variables of other kinds.
VARIABLE olm_mode VARCHAR2(6)
VARIABLE olm_event VARCHAR2(200)
VARIABLE olm_seconds VARCHAR2(40)
VARIABLE olm_rows NUMBER
VARIABLE olm_columns NUMBER
VARIABLE olm_notice VARCHAR2(1000)
VARIABLE olm_missing VARCHAR2(1000)
VARIABLE olm_sampled NUMBER
VARIABLE olm_spans VARCHAR2(400)
VARIABLE olm_open NUMBER
VARIABLE olm_held VARCHAR2(1000)
VARIABLE olm_counters CLOB
VARIABLE olm_window CLOB
VARIABLE olm_screen CLOB
