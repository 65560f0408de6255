-- The arguments. The maps say which are bad, and take what there would be without the argument.
DECLARE
  seconds_given VARCHAR2(250) := SUBSTR(:olm_first, 2);
  event_given VARCHAR2(250) := SUBSTR(:olm_second, 2);
  third_given VARCHAR2(250) := SUBSTR(:olm_third, 2);
  fourth_given VARCHAR2(250) := SUBSTR(:olm_fourth, 2);
  held_back VARCHAR2(250);

  -- A terminal takes control characters for commands. Names of events are of ASCII.
  FUNCTION printable(given VARCHAR2) RETURN VARCHAR2 IS
    sign VARCHAR2(4);
    shown VARCHAR2(250);
  BEGIN
    FOR place IN 1 .. NVL(LENGTH(given), 0) LOOP
      sign := SUBSTR(given, place, 1);
      shown := shown || CASE WHEN ASCII(sign) BETWEEN 32 AND 126 THEN sign ELSE '?' END;
    END LOOP;
    RETURN shown;
  END printable;

  FUNCTION is_seconds(given VARCHAR2) RETURN BOOLEAN IS
  BEGIN
    RETURN LTRIM(given, '.0123456789') IS NULL AND LTRIM(given, '.0') IS NOT NULL AND NVL(INSTR(given, '.', 1, 2), 0) = 0;
  END is_seconds;

  PROCEDURE complain(reason VARCHAR2) IS
  BEGIN
    :olm_notice := SUBSTR(:olm_notice || reason || '. ', 1, 1000);
  END complain;

  -- A whole number between limits; what is wrong with it is told.
  FUNCTION whole_number(given VARCHAR2, named VARCHAR2, usual NUMBER, least_one NUMBER, most NUMBER) RETURN NUMBER IS
  BEGIN
    IF given IS NULL THEN
      RETURN usual;
    ELSIF LTRIM(given, '0123456789') IS NOT NULL OR LENGTH(given) > 9 THEN
      complain('the number of ' || named || ' is a whole number, not ' || given);
      RETURN usual;
    ELSIF TO_NUMBER(given) NOT BETWEEN least_one AND most THEN
      complain('the number of ' || named || ' is from ' || TO_CHAR(least_one) || ' to ' || TO_CHAR(most));
    END IF;
    RETURN LEAST(GREATEST(TO_NUMBER(given), least_one), most);
  END whole_number;

BEGIN
  seconds_given := printable(seconds_given);
  event_given := SUBSTR(printable(event_given), 1, 200);
  third_given := printable(third_given);
  fourth_given := printable(fourth_given);
  :olm_notice := NULL;
  :olm_sampled := NULL;
  :olm_spans := NULL;
  :olm_open := NULL;
  :olm_held := NULL;
  :olm_compared := NULL;
  :olm_counters := NULL;
  :olm_window := NULL;
  :olm_ready := NULL;
  :olm_mode := CASE WHEN LOWER(seconds_given) = 'stream' THEN 'stream' ELSE 'draw' END;
  IF :olm_mode = 'stream' THEN
    seconds_given := event_given;
    event_given := third_given;
  ELSE
    IF NOT is_seconds(NVL(seconds_given, '1')) AND is_seconds(NVL(event_given, '1')) THEN
      held_back := seconds_given;
      seconds_given := event_given;
      event_given := held_back;
    END IF;
    :olm_rows := whole_number(third_given, 'buckets', 12, 2, 40);
    :olm_columns := whole_number(fourth_given, 'columns', 90, 20, 200);
  END IF;

  :olm_seconds := NVL(SUBSTR(seconds_given, 1, 40), '{{seconds}}');
  IF NOT is_seconds(:olm_seconds) THEN
    complain('the interval is a number of seconds, such as {{seconds}}, not ' || :olm_seconds);
    :olm_seconds := '{{seconds}}';
  END IF;

  :olm_event := LOWER(REPLACE(NVL(event_given, 'db file sequential read'), '_', ' '));
  IF NVL(:olm_taken, 'none') <> '=a b' THEN
    complain('this SQL*Plus cannot read arguments with a single quote in them');
  END IF;
END;
/

-- Exact sums of the time waited are in GV$SYSTEM_EVENT, if this user may read it. It lacks columns that the last argument
-- can name: without an argument, or with one instance, it is read; otherwise there are no sums.
SET TERMOUT OFF
DEFINE olm_sums = "(SELECT h.*, 0 AS total_waits, 0 AS time_waited_micro FROM &olm_view h WHERE 1 = 2)"
DEFINE olm_only = " "
COLUMN olm_sums NEW_VALUE olm_sums
COLUMN olm_only NEW_VALUE olm_only
SELECT 'gv$system_event' AS olm_sums,
  CASE WHEN narrowed <> '=' THEN 'and inst_id = ' || SUBSTR(narrowed, 13) END AS olm_only
FROM (SELECT LOWER(REPLACE(:olm_fifth, ' ', '')) AS narrowed FROM all_views
  WHERE owner = 'SYS' AND view_name = 'GV_$SYSTEM_EVENT')
WHERE narrowed = '='
  OR (narrowed LIKE '=andinst_id=_%' AND NVL(LENGTH(LTRIM(SUBSTR(narrowed, 13), '0123456789')), 0) = 0);
SET TERMOUT ON
