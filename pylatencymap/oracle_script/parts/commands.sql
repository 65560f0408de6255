-- Text of the commands to come. A SELECT of SQL*Plus ends at a blank line unless that is allowed, which decides about the
-- EXIT at the end. If something is missing, the maps neither wait nor draw: olm_skip lets the block be a comment.
SET TERMOUT OFF
COLUMN olm_seconds NEW_VALUE olm_seconds
COLUMN olm_pause NEW_VALUE olm_pause
COLUMN olm_goes_on NEW_VALUE olm_goes_on
COLUMN olm_again NEW_VALUE olm_again
COLUMN olm_skip NEW_VALUE olm_skip
COLUMN olm_advises NEW_VALUE olm_advises
COLUMN olm_draws NEW_VALUE olm_draws
SELECT :olm_seconds AS olm_seconds, CASE :olm_mode WHEN 'stream' THEN 'OFF' ELSE 'ON' END AS olm_goes_on,
  :olm_seconds || ' "' || :olm_event || '" ' || :olm_rows || ' ' || :olm_columns AS olm_again,
  CASE :olm_ready WHEN 1 THEN '&olm_sleep(' || :olm_seconds || ')' ELSE 'NULL' END AS olm_pause,
  CASE :olm_ready WHEN 1 THEN '--' END AS olm_skip,
  CASE :olm_ready WHEN 1 THEN 'OFF' ELSE 'ON' END AS olm_advises,
  CASE :olm_ready WHEN 1 THEN 'ON' ELSE 'OFF' END AS olm_draws
FROM dual;
SET TERMOUT &olm_advises
PROMPT Nothing can be drawn: see the error above, and the privileges that the head of this script names.
SET TERMOUT &olm_draws
