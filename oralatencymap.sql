-- oralatencymap.sql: latency of Oracle wait events over time, for SQL*Plus

--   @oralatencymap [seconds] ["event"] [buckets] [columns] ["and inst_id=1"]

-- draws two heat maps on one clock: how many waits per second there were in each latency bucket, and how much time was
-- waited in it. A column is what happened in so many seconds (3 unless given). The event is "db file sequential
-- read" unless given; upper or lower case, and underscores for blanks, do not matter. There are at most so many rows of
-- latency in each map (12), and so many columns (90). The last argument narrows the query; without it all instances
-- are added up. Arguments that are left out, or empty (""), have these values. Event and seconds may be exchanged.
-- It draws for one hour at 3 seconds; Ctrl-C stops it. The terminal must know 256 colours, and be 23
-- characters wider than the map.

-- The last argument is SQL: who can choose it can run what this session may. The others are data, whatever is in them,
-- with SQL*Plus 12.2 and later, by its documentation. Earlier ones can only put them into the text of a block: a program
-- that passes on names from elsewhere has to refuse single quotes there. Control characters are shown as "?".

--   @oralatencymap stream [seconds] ["event"]

-- prints the record stream of pylatencymap instead: the cumulative wait counts of one event, per bucket and instance,
-- at once and then every so many seconds. To draw it on the spot:

--   sqlplus -S user@db @oralatencymap stream 3 "log file sync" | pylatencymap

-- To keep it, end the line with `> file` instead, and draw it later with `pylatencymap replay file`.

-- It takes 1200 samples after the first one, which is one hour at 3 seconds. The stream then EXITs.
-- It also EXITs, and rolls back, after an error of the database. The maps never do: after an error or Ctrl-C the session
-- and its open work are still there. At their end they set what they changed to the defaults of SQL*Plus, not to settings
-- of your own; after Ctrl-C nothing is set back.

-- Needs TIMED_STATISTICS = TRUE, and these privileges:
--   CREATE SESSION
--   READ on SYS.GV_$EVENT_HISTOGRAM_MICRO, before 12.1.0.2 SELECT on SYS.GV_$EVENT_HISTOGRAM
--   before 18c: EXECUTE on SYS.DBMS_LOCK
--   READ on SYS.GV_$SYSTEM_EVENT, if the averages and the time waited are to be exact
-- No licence of the Diagnostics Pack: no DBA_HIST view is read. Before 12.1.0.2 buckets are of milliseconds.

-- Tested on an emulation of SQL*Plus, PL/SQL and the view, made from their documentation. It was never run on Oracle
-- Database. If it fails there, please report it. SQLcl is not proven at all. The script relies on three things that may
-- differ there: with COLUMN and NEW_VALUE, a query without rows makes an empty variable; a blank line ends a statement while
-- SQLBLANKLINES is OFF (or the stream never EXITs); EXEC and PRINT leave the buffer as it is.

-- This file is made by `oralatencymap --print-sql`; `--hours 8` makes a longer one.

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

  :olm_seconds := NVL(SUBSTR(seconds_given, 1, 40), '3');
  IF NOT is_seconds(:olm_seconds) THEN
    complain('the interval is a number of seconds, such as 3, not ' || :olm_seconds);
    :olm_seconds := '3';
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

-- An error ends the stream, but never a session at the prompt: Ctrl-C is an error, too.
SET TERMOUT OFF
COLUMN olm_on_error NEW_VALUE olm_on_error
SELECT CASE :olm_mode WHEN 'stream' THEN 'EXIT FAILURE ROLLBACK' ELSE 'CONTINUE' END AS olm_on_error FROM dual;
SET TERMOUT ON
WHENEVER SQLERROR &olm_on_error

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

-- One sample: as records, or as one more column of the maps.
DECLARE
  &olm_skip BEGIN /*
  TYPE numbers IS TABLE OF NUMBER INDEX BY PLS_INTEGER;
  TYPE texts IS TABLE OF VARCHAR2(400) INDEX BY PLS_INTEGER;

  -- Bucket k is [2^(k-1), 2^k), bucket 0 is [0, 1), of microseconds or, before 12.1, milliseconds. What lies beyond the
  -- last power of two has a bucket of its own. One array holds a number per instance or column, and bucket or row.
  beyond CONSTANT PLS_INTEGER := 65;
  per_column CONSTANT PLS_INTEGER := 100;

  -- What stands beside the buckets of an instance or a column: waits and microseconds as GV$SYSTEM_EVENT sums them, and
  -- the microseconds that no column has yet, because its waits do not allow them.
  total_waits CONSTANT PLS_INTEGER := 97;
  micros_waited CONSTANT PLS_INTEGER := 98;
  micros_owed CONSTANT PLS_INTEGER := 99;
  unit CONSTANT NUMBER := CASE '&olm_bound' WHEN 'wait_time_micro' THEN 1 ELSE 1000 END;
  least_overflow CONSTANT NUMBER := CASE unit WHEN 1 THEN 4294967295 ELSE 4194304 END;
  micro CONSTANT NUMBER := 1000000;
  scaled CONSTANT NUMBER := 1000000000;
  tolerance CONSTANT NUMBER := 1.000000001;

  -- Steps of a colour scale, a column that goes beyond, and the values that a smaller scale must have held for.
  top_step CONSTANT PLS_INTEGER := 7;
  gap_style CONSTANT PLS_INTEGER := 20;
  restart_style CONSTANT PLS_INTEGER := 21;
  beyond_scale CONSTANT NUMBER := 1.25;
  hold_columns CONSTANT PLS_INTEGER := 10;
  recent_items CONSTANT PLS_INTEGER := 9;
  spike_factor CONSTANT PLS_INTEGER := 10;
  longest_window CONSTANT PLS_INTEGER := 31000;

  -- Colours of the palette of 256, three characters a step, from little to much.
  cool CONSTANT VARCHAR2(21) := ' 18 20 26 32 38 80 87';
  warm CONSTANT VARCHAR2(21) := ' 52 88124166208214221';
  cool_text CONSTANT VARCHAR2(12) := '38;5;80';
  warm_text CONSTANT VARCHAR2(12) := '38;5;214';
  strong CONSTANT VARCHAR2(12) := '1';
  dim CONSTANT VARCHAR2(12) := '38;5;245';
  frame_ink CONSTANT VARCHAR2(12) := '38;5;240';
  hatch_ink CONSTANT VARCHAR2(12) := '38;5;239';
  gap_ink CONSTANT VARCHAR2(12) := '38;5;136';
  mark_ink CONSTANT VARCHAR2(12) := '38;5;176';
  total_ink CONSTANT VARCHAR2(12) := '38;5;242';
  clip_ink CONSTANT VARCHAR2(24) := '1;38;5;16;48;5;231';
  chip_ink CONSTANT VARCHAR2(24) := '1;38;5;16;48;5;114';
  esc CONSTANT VARCHAR2(2) := CHR(27) || '[';

  sampled TIMESTAMP(6) WITH TIME ZONE := SYSTIMESTAMP;
  sampled_micros NUMBER;
  zone_micros NUMBER;
  powers numbers;
  means numbers;

  -- The window: columns 1 to newest, oldest first. A flag is R for a restart, G for one that nothing was counted of, and
  -- g for the rest of the latter.
  newest PLS_INTEGER := 0;
  new_columns PLS_INTEGER := 0;
  spans numbers;
  pieces numbers;
  flags texts;
  tallies numbers;
  all_counts numbers;
  bucket_events numbers;
  bucket_waited numbers;
  cell_waited numbers;
  column_waited numbers;
  is_estimated BOOLEAN := FALSE;
  all_events NUMBER := 0;
  all_waited NUMBER := 0;

  -- The rows of the maps, lowest first, and the rates in them.
  first_bucket PLS_INTEGER := 0;
  last_bucket PLS_INTEGER := 1;
  low_row PLS_INTEGER;
  high_row PLS_INTEGER;
  row_count PLS_INTEGER := 0;
  bucket_count PLS_INTEGER;
  are_alike BOOLEAN;
  has_open BOOLEAN := FALSE;
  labels texts;
  signs texts;
  events numbers;
  waited numbers;
  held numbers;
  limits numbers;

  -- What is to be printed; the line that is being written, how wide it is, and its colours so far.
  screen CLOB;
  line VARCHAR2(32767);
  line_width PLS_INTEGER := 0;
  line_ink VARCHAR2(24);

  -- Bounds below 0 are what GV$SYSTEM_EVENT has: minus the place beside the buckets.
  CURSOR counters IS
    SELECT inst_id, event, &olm_bound AS bound, SUM(wait_count) AS waits
    FROM &olm_view
    WHERE LOWER(REPLACE(event, '_', ' ')) = :olm_event &5
    GROUP BY inst_id, event, &olm_bound
    UNION ALL
    SELECT inst_id, event, -97 AS bound, SUM(total_waits) AS waits
    FROM &olm_sums
    WHERE LOWER(REPLACE(event, '_', ' ')) = :olm_event &olm_only
    GROUP BY inst_id, event
    UNION ALL
    SELECT inst_id, event, -98 AS bound, SUM(time_waited_micro) AS waits
    FROM &olm_sums
    WHERE LOWER(REPLACE(event, '_', ' ')) = :olm_event &olm_only
    GROUP BY inst_id, event
    ORDER BY 1, 2, 3;

  -- Microseconds since 1970; day 2440588 of the Julian calendar is 1970-01-01.
  FUNCTION epoch_micros(moment TIMESTAMP) RETURN NUMBER IS
  BEGIN
    RETURN (TO_NUMBER(TO_CHAR(moment, 'J')) - 2440588) * 86400 * micro
      + TO_NUMBER(TO_CHAR(moment, 'SSSSS')) * micro
      + TO_NUMBER(TO_CHAR(moment, 'FF6'));
  END epoch_micros;

  PROCEDURE write_line(whole VARCHAR2) IS
  BEGIN
    screen := screen || whole || CHR(10);
  END write_line;

  -- The part of a text from a place up to a mark; the place moves behind the mark.
  FUNCTION next_part(whole VARCHAR2, place IN OUT PLS_INTEGER, mark VARCHAR2) RETURN VARCHAR2 IS
    stop PLS_INTEGER := INSTR(whole, mark, place);
    part VARCHAR2(32767) := SUBSTR(whole, place, stop - place);
  BEGIN
    place := stop + 1;
    RETURN part;
  END next_part;

  FUNCTION number_at(list numbers, place PLS_INTEGER) RETURN NUMBER IS
  BEGIN
    IF list.EXISTS(place) THEN
      RETURN list(place);
    END IF;
    RETURN 0;
  END number_at;

  FUNCTION nth_largest(list numbers, wanted PLS_INTEGER) RETURN NUMBER IS
    remaining numbers := list;
    place PLS_INTEGER;
    largest PLS_INTEGER;
  BEGIN
    FOR turn IN 1 .. wanted LOOP
      IF largest IS NOT NULL THEN
        remaining.DELETE(largest);
      END IF;
      largest := remaining.FIRST;
      place := largest;
      WHILE place IS NOT NULL LOOP
        IF remaining(place) > remaining(largest) THEN
          largest := place;
        END IF;
        place := remaining.NEXT(place);
      END LOOP;
    END LOOP;
    RETURN remaining(largest);
  END nth_largest;

  -- A list of recent numbers as text, newest first, with one more.
  FUNCTION with_recent(list VARCHAR2, item NUMBER) RETURN VARCHAR2 IS
    longer VARCHAR2(400) := TO_CHAR(item) || ',' || list;
    stop PLS_INTEGER := INSTR(longer, ',', 1, recent_items);
  BEGIN
    RETURN CASE WHEN stop > 0 THEN SUBSTR(longer, 1, stop) ELSE longer END;
  END with_recent;

  -- The median of such a list; of two middle ones the smaller. Where that is 0, the largest.
  FUNCTION usual_of(list VARCHAR2) RETURN NUMBER IS
    items numbers;
    place PLS_INTEGER := 1;
    median NUMBER;
  BEGIN
    WHILE place <= LENGTH(list) LOOP
      items(items.COUNT + 1) := TO_NUMBER(next_part(list, place, ','));
    END LOOP;
    IF items.COUNT = 0 THEN
      RETURN 0;
    END IF;
    median := nth_largest(items, items.COUNT - TRUNC((items.COUNT - 1) / 2));
    RETURN CASE WHEN median = 0 THEN nth_largest(items, 1) ELSE median END;
  END usual_of;

  -- The bucket that a bound of the view names. What is no power of two and large is the overflow row: it begins at the
  -- next lower power of two.
  FUNCTION bucket_of(upper_bound NUMBER) RETURN PLS_INTEGER IS
    k PLS_INTEGER := 0;
  BEGIN
    WHILE powers(k) < upper_bound AND k < beyond - 1 LOOP
      k := k + 1;
    END LOOP;
    IF powers(k) = upper_bound OR upper_bound < least_overflow THEN
      RETURN k;
    END IF;
    :olm_open := k - 1;
    RETURN beyond;
  END bucket_of;

  FUNCTION lower_micros(bucket PLS_INTEGER) RETURN NUMBER IS
  BEGIN
    RETURN CASE bucket WHEN beyond THEN powers(:olm_open) WHEN 0 THEN 0 ELSE powers(bucket - 1) END * unit;
  END lower_micros;

  -- The bucket that holds the next longer waits.
  FUNCTION bucket_above(bucket PLS_INTEGER) RETURN PLS_INTEGER IS
  BEGIN
    RETURN CASE bucket WHEN :olm_open THEN beyond ELSE bucket + 1 END;
  END bucket_above;

  -- The mean latency of the waits of a bucket, in microseconds, if the logarithm of their density rises so along it.
  FUNCTION mean_of_turn(bucket PLS_INTEGER, turn NUMBER) RETURN NUMBER IS
    FUNCTION grown(turns NUMBER) RETURN NUMBER IS
    BEGIN
      IF ABS(turns) < 0.000001 THEN
        RETURN 1;
      END IF;
      RETURN (EXP(turns) - 1) / turns;
    END grown;

  BEGIN
    RETURN lower_micros(bucket) * grown(turn + LN(2)) / grown(turn);
  END mean_of_turn;

  -- Powers of two; and what a wait of each bucket counts for in time until there is a window: the middle.
  PROCEDURE fill_powers IS
  BEGIN
    powers(0) := 1;
    FOR k IN 1 .. beyond LOOP
      powers(k) := powers(k - 1) * 2;
    END LOOP;
    FOR bucket IN 0 .. beyond - 1 LOOP
      means(bucket) := (lower_micros(bucket) + powers(bucket) * unit) / 2;
    END LOOP;
  END fill_powers;

  ---------------------------------------------------------------- sums of time waited

  FUNCTION agree(total NUMBER, counted NUMBER, besides NUMBER) RETURN BOOLEAN IS
  BEGIN
    RETURN ABS(total - counted) <= 20 + counted / 1000 + besides;
  END agree;

  -- Whether GV$SYSTEM_EVENT counts the waits of an instance that the histogram counts: the views are not read at one
  -- moment, and from a container one of them can be of the whole instance. They have to agree since start-up, and since
  -- they were first compared, give or take the most that the histogram counted in one interval.
  FUNCTION belong_together(instance NUMBER, total NUMBER, counted NUMBER) RETURN BOOLEAN IS
    known VARCHAR2(32767) := '/' || :olm_compared;
    mark VARCHAR2(50) := '/' || TO_CHAR(instance) || ':';
    place PLS_INTEGER := INSTR(known, mark);
    here PLS_INTEGER := place + LENGTH(mark);
    first_total NUMBER := total;
    first_counted NUMBER := counted;
    last_total NUMBER;
    last_counted NUMBER;
    widest NUMBER := 0;
  BEGIN
    IF place > 0 THEN
      first_total := TO_NUMBER(next_part(known, here, ':'));
      first_counted := TO_NUMBER(next_part(known, here, ':'));
      last_total := TO_NUMBER(next_part(known, here, ':'));
      last_counted := TO_NUMBER(next_part(known, here, ':'));
      widest := TO_NUMBER(next_part(known, here, '/'));
      known := SUBSTR(known, 1, place) || SUBSTR(known, here);
      IF total < last_total OR counted < last_counted THEN
        first_total := total;
        first_counted := counted;
        widest := 0;
      ELSE
        widest := GREATEST(widest, counted - last_counted);
      END IF;
    END IF;
    :olm_compared := SUBSTR(known, 2) || SUBSTR(mark, 2) || TO_CHAR(first_total) || ':' || TO_CHAR(first_counted) || ':'
      || TO_CHAR(total) || ':' || TO_CHAR(counted) || ':' || TO_CHAR(widest) || '/';
    RETURN agree(total, counted, 0) AND agree(total - first_total, counted - first_counted, widest);
  END belong_together;

  -- The same, of the counters of an instance; false where no sum is known.
  FUNCTION has_sum(counters_now numbers, instance PLS_INTEGER) RETURN BOOLEAN IS
    base PLS_INTEGER := instance * per_column;
    counted NUMBER := 0;
  BEGIN
    IF NOT counters_now.EXISTS(base + total_waits) THEN
      RETURN FALSE;
    END IF;
    FOR bucket IN 0 .. beyond LOOP
      counted := counted + number_at(counters_now, base + bucket);
    END LOOP;
    RETURN belong_together(instance, counters_now(base + total_waits), counted);
  END has_sum;

  -- The sum that is nearest to a wanted one and possible for these waits, in microseconds.
  FUNCTION possible_micros(waits numbers, wanted NUMBER) RETURN NUMBER IS
    least_micros NUMBER := 0;
    most_micros NUMBER := 0;
  BEGIN
    FOR bucket IN 0 .. beyond LOOP
      IF number_at(waits, bucket) > 0 THEN
        least_micros := least_micros + waits(bucket) * lower_micros(bucket);
        most_micros := CASE WHEN bucket < beyond THEN most_micros + waits(bucket) * powers(bucket) * unit END;
      END IF;
    END LOOP;
    RETURN LEAST(GREATEST(wanted, least_micros), NVL(most_micros, GREATEST(wanted, least_micros)));
  END possible_micros;

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

  -- ``time`` in the line that begins with #lmap is the exact sum.
  PROCEDURE begin_record(label VARCHAR2, micros NUMBER) IS
  BEGIN
    IF micros IS NOT NULL THEN
      write_line('#lmap {"v": 1, "time": ' || TO_CHAR(TRUNC(micros / micro)) || '.'
        || LPAD(TO_CHAR(MOD(micros, micro)), 6, '0') || '}');
    END IF;
    write_line('<begin record>');
    write_line('timestamp,microsec,' || TO_CHAR(sampled_micros) || ','
      || TO_CHAR(SYS_EXTRACT_UTC(sampled), 'YYYY-MM-DD HH24:MI:SS') || ' +00:00');
    write_line('label,' || label);
    write_line('latencyunit,' || CASE unit WHEN 1 THEN 'microsec' ELSE 'millisec' END);
    write_line('datasource,oracle');
  END begin_record;

  -- One record per instance. The label's part before "latency data" is the name of the series. Containers are summed.
  -- The overflow row keeps its own label. Sums that are of other waits are left out.
  PROCEDURE print_records IS
    last_label VARCHAR2(200);
    rows_text VARCHAR2(32767);
    last_instance NUMBER;
    counted NUMBER;
    waited NUMBER;
    sums numbers;

    PROCEDURE end_record IS
    BEGIN
      IF rows_text IS NOT NULL THEN
        waited := NULL;
        IF sums.EXISTS(micros_waited) THEN
          IF belong_together(last_instance, number_at(sums, total_waits), counted) THEN
            waited := sums(micros_waited);
          END IF;
        END IF;
        begin_record(last_label, waited);
        screen := screen || rows_text;
        write_line('<end record>');
      END IF;
      rows_text := NULL;
      counted := 0;
      sums.DELETE;
    END end_record;

  BEGIN
    FOR bucket IN counters LOOP
      IF last_label IS NULL OR last_label <> label_of(bucket.event, bucket.inst_id) THEN
        end_record;
        last_label := label_of(bucket.event, bucket.inst_id);
        last_instance := bucket.inst_id;
      END IF;
      IF bucket.bound < 0 THEN
        sums(-bucket.bound) := bucket.waits;
      ELSE
        rows_text := rows_text || TO_CHAR(bucket.bound) || ',' || TO_CHAR(bucket.waits) || CHR(10);
        counted := counted + bucket.waits;
      END IF;
    END LOOP;
    end_record;
  END print_records;

  ---------------------------------------------------------------- the window

  -- Append a column to the window: its waits by bucket, and its microseconds waited if they are known. One that took
  -- several times the usual interval is as many columns wide.
  PROCEDURE add_column(span NUMBER, flag VARCHAR2, waits numbers, micros NUMBER) IS
    all_columns VARCHAR2(32767) := :olm_window;
    tally_list VARCHAR2(4000);
    parts PLS_INTEGER;
    surplus PLS_INTEGER;
  BEGIN
    FOR bucket IN 0 .. beyond LOOP
      IF waits.EXISTS(bucket) THEN
        tally_list := tally_list || LPAD(TO_CHAR(bucket), 2) || TO_CHAR(waits(bucket)) || ',';
      END IF;
    END LOOP;
    IF micros IS NOT NULL THEN
      tally_list := tally_list || TO_CHAR(micros_waited) || TO_CHAR(micros) || ',';
    END IF;
    :olm_spans := with_recent(:olm_spans, span);
    parts := LEAST(GREATEST(ROUND(span / usual_of(:olm_spans)), 1), :olm_columns);
    surplus := NVL(LENGTH(all_columns) - NVL(LENGTH(REPLACE(all_columns, ';')), 0), 0) + parts - :olm_columns;
    WHILE surplus > 0 OR LENGTH(all_columns) > longest_window LOOP
      all_columns := SUBSTR(all_columns, INSTR(all_columns, ';') + 1);
      surplus := surplus - 1;
    END LOOP;
    FOR part IN 1 .. parts LOOP
      all_columns := all_columns || TO_CHAR(span) || ':' || TO_CHAR(parts) || ':'
        || CASE WHEN part = 1 THEN flag WHEN flag = 'G' THEN 'g' END || ':' || tally_list || ';';
    END LOOP;
    :olm_window := all_columns;
    new_columns := parts;
  END add_column;

  -- One column: two characters of bucket, and its waits, as often as there are any; micros_waited is the sum.
  PROCEDURE read_column(column_text VARCHAR2) IS
    here PLS_INTEGER := 1;
    stop PLS_INTEGER;
    bucket PLS_INTEGER;
    tally NUMBER;
    rate NUMBER;

    PROCEDURE add_to_all IS
    BEGIN
      all_events := all_events + rate;
      IF bucket_events.EXISTS(bucket) THEN
        bucket_events(bucket) := bucket_events(bucket) + rate;
        all_counts(bucket) := all_counts(bucket) + tally / pieces(newest);
      ELSE
        bucket_events(bucket) := rate;
        all_counts(bucket) := tally / pieces(newest);
      END IF;
    END add_to_all;

  BEGIN
    WHILE here < LENGTH(column_text) LOOP
      stop := INSTR(column_text, ',', here);
      bucket := TO_NUMBER(SUBSTR(column_text, here, 2));
      tally := TO_NUMBER(SUBSTR(column_text, here + 2, stop - here - 2));
      here := stop + 1;
      tallies(newest * per_column + bucket) := tally;
      rate := tally * micro / spans(newest);
      IF bucket <> micros_waited THEN
        add_to_all;
      END IF;
    END LOOP;
    is_estimated := is_estimated OR NOT tallies.EXISTS(newest * per_column + micros_waited);
  END read_column;

  -- What a wait of each bucket counts for in time: the mean, by the slope of the waits from one neighbour to the other.
  PROCEDURE fill_means IS
    bucket PLS_INTEGER := all_counts.FIRST;
    turn NUMBER;

    FUNCTION filled(beside PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      IF all_counts.EXISTS(beside) THEN
        RETURN GREATEST(all_counts(beside), 0.000001);
      END IF;
      RETURN 0.5;
    END filled;

  BEGIN
    WHILE bucket IS NOT NULL LOOP
      IF bucket > 0 AND bucket < beyond THEN
        turn := (LN(filled(bucket_above(bucket))) - LN(filled(bucket - 1))) / 2;
        turn := GREATEST(LEAST(turn, 4), -4);
        means(bucket) := mean_of_turn(bucket, turn);
      END IF;
      bucket := all_counts.NEXT(bucket);
    END LOOP;
  END fill_means;

  -- What was waited in each bucket of a column, in microseconds: each wait counts as the mean of its bucket. If the sum is
  -- known, each bucket moves towards its upper or lower bound by the same part, so that all of them add up to it.
  PROCEDURE fill_waited(col PLS_INTEGER) IS
    base PLS_INTEGER := col * per_column;
    spot PLS_INTEGER := tallies.NEXT(base - 1);
    found NUMBER := 0;
    missing NUMBER := 0;
    whole_room NUMBER := 0;
    reached NUMBER := 0;

    -- How far a bucket can move.
    FUNCTION room_of(bucket PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      RETURN tallies(base + bucket) * GREATEST(CASE
        WHEN missing < 0 THEN means(bucket) - lower_micros(bucket)
        WHEN bucket = beyond THEN 0
        ELSE powers(bucket) * unit - means(bucket)
      END, 0);
    END room_of;

  BEGIN
    WHILE spot <= base + beyond LOOP
      cell_waited(spot) := tallies(spot) * means(spot - base);
      found := found + cell_waited(spot);
      spot := tallies.NEXT(spot);
    END LOOP;
    IF tallies.EXISTS(base + micros_waited) THEN
      missing := tallies(base + micros_waited) - found;
      spot := tallies.NEXT(base - 1);
      WHILE spot <= base + beyond LOOP
        whole_room := whole_room + room_of(spot - base);
        spot := tallies.NEXT(spot);
      END LOOP;
      spot := tallies.NEXT(base - 1);
      WHILE spot <= base + beyond LOOP
        IF whole_room > 0 THEN
          cell_waited(spot) := cell_waited(spot)
            + room_of(spot - base) * GREATEST(LEAST(missing / whole_room, 1), -1);
        END IF;
        reached := reached + cell_waited(spot);
        spot := tallies.NEXT(spot);
      END LOOP;
    END IF;
    column_waited(col) := 0;
    spot := tallies.NEXT(base - 1);
    WHILE spot <= base + beyond LOOP
      IF reached > 0 THEN
        cell_waited(spot) := cell_waited(spot) * tallies(base + micros_waited) / reached;
      END IF;
      column_waited(col) := column_waited(col) + cell_waited(spot);
      bucket_waited(spot - base) := number_at(bucket_waited, spot - base) + cell_waited(spot) * micro / spans(col);
      spot := tallies.NEXT(spot);
    END LOOP;
    all_waited := all_waited + column_waited(col) * micro / spans(col);
  END fill_waited;

  -- The window as numbers.
  PROCEDURE read_window IS
    all_columns VARCHAR2(32767) := :olm_window;
    place PLS_INTEGER := 1;
  BEGIN
    IF :olm_open IS NOT NULL THEN
      means(beyond) := lower_micros(beyond);
    END IF;
    WHILE place <= LENGTH(all_columns) LOOP
      newest := newest + 1;
      spans(newest) := TO_NUMBER(next_part(all_columns, place, ':'));
      pieces(newest) := TO_NUMBER(next_part(all_columns, place, ':'));
      flags(newest) := NVL(next_part(all_columns, place, ':'), '.');
      read_column(next_part(all_columns, place, ';'));
    END LOOP;
    fill_means;
    FOR col IN 1 .. newest LOOP
      fill_waited(col);
    END LOOP;
  END read_window;

  ---------------------------------------------------------------- sampling

  -- Take the counters; the difference to the last ones is a column. The first sample is only a start, as are the first
  -- counters of an instance. An instance without any row, as after a restart, is counted when it has some again, over
  -- the time since it had; while there are no rows at all the column waits as well.
  PROCEDURE take_sample IS
    instance PLS_INTEGER;
    spot PLS_INTEGER;
    span NUMBER := sampled_micros - :olm_sampled;
    old_counts numbers;
    new_counts numbers;
    gained numbers;
    present numbers;
    seen numbers;
    recent_rates texts;
    restarts PLS_INTEGER := 0;
    counted PLS_INTEGER := 0;
    micros_gained NUMBER := 0;
    is_known BOOLEAN;

    PROCEDURE read_instance(body_text VARCHAR2) IS
      here PLS_INTEGER := 1;
      bucket PLS_INTEGER;
    BEGIN
      WHILE here <= LENGTH(body_text) LOOP
        bucket := TO_NUMBER(next_part(body_text, here, '='));
        old_counts(instance * per_column + bucket) := TO_NUMBER(next_part(body_text, here, ';'));
      END LOOP;
    END read_instance;

    -- What counts_text wrote after the last sample.
    PROCEDURE read_last IS
      old_text VARCHAR2(32767) := :olm_counters;
      place PLS_INTEGER := 1;
    BEGIN
      WHILE place <= LENGTH(old_text) LOOP
        instance := TO_NUMBER(next_part(old_text, place, ':'));
        seen(instance) := TO_NUMBER(next_part(old_text, place, ':'));
        recent_rates(instance) := next_part(old_text, place, ':');
        read_instance(next_part(old_text, place, '/'));
      END LOOP;
    END read_last;

    PROCEDURE read_view IS
    BEGIN
      FOR bucket IN counters LOOP
        IF bucket.bound < 0 THEN
          new_counts(bucket.inst_id * per_column - bucket.bound) := bucket.waits;
        ELSE
          spot := bucket.inst_id * per_column + bucket_of(bucket.bound);
          new_counts(spot) := number_at(new_counts, spot) + bucket.waits;
          present(bucket.inst_id) := 1;
        END IF;
      END LOOP;
    END read_view;

    -- A counter that fell is a restart: all of them began again from 0. A bucket without a row keeps its last value.
    FUNCTION has_restarted RETURN BOOLEAN IS
    BEGIN
      FOR bucket IN 0 .. beyond LOOP
        spot := instance * per_column + bucket;
        IF new_counts.EXISTS(spot) AND new_counts(spot) < number_at(old_counts, spot) THEN
          RETURN TRUE;
        END IF;
      END LOOP;
      RETURN FALSE;
    END has_restarted;

    -- What an instance waited since the last sample, in microseconds. The sums may be a moment older or younger than the
    -- waits: what these do not allow is owed to the next column. Empty where no sums are known.
    FUNCTION micros_of(own numbers, restarted BOOLEAN) RETURN NUMBER IS
      base PLS_INTEGER := instance * per_column;
      wanted NUMBER;
      found NUMBER;
    BEGIN
      IF NOT is_known OR NOT new_counts.EXISTS(base + micros_waited) OR NOT old_counts.EXISTS(base + micros_waited) THEN
        RETURN NULL;
      END IF;
      wanted := new_counts(base + micros_waited);
      IF NOT restarted THEN
        wanted := wanted - old_counts(base + micros_waited) + number_at(old_counts, base + micros_owed);
      END IF;
      found := possible_micros(own, wanted);
      new_counts(base + micros_owed) := wanted - found;
      RETURN found;
    END micros_of;

    -- Add what an instance counted since the last sample. After a restart more than so many times the usual rate is not
    -- believed: it is a new start.
    PROCEDURE add_instance IS
      restarted BOOLEAN := has_restarted;
      own numbers;
      own_waits NUMBER := 0;
      own_rate NUMBER;
      own_span NUMBER := GREATEST(sampled_micros - seen(instance), span);
      usual NUMBER := usual_of(recent_rates(instance));
    BEGIN
      FOR bucket IN 0 .. beyond LOOP
        spot := instance * per_column + bucket;
        IF new_counts.EXISTS(spot) THEN
          own(bucket) := new_counts(spot) - CASE WHEN restarted THEN 0 ELSE number_at(old_counts, spot) END;
          own_waits := own_waits + own(bucket);
        ELSIF old_counts.EXISTS(spot) AND NOT restarted THEN
          new_counts(spot) := old_counts(spot);
        END IF;
      END LOOP;
      is_known := has_sum(new_counts, instance);
      own_rate := ROUND(own_waits * micro / own_span * micro);
      IF restarted THEN
        restarts := restarts + 1;
        IF usual > 0 AND own_rate > spike_factor * usual THEN
          RETURN;
        END IF;
      END IF;
      counted := counted + 1;
      micros_gained := micros_gained + ROUND(micros_of(own, restarted) * span / own_span);
      recent_rates(instance) := with_recent(recent_rates(instance), own_rate);
      FOR bucket IN 0 .. beyond LOOP
        IF number_at(own, bucket) > 0 THEN
          gained(bucket) := number_at(gained, bucket) + ROUND(own(bucket) * span / own_span);
        END IF;
      END LOOP;
    END add_instance;

    PROCEDURE add_instances IS
    BEGIN
      instance := present.FIRST;
      WHILE instance IS NOT NULL LOOP
        IF recent_rates.EXISTS(instance) THEN
          add_instance;
        ELSE
          is_known := has_sum(new_counts, instance);
          recent_rates(instance) := NULL;
        END IF;
        seen(instance) := sampled_micros;
        instance := present.NEXT(instance);
      END LOOP;
    END add_instances;

    -- Its time, its recent rates and its counters; the last ones where it has none now.
    FUNCTION counts_text RETURN VARCHAR2 IS
      counts VARCHAR2(32767);
    BEGIN
      FOR bucket IN 0 .. micros_owed LOOP
        spot := instance * per_column + bucket;
        IF NOT present.EXISTS(instance) AND old_counts.EXISTS(spot) THEN
          new_counts(spot) := old_counts(spot);
        END IF;
        IF new_counts.EXISTS(spot) THEN
          counts := counts || TO_CHAR(bucket) || '=' || TO_CHAR(new_counts(spot)) || ';';
        END IF;
      END LOOP;
      RETURN TO_CHAR(instance) || ':' || TO_CHAR(seen(instance)) || ':' || recent_rates(instance) || ':' || counts || '/';
    END counts_text;

    PROCEDURE keep_counters IS
      new_text VARCHAR2(32767);
    BEGIN
      instance := seen.FIRST;
      WHILE instance IS NOT NULL LOOP
        new_text := new_text || counts_text;
        instance := seen.NEXT(instance);
      END LOOP;
      :olm_counters := new_text;
    END keep_counters;

  BEGIN
    read_last;
    read_view;
    IF span <= 0 OR present.COUNT = 0 THEN
      :olm_sampled := LEAST(sampled_micros, :olm_sampled);
      RETURN;
    END IF;
    :olm_sampled := sampled_micros;
    add_instances;
    keep_counters;
    IF span > 0 THEN
      add_column(span, CASE WHEN restarts > 0 THEN CASE counted WHEN 0 THEN 'G' ELSE 'R' END END, gained, micros_gained);
    END IF;
  END take_sample;

  ---------------------------------------------------------------- numbers as text

  -- A number that was measured, always at three digits: 64.0, 1.00, 1049.
  FUNCTION measured_digits(amount NUMBER) RETURN VARCHAR2 IS
    decimals PLS_INTEGER := CASE WHEN ROUND(amount, 2) < 10 THEN 2 WHEN ROUND(amount, 1) < 100 THEN 1 ELSE 0 END;
    parts PLS_INTEGER := CASE decimals WHEN 2 THEN 100 WHEN 1 THEN 10 ELSE 1 END;
    whole NUMBER := ROUND(amount * parts);
  BEGIN
    IF decimals = 0 THEN
      RETURN TO_CHAR(whole);
    END IF;
    RETURN TO_CHAR(TRUNC(whole / parts)) || '.' || LPAD(TO_CHAR(MOD(whole, parts)), decimals, '0');
  END measured_digits;

  -- A number that is meant exactly: a whole one has no decimals.
  FUNCTION three_digits(amount NUMBER) RETURN VARCHAR2 IS
    digits VARCHAR2(60) := measured_digits(amount);
    point PLS_INTEGER := INSTR(digits, '.');
  BEGIN
    IF point > 0 AND LTRIM(SUBSTR(digits, point + 1), '0') IS NULL THEN
      RETURN SUBSTR(digits, 1, point - 1);
    END IF;
    RETURN digits;
  END three_digits;

  FUNCTION unit_of(micros NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      WHEN micros < 0.9995 THEN 'ns'
      WHEN micros < 999.5 THEN 'us'
      WHEN micros < 999500 THEN 'ms'
      WHEN micros < 86400 * micro THEN 's'
      ELSE 'd'
    END;
  END unit_of;

  FUNCTION in_unit(micros NUMBER) RETURN NUMBER IS
  BEGIN
    RETURN micros / CASE unit_of(micros)
      WHEN 'ns' THEN 0.001
      WHEN 'us' THEN 1
      WHEN 'ms' THEN 1000
      WHEN 's' THEN micro
      ELSE 86400 * micro
    END;
  END in_unit;

  -- Number and unit of a bound: 64 us, 1.02 ms.
  FUNCTION latency_text(micros NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN three_digits(in_unit(micros)) || ' ' || unit_of(micros);
  END latency_text;

  -- Of a latency that was measured: 64.0 us.
  FUNCTION measured_text(micros NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE WHEN micros > 0 THEN measured_digits(in_unit(micros)) || ' ' || unit_of(micros) ELSE '0 s' END;
  END measured_text;

  -- The label of an open row, in seven characters: > 16 ms.
  FUNCTION open_label(micros NUMBER) RETURN VARCHAR2 IS
    exact VARCHAR2(20) := latency_text(micros);
    digits VARCHAR2(20) := SUBSTR(exact, 1, INSTR(exact, ' ') - 1);
    point PLS_INTEGER := INSTR(digits, '.');
    parts PLS_INTEGER := CASE point WHEN 2 THEN 10 ELSE 1 END;
    places PLS_INTEGER := CASE point WHEN 2 THEN 100 WHEN 3 THEN 10 ELSE 1 END;
    whole NUMBER := ROUND(TO_NUMBER(REPLACE(digits, '.')) * parts / places);
    short VARCHAR2(20) := digits;
  BEGIN
    IF LENGTH(digits) >= 4 THEN
      short := CASE parts WHEN 10 THEN TO_CHAR(TRUNC(whole / 10)) || '.' || MOD(whole, 10) ELSE TO_CHAR(whole) END;
    END IF;
    short := short || SUBSTR(exact, INSTR(exact, ' '));
    RETURN CASE
      WHEN LENGTH(exact) <= 5 THEN '> ' || exact
      WHEN LENGTH(exact) <= 6 THEN '>' || exact
      WHEN LENGTH(short) <= 5 THEN '> ' || short
      ELSE '>' || short
    END;
  END open_label;

  -- What a large number is divided by, and the letter for it.
  FUNCTION thousands_of(amount NUMBER) RETURN NUMBER IS
  BEGIN
    RETURN CASE
      WHEN amount < 999.5 THEN 1
      WHEN amount < 999500 THEN 1000
      WHEN amount < 999500000 THEN micro
      WHEN amount < 999500000000 THEN 1000 * micro
      ELSE micro * micro
    END;
  END thousands_of;

  FUNCTION suffix_of(amount NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN RTRIM(SUBSTR(' kMGT', TRUNC(LENGTH(TO_CHAR(thousands_of(amount))) / 3) + 1, 1));
  END suffix_of;

  -- A rate or a count: 82, 1.00k; <1 for a little.
  FUNCTION count_text(amount NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      WHEN amount <= 0 THEN '.'
      WHEN amount < 0.95 THEN '<1'
      WHEN amount < 999.5 THEN TO_CHAR(ROUND(amount))
      ELSE measured_digits(amount / thousands_of(amount)) || suffix_of(amount)
    END;
  END count_text;

  -- The end of a scale of rates: 1k, 0.5.
  FUNCTION scale_text(maximum NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      WHEN maximum <= 0 THEN '0'
      WHEN maximum < 1 THEN RTRIM('0.' || LPAD(TO_CHAR(ROUND(maximum * scaled)), 9, '0'), '0')
      ELSE three_digits(maximum / thousands_of(maximum)) || suffix_of(maximum)
    END;
  END scale_text;

  FUNCTION share_text(part NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE WHEN part <= 0 THEN NULL WHEN part < 0.01 THEN '<1 %' ELSE TO_CHAR(ROUND(part * 100)) || ' %' END;
  END share_text;

  FUNCTION span_text(seconds NUMBER) RETURN VARCHAR2 IS
    whole NUMBER := ROUND(seconds);
    large PLS_INTEGER := CASE WHEN whole < 7200 THEN 60 ELSE 3600 END;
    small NUMBER := TRUNC(MOD(whole, large) / (large / 60));
  BEGIN
    IF seconds < 120 THEN
      RETURN CASE WHEN seconds < 10 THEN three_digits(seconds) ELSE TO_CHAR(whole) END || ' s';
    END IF;
    RETURN TO_CHAR(TRUNC(whole / large)) || CASE large WHEN 60 THEN ' min' ELSE ' h' END
      || CASE WHEN small > 0 THEN ' ' || TO_CHAR(small) || CASE large WHEN 60 THEN ' s' ELSE ' min' END END;
  END span_text;

  FUNCTION clock_text(seconds NUMBER, with_seconds BOOLEAN) RETURN VARCHAR2 IS
    day_seconds PLS_INTEGER := MOD(seconds, 86400);
  BEGIN
    RETURN LPAD(TO_CHAR(TRUNC(day_seconds / 3600)), 2, '0')
      || ':' || LPAD(TO_CHAR(TRUNC(MOD(day_seconds, 3600) / 60)), 2, '0')
      || CASE WHEN with_seconds THEN ':' || LPAD(TO_CHAR(MOD(day_seconds, 60)), 2, '0') END;
  END clock_text;

  ---------------------------------------------------------------- rows and colour scales

  -- A value that grows at once, and shrinks when a smaller one would have been enough for so many columns.
  FUNCTION held_value(which PLS_INTEGER, wanted NUMBER) RETURN NUMBER IS
    value_at PLS_INTEGER := which * 3 - 2;
    enough_at PLS_INTEGER := which * 3 - 1;
    columns_at PLS_INTEGER := which * 3;
  BEGIN
    IF NOT held.EXISTS(value_at) OR wanted >= held(value_at) THEN
      held(value_at) := wanted;
      held(enough_at) := 0;
      held(columns_at) := 0;
      RETURN wanted;
    END IF;
    held(enough_at) := CASE held(columns_at) WHEN 0 THEN wanted ELSE GREATEST(held(enough_at), wanted) END;
    held(columns_at) := held(columns_at) + new_columns;
    IF held(columns_at) >= hold_columns THEN
      held(value_at) := held(enough_at);
      held(columns_at) := 0;
    END IF;
    RETURN held(value_at);
  END held_value;

  PROCEDURE read_held IS
    place PLS_INTEGER := 1;
    part VARCHAR2(60);
    item PLS_INTEGER := 0;
  BEGIN
    WHILE place <= LENGTH(:olm_held) LOOP
      item := item + 1;
      part := next_part(:olm_held, place, ',');
      IF part IS NOT NULL THEN
        held(item) := TO_NUMBER(part) / scaled;
      END IF;
    END LOOP;
  END read_held;

  PROCEDURE save_held IS
    items VARCHAR2(1000);
  BEGIN
    FOR item IN 1 .. 12 LOOP
      items := items || CASE WHEN held.EXISTS(item) THEN TO_CHAR(ROUND(held(item) * scaled)) END || ',';
    END LOOP;
    :olm_held := items;
  END save_held;

  -- Rounded up to 1, 2 or 5 times a power of ten.
  FUNCTION nice_ceiling(amount NUMBER) RETURN NUMBER IS
    decade NUMBER := 1 / scaled;
  BEGIN
    IF amount <= 0 THEN
      RETURN 0;
    END IF;
    WHILE amount > 10 * decade * tolerance LOOP
      decade := decade * 10;
    END LOOP;
    RETURN decade * CASE
      WHEN amount <= decade * tolerance THEN 1
      WHEN amount <= 2 * decade * tolerance THEN 2
      WHEN amount <= 5 * decade * tolerance THEN 5
      ELSE 10
    END;
  END nice_ceiling;

  -- Where a colour scale ends, from the maxima of the columns that have any: one hot column in twenty must not bleach
  -- the rest, and is clipped if it is more than twice what the others need.
  FUNCTION scale_end(maxima numbers) RETURN NUMBER IS
    most NUMBER;
    follower NUMBER;
  BEGIN
    IF maxima.COUNT = 0 THEN
      RETURN 0;
    END IF;
    most := nth_largest(maxima, 1);
    follower := nth_largest(maxima, LEAST(CEIL(maxima.COUNT / 20) + 1, maxima.COUNT));
    RETURN nice_ceiling(CASE WHEN most <= 2 * follower THEN most ELSE follower END / beyond_scale);
  END scale_end;

  -- Steps are of square roots: step k ends at k * k parts of the maximum. More than the tolerance beyond it is clipped.
  PROCEDURE fill_limits(maximum NUMBER) IS
  BEGIN
    limits(0) := 0;
    FOR step IN 1 .. top_step - 1 LOOP
      limits(step) := maximum * step * step / (top_step * top_step) * tolerance;
    END LOOP;
    limits(top_step) := maximum * beyond_scale * tolerance;
  END fill_limits;

  -- The part of all waits, or of all time, that the bucket in a place has; the open row is above the last bucket.
  FUNCTION part_at(position PLS_INTEGER, is_time BOOLEAN) RETURN NUMBER IS
    bucket PLS_INTEGER := CASE WHEN has_open AND position = last_bucket THEN beyond ELSE position END;
  BEGIN
    IF NOT bucket_events.EXISTS(bucket) THEN
      RETURN 0;
    ELSIF is_time THEN
      RETURN CASE WHEN all_waited > 0 THEN bucket_waited(bucket) / all_waited ELSE 0 END;
    END IF;
    RETURN bucket_events(bucket) / all_events;
  END part_at;

  -- Both, whichever is more.
  FUNCTION weight_at(position PLS_INTEGER) RETURN NUMBER IS
  BEGIN
    RETURN GREATEST(part_at(position, FALSE), part_at(position, TRUE));
  END weight_at;

  -- Which buckets are shown: all that are in use now or were lately. The open row stands above the others, as if it were
  -- the next bucket.
  PROCEDURE choose_buckets IS
    used_low PLS_INTEGER;
    used_high PLS_INTEGER;
  BEGIN
    FOR bucket IN 0 .. beyond - 1 LOOP
      IF bucket_events.EXISTS(bucket) THEN
        used_low := NVL(used_low, bucket);
        used_high := bucket;
      END IF;
    END LOOP;
    has_open := bucket_events.EXISTS(beyond);
    IF has_open THEN
      used_high := GREATEST(:olm_open, NVL(used_high, 0));
      used_low := NVL(used_low, used_high);
    END IF;
    IF used_high IS NOT NULL THEN
      first_bucket := -held_value(3, -used_low);
      last_bucket := held_value(4, used_high);
    ELSIF held.EXISTS(7) THEN
      first_bucket := -held(7);
      last_bucket := held(10);
    END IF;
    IF has_open THEN
      last_bucket := used_high + 1;
    END IF;
  END choose_buckets;

  -- The part of all waits, or of all time, whose bucket is not seen if these become one row: all but the largest.
  FUNCTION hidden_in(from_position PLS_INTEGER, to_position PLS_INTEGER, is_time BOOLEAN) RETURN NUMBER IS
    total NUMBER := 0;
    largest NUMBER := 0;
  BEGIN
    FOR position IN from_position .. to_position LOOP
      total := total + part_at(position, is_time);
      largest := GREATEST(largest, part_at(position, is_time));
    END LOOP;
    RETURN total - largest;
  END hidden_in;

  -- The same of both edges.
  FUNCTION hidden_at_edges(is_time BOOLEAN) RETURN NUMBER IS
  BEGIN
    RETURN hidden_in(first_bucket, low_row, is_time) + hidden_in(high_row, last_bucket, is_time);
  END hidden_at_edges;

  -- The row that a bucket is in.
  FUNCTION row_at(position PLS_INTEGER) RETURN PLS_INTEGER IS
  BEGIN
    IF are_alike THEN
      RETURN CEIL((position - first_bucket + 1) * row_count / bucket_count);
    END IF;
    RETURN LEAST(GREATEST(position, low_row), high_row) - low_row + 1;
  END row_at;

  -- Where there are more buckets than wanted, those at the edges with the least waits and the least time become one row;
  -- if that would hide more than a hundredth, all merge with their neighbours, evenly.
  PROCEDURE merge_rows IS
    below NUMBER := weight_at(first_bucket);
    above NUMBER := weight_at(last_bucket);
    lowest PLS_INTEGER;
  BEGIN
    low_row := first_bucket;
    high_row := last_bucket;
    bucket_count := last_bucket - first_bucket + 1;
    WHILE high_row - low_row + 1 > :olm_rows LOOP
      IF below <= above THEN
        low_row := low_row + 1;
        below := below + weight_at(low_row);
      ELSE
        high_row := high_row - 1;
        above := above + weight_at(high_row);
      END IF;
    END LOOP;
    row_count := high_row - low_row + 1;
    are_alike := GREATEST(hidden_at_edges(FALSE), hidden_at_edges(TRUE)) > 0.01;
    FOR line_no IN 1 .. row_count LOOP
      signs(line_no) := NULL;
    END LOOP;
    FOR position IN first_bucket .. last_bucket LOOP
      signs(row_at(position)) := CASE WHEN signs(row_at(position)) IS NULL THEN ' ' ELSE '*' END;
      labels(row_at(position)) := latency_text(powers(position) * unit);
      lowest := CASE WHEN signs(row_at(position)) = ' ' THEN position ELSE lowest END;
    END LOOP;
    IF has_open OR (high_row < last_bucket AND NOT are_alike) THEN
      labels(row_count) := open_label(powers(lowest - 1) * unit);
      signs(row_count) := ' ';
    END IF;
  END merge_rows;

  -- The rates of all columns, by row. Empty cells have no element, except where rows were merged.
  PROCEDURE fill_rows IS
    bucket PLS_INTEGER;
    line_no PLS_INTEGER;
    spot PLS_INTEGER;
    rate NUMBER;
    waited_rate NUMBER;
  BEGIN
    FOR position IN first_bucket .. last_bucket LOOP
      bucket := CASE WHEN has_open AND position = last_bucket THEN beyond ELSE position END;
      line_no := row_at(position);
      FOR col IN 1 .. newest LOOP
        spot := col * per_column + bucket;
        IF tallies.EXISTS(spot) THEN
          rate := tallies(spot) * micro / spans(col);
          waited_rate := cell_waited(spot) * micro / spans(col);
          spot := col * per_column + line_no;
          IF events.EXISTS(spot) THEN
            events(spot) := events(spot) + rate;
            waited(spot) := waited(spot) + waited_rate;
          ELSE
            events(spot) := rate;
            waited(spot) := waited_rate;
          END IF;
        END IF;
      END LOOP;
    END LOOP;
  END fill_rows;

  ---------------------------------------------------------------- lines

  -- Text in colours; without, it has the terminal's own.
  PROCEDURE put(ink VARCHAR2, part VARCHAR2) IS
  BEGIN
    IF part IS NULL THEN
      RETURN;
    END IF;
    IF NVL(ink, '0') <> NVL(line_ink, '0') THEN
      line := line || esc || '0' || CASE WHEN ink IS NOT NULL THEN ';' || ink END || 'm';
      line_ink := ink;
    END IF;
    line := line || part;
    line_width := line_width + LENGTH(part);
  END put;

  PROCEDURE put_right(ink VARCHAR2, part VARCHAR2, last_place PLS_INTEGER) IS
  BEGIN
    put(NULL, RPAD(' ', last_place - line_width - NVL(LENGTH(part), 0)));
    put(ink, part);
  END put_right;

  -- What was left of an earlier picture is cleared, at the end of the line or, after the last line, below it.
  PROCEDURE end_line(is_last BOOLEAN DEFAULT FALSE) IS
  BEGIN
    put(NULL, ' ');
    write_line(line || esc || 'K' || CASE WHEN is_last THEN esc || 'J' || esc || '?7h' END);
    line := NULL;
    line_width := 0;
    line_ink := NULL;
  END end_line;

  -- A label, and what is left of the first column: nothing is known of that time. The sign of a merged row is behind it.
  PROCEDURE begin_map_line(label VARCHAR2, sign VARCHAR2 DEFAULT ' ') IS
  BEGIN
    put_right(dim, label, 7);
    put(CASE WHEN sign = '*' THEN dim END, sign);
    put(frame_ink, '|');
    put(hatch_ink, RPAD('/', :olm_columns - newest, '/'));
  END begin_map_line;

  -- Cells of one style are put at once.
  PROCEDURE put_row(line_no PLS_INTEGER, rates numbers, ramp VARCHAR2) IS
    first_col PLS_INTEGER := 1;
    step PLS_INTEGER;
    style PLS_INTEGER;
    last_style PLS_INTEGER;
    spot PLS_INTEGER;
  BEGIN
    FOR col IN 1 .. newest + 1 LOOP
      spot := col * per_column + line_no;
      step := 0;
      IF rates.EXISTS(spot) THEN
        WHILE step <= top_step AND rates(spot) > limits(step) LOOP
          step := step + 1;
        END LOOP;
        style := step;
      ELSIF col > newest THEN
        style := NULL;
      ELSE
        style := CASE flags(col) WHEN 'G' THEN gap_style WHEN 'g' THEN gap_style WHEN 'R' THEN restart_style ELSE 0 END;
      END IF;
      IF col > 1 AND (style IS NULL OR style <> last_style) THEN
        CASE last_style
          WHEN 0 THEN put(NULL, RPAD(' ', col - first_col));
          WHEN gap_style THEN put(gap_ink, RPAD('/', col - first_col, '/'));
          WHEN restart_style THEN put(mark_ink, RPAD(':', col - first_col, ':'));
          WHEN top_step + 1 THEN put(clip_ink, RPAD('+', col - first_col, '+'));
          ELSE put('48;5;' || LTRIM(SUBSTR(ramp, last_style * 3 - 2, 3)), RPAD(' ', col - first_col));
        END CASE;
        first_col := col;
      END IF;
      last_style := style;
    END LOOP;
  END put_row;

  -- Sums of the columns, on a scale of nine steps of their own.
  PROCEDURE put_totals(totals numbers) IS
    maximum NUMBER := nice_ceiling(nth_largest(totals, 1));
  BEGIN
    FOR col IN 1 .. newest LOOP
      IF flags(col) IN ('G', 'g') THEN
        put(gap_ink, '/');
      ELSIF totals(col) > 0 THEN
        put(total_ink, TO_CHAR(CEIL(totals(col) / maximum * 9)));
      ELSE
        put(NULL, ' ');
      END IF;
    END LOOP;
  END put_totals;

  -- Its legend, if there is room for it: 0, the steps, where the scale ends, and whether anything lies beyond.
  PROCEDURE put_legend(ramp VARCHAR2, maximum_text VARCHAR2, is_clipped BOOLEAN) IS
    right_edge PLS_INTEGER := 9 + :olm_columns;
    legend_width PLS_INTEGER := 3 + 2 * top_step + LENGTH(maximum_text) + CASE WHEN is_clipped THEN 8 ELSE 0 END + 6;
  BEGIN
    IF line_width + 2 + legend_width <= right_edge THEN
      put_right(dim, '0 ', right_edge - legend_width + 2);
      FOR step IN 1 .. top_step LOOP
        put('48;5;' || LTRIM(SUBSTR(ramp, step * 3 - 2, 3)), '  ');
      END LOOP;
      put(NULL, ' ' || maximum_text);
      IF is_clipped THEN
        put(NULL, '  ');
        put(clip_ink, '+');
        put(dim, ' more');
      END IF;
      put(dim, '  sqrt');
    END IF;
    put_right(dim, 'latest share', right_edge + 14);
  END put_legend;

  -- A rate of the newest column, and its share of all.
  PROCEDURE put_rate(rate NUMBER, total NUMBER, factor NUMBER) IS
  BEGIN
    IF flags(newest) NOT IN ('G', 'g') THEN
      put_right(CASE WHEN rate > 0 THEN NULL ELSE dim END, count_text(rate * factor), 17 + :olm_columns);
      put_right(dim, CASE WHEN total > 0 THEN share_text(rate / total) END, 23 + :olm_columns);
    END IF;
    end_line;
  END put_rate;

  PROCEDURE draw_map(is_time BOOLEAN, rates numbers, ramp VARCHAR2) IS
    maximum NUMBER;
    largest NUMBER;
    maxima numbers;
    totals numbers;
    is_clipped BOOLEAN;
    factor NUMBER := 1;
    per_second VARCHAR2(4) := '/s';
    spot PLS_INTEGER;
  BEGIN
    FOR col IN 1 .. newest LOOP
      totals(col) := 0;
      largest := 0;
      FOR line_no IN 1 .. row_count LOOP
        spot := col * per_column + line_no;
        IF rates.EXISTS(spot) THEN
          totals(col) := totals(col) + rates(spot);
          IF rates(spot) > largest THEN
            largest := rates(spot);
          END IF;
        END IF;
      END LOOP;
      IF largest > 0 THEN
        maxima(col) := largest;
      END IF;
    END LOOP;
    maximum := held_value(CASE WHEN is_time THEN 2 ELSE 1 END, scale_end(maxima));
    fill_limits(maximum);
    is_clipped := maxima.COUNT > 0 AND nth_largest(maxima, 1) > limits(top_step);
    IF is_time THEN
      put('1;' || warm_text, ' INTENSITY');
      put(dim, CASE WHEN :olm_columns < 67 THEN '  waited/s' ELSE '  time waited per second' END);
      IF is_estimated THEN
        put(dim, CASE WHEN :olm_columns < 67 THEN ' est.' ELSE ' (estimated)' END);
      END IF;
      factor := CASE
        WHEN totals(newest) >= 10 * micro THEN 1 / micro
        WHEN totals(newest) >= 1000 OR totals(newest) = 0 THEN 0.001
        ELSE 1
      END;
      per_second := CASE factor WHEN 1 THEN 'us/s' WHEN 0.001 THEN 'ms/s' ELSE 's/s' END;
      put_legend(ramp, latency_text(maximum), is_clipped);
    ELSE
      put('1;' || cool_text, ' FREQUENCY');
      put(dim, CASE WHEN :olm_columns < 67 THEN '  waits/s' ELSE '  waits per second' END);
      put_legend(ramp, scale_text(maximum), is_clipped);
    END IF;
    end_line;
    FOR line_no IN REVERSE 1 .. row_count LOOP
      begin_map_line(labels(line_no), signs(line_no));
      put_row(line_no, rates, ramp);
      put_rate(number_at(rates, newest * per_column + line_no), totals(newest), factor);
      IF has_open AND line_no = row_count THEN
        begin_map_line(NULL);
        put_row(0, rates, ramp);
        end_line;
      END IF;
    END LOOP;
    begin_map_line('total');
    put_totals(totals);
    IF flags(newest) NOT IN ('G', 'g') THEN
      put_right(strong, count_text(totals(newest) * factor), 17 + :olm_columns);
      put_right(dim, per_second, 23 + :olm_columns);
    END IF;
    end_line;
  END draw_map;

  -- Seconds from one label of the time axis to the next: the first of these that leaves room.
  FUNCTION tick_seconds RETURN NUMBER IS
    choices CONSTANT VARCHAR2(200) := '1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,';
    place PLS_INTEGER := 1;
    choice NUMBER := 0;
  BEGIN
    WHILE choice * micro < usual_of(:olm_spans) * 13 AND place <= LENGTH(choices) LOOP
      choice := TO_NUMBER(next_part(choices, place, ','));
    END LOOP;
    RETURN choice;
  END tick_seconds;

  -- Ticks stand under the interval that ends there; R and G under what they mark.
  PROCEDURE draw_axis IS
    every_seconds NUMBER := tick_seconds;
    moments numbers;
    ticks numbers;
    place PLS_INTEGER;
    tick_label VARCHAR2(8);
  BEGIN
    moments(newest) := sampled_micros + zone_micros;
    FOR col IN REVERSE 1 .. newest LOOP
      moments(col - 1) := moments(col) - spans(col) / pieces(col);
      IF TRUNC(moments(col) / every_seconds / micro) > TRUNC(moments(col - 1) / every_seconds / micro) THEN
        ticks(col) := TRUNC(moments(col) / every_seconds / micro) * every_seconds;
      END IF;
    END LOOP;
    IF ticks.COUNT = 0 THEN
      ticks(newest) := TRUNC(moments(newest) / micro);
      every_seconds := 1;
    END IF;

    put(frame_ink, RPAD(' ', 8) || '+' || RPAD('-', :olm_columns - newest, '-'));
    FOR col IN 1 .. newest LOOP
      IF flags(col) IN ('R', 'G') THEN
        put('1;' || mark_ink, 'R');
      ELSE
        put(frame_ink, CASE WHEN ticks.EXISTS(col) THEN '+' ELSE '-' END);
      END IF;
    END LOOP;
    end_line;
    FOR col IN 1 .. newest LOOP
      IF ticks.EXISTS(col) THEN
        tick_label := clock_text(ticks(col), every_seconds < 60);
        place := 8 + :olm_columns - newest + col - TRUNC((LENGTH(tick_label) - 1) / 2);
        place := LEAST(GREATEST(9, place), 9 + :olm_columns - LENGTH(tick_label));
        IF place > line_width THEN
          put_right(dim, tick_label, place + LENGTH(tick_label));
        END IF;
      END IF;
    END LOOP;
    end_line;
  END draw_axis;

  ---------------------------------------------------------------- percentiles

  -- What the waits of each bucket waited, in microseconds, so that all add up to a sum: each bucket takes as much of what
  -- is missing as it has of the variance, by the slopes to both neighbours. Nothing if the waits do not allow that sum.
  FUNCTION waits_of_sum(counts numbers, micros NUMBER) RETURN numbers IS
    nothing numbers;
    found numbers;
    unsure numbers;
    missing NUMBER;
    whole NUMBER;

    FUNCTION level_at(bucket PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      RETURN LN(CASE WHEN number_at(counts, bucket) > 0 THEN counts(bucket) ELSE 0.5 END);
    END level_at;

    FUNCTION limit_of(bucket PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      RETURN counts(bucket) * CASE WHEN missing > 0 THEN powers(bucket) * unit ELSE lower_micros(bucket) END;
    END limit_of;

    PROCEDURE guess(bucket PLS_INTEGER) IS
      rise NUMBER;
      next_rise NUMBER;
      turn NUMBER;
      wide NUMBER;
    BEGIN
      IF bucket = beyond THEN
        found(bucket) := counts(bucket) * lower_micros(bucket);
        RETURN;
      ELSIF bucket = 0 THEN
        found(bucket) := counts(bucket) * powers(0) * unit / 2;
        unsure(bucket) := POWER(found(bucket), 2) + counts(bucket) * POWER(powers(0) * unit, 2) / 12;
        RETURN;
      END IF;
      rise := GREATEST(LEAST(level_at(bucket) - level_at(bucket - 1), 6), -6);
      next_rise := GREATEST(LEAST(level_at(bucket_above(bucket)) - level_at(bucket), 6), -6);
      turn := GREATEST(LEAST((level_at(bucket_above(bucket)) - level_at(bucket - 1)) / 2, 4), -4);
      wide := mean_of_turn(bucket, GREATEST(rise, next_rise, turn)) - mean_of_turn(bucket, LEAST(rise, next_rise, turn));
      found(bucket) := counts(bucket) * mean_of_turn(bucket, turn);
      unsure(bucket) := POWER(counts(bucket) * wide / 2, 2) + counts(bucket) * POWER(lower_micros(bucket), 2) / 12;
    END guess;

  BEGIN
    IF micros IS NULL OR ABS(possible_micros(counts, micros) - micros) > micros / 1000000 THEN
      RETURN nothing;
    END IF;
    missing := micros;
    FOR bucket IN 0 .. beyond LOOP
      IF number_at(counts, bucket) > 0 THEN
        guess(bucket);
        missing := missing - found(bucket);
      END IF;
    END LOOP;
    FOR attempt IN 1 .. beyond LOOP
      EXIT WHEN ABS(missing) <= micros / 1000000000;
      IF missing > 0 AND found.EXISTS(beyond) THEN
        found(beyond) := found(beyond) + missing;
        EXIT;
      END IF;
      whole := 0;
      FOR bucket IN 0 .. beyond - 1 LOOP
        IF found.EXISTS(bucket) AND ABS(limit_of(bucket) - found(bucket)) > micros / 1000000000 THEN
          whole := whole + unsure(bucket);
        END IF;
      END LOOP;
      EXIT WHEN whole = 0;
      FOR bucket IN 0 .. beyond - 1 LOOP
        IF found.EXISTS(bucket) AND ABS(limit_of(bucket) - found(bucket)) > micros / 1000000000 THEN
          found(bucket) := found(bucket) + missing * unsure(bucket) / whole;
          found(bucket) := CASE WHEN missing > 0 THEN LEAST(found(bucket), limit_of(bucket))
            ELSE GREATEST(found(bucket), limit_of(bucket)) END;
        END IF;
      END LOOP;
      missing := micros;
      FOR bucket IN 0 .. beyond LOOP
        missing := missing - number_at(found, bucket);
      END LOOP;
    END LOOP;
    RETURN found;
  END waits_of_sum;

  -- By how much the logarithm of the density rises along a bucket, if its waits have this mean, in microseconds.
  FUNCTION turn_of_mean(bucket PLS_INTEGER, mean NUMBER) RETURN NUMBER IS
    low NUMBER := -50;
    high NUMBER := 50;
    middle NUMBER;
  BEGIN
    FOR halving IN 1 .. 30 LOOP
      middle := (low + high) / 2;
      IF mean_of_turn(bucket, middle) < mean THEN
        low := middle;
      ELSE
        high := middle;
      END IF;
    END LOOP;
    RETURN (low + high) / 2;
  END turn_of_mean;

  -- A latency in a bucket that holds a rank, as far as whole waits allow it, if all of them waited so many microseconds:
  -- those up to the rank waited no longer, and those from it on no shorter. ``below`` are waits in lower buckets.
  FUNCTION possible_latency(
    latency NUMBER, counts numbers, micros NUMBER, bucket PLS_INTEGER, below NUMBER, wanted NUMBER
  ) RETURN NUMBER IS
    least_micros NUMBER := micros;
    most_micros NUMBER := micros;
    upto NUMBER := LEAST(CEIL(wanted - 0.000000001) - below, counts(bucket));
    from_there NUMBER := LEAST(below + counts(bucket) - FLOOR(wanted + 0.000000001), counts(bucket));
    found NUMBER := latency;
  BEGIN
    FOR other IN 0 .. beyond LOOP
      IF other <> bucket AND number_at(counts, other) > 0 THEN
        most_micros := most_micros - counts(other) * lower_micros(other);
        least_micros := CASE WHEN other < beyond THEN least_micros - counts(other) * powers(other) * unit END;
      END IF;
    END LOOP;
    IF upto > 0 AND least_micros IS NOT NULL THEN
      found := GREATEST(found, powers(bucket) * unit
        - GREATEST(counts(bucket) * powers(bucket) * unit - least_micros, 0) / upto);
    END IF;
    IF from_there > 0 THEN
      found := LEAST(found, lower_micros(bucket)
        + GREATEST(most_micros - counts(bucket) * lower_micros(bucket), 0) / from_there);
    END IF;
    RETURN found;
  END possible_latency;

  -- The latency below which a part of the waits lies; inside the bucket that holds it, their density is a power of the
  -- latency: by its neighbours, or by what the bucket waited, if that is known. micros: the sum, NULL if it is not known.
  FUNCTION percentile(counts numbers, total NUMBER, part NUMBER, waits numbers, micros NUMBER) RETURN VARCHAR2 IS
    bucket PLS_INTEGER := counts.FIRST;
    below NUMBER := 0;
    turn NUMBER;
    inside NUMBER;
    latency NUMBER;

    FUNCTION filled(neighbour PLS_INTEGER) RETURN NUMBER IS
    BEGIN
      IF counts.EXISTS(neighbour) AND counts(neighbour) > 0 THEN
        RETURN counts(neighbour);
      END IF;
      RETURN 0.5;
    END filled;

  BEGIN
    WHILE below + counts(bucket) < total * part AND counts.NEXT(bucket) IS NOT NULL LOOP
      below := below + counts(bucket);
      bucket := counts.NEXT(bucket);
    END LOOP;
    IF bucket = beyond THEN
      RETURN '> ' || latency_text(lower_micros(bucket));
    END IF;
    inside := (total * part - below) / counts(bucket);
    IF bucket = 0 THEN
      IF waits.EXISTS(0) AND waits(0) > 0 THEN
        inside := POWER(inside, counts(0) * powers(0) * unit / waits(0) - 1);
      END IF;
      latency := inside * powers(0) * unit;
    ELSE
      IF waits.EXISTS(bucket) THEN
        turn := turn_of_mean(bucket, waits(bucket) / counts(bucket));
      ELSE
        turn := (LN(filled(bucket_above(bucket))) - LN(filled(bucket - 1))) / 2;
        turn := GREATEST(LEAST(turn, 4), -4);
      END IF;
      IF ABS(turn) > 1e-9 AND inside < 1 THEN
        inside := LN(1 + inside * (EXP(turn) - 1)) / turn;
      END IF;
      latency := lower_micros(bucket) * POWER(2, inside);
    END IF;
    IF waits.EXISTS(bucket) THEN
      latency := possible_latency(latency, counts, micros, bucket, below, total * part);
    END IF;
    RETURN measured_text(latency);
  END percentile;

  ---------------------------------------------------------------- statistics

  PROCEDURE put_statistics(
    named VARCHAR2, counts numbers, seconds NUMBER, micros NUMBER, is_guess BOOLEAN
  ) IS
    bucket PLS_INTEGER := counts.FIRST;
    total NUMBER := 0;
    title VARCHAR2(60) := named || ' ' || span_text(seconds);
    waits numbers;
    known NUMBER := CASE WHEN NOT is_guess THEN micros END;

    PROCEDURE put_figure(name VARCHAR2, figure VARCHAR2) IS
    BEGIN
      put(dim, ' ' || name || ' ');
      put(NULL, RPAD(figure, GREATEST(9, LENGTH(figure))));
    END put_figure;

  BEGIN
    put(dim, ' ' || RPAD(title, GREATEST(13, LENGTH(title))));
    WHILE bucket IS NOT NULL LOOP
      total := total + counts(bucket);
      bucket := counts.NEXT(bucket);
    END LOOP;
    IF total = 0 THEN
      put(dim, ' no waits');
    ELSE
      waits := waits_of_sum(counts, known);
      put_figure('avg', CASE WHEN is_guess AND counts.EXISTS(beyond) THEN '>= ' END || measured_text(micros / total));
      put_figure('p50', percentile(counts, total, 0.5, waits, known));
      put_figure('p90', percentile(counts, total, 0.9, waits, known));
      put_figure('p99', percentile(counts, total, 0.99, waits, known));
      bucket := counts.LAST;
      put_figure('max', CASE bucket WHEN beyond THEN '> ' || latency_text(lower_micros(bucket))
        ELSE '< ' || latency_text(powers(bucket) * unit) END);
    END IF;
    end_line;
  END put_statistics;

  -- Of all columns, and of the newest that has data.
  PROCEDURE draw_statistics IS
    counts numbers;
    seconds NUMBER := 0;
    micros NUMBER := 0;
    latest PLS_INTEGER;
    spot PLS_INTEGER;
  BEGIN
    FOR col IN 1 .. newest LOOP
      IF flags(col) NOT IN ('G', 'g') THEN
        seconds := seconds + spans(col) / pieces(col) / micro;
        micros := micros + column_waited(col) / pieces(col);
        latest := col;
      END IF;
    END LOOP;
    put_statistics('window', all_counts, seconds, micros, is_estimated);
    IF latest IS NULL THEN
      RETURN;
    END IF;
    FOR bucket IN 0 .. beyond LOOP
      spot := latest * per_column + bucket;
      IF tallies.EXISTS(spot) THEN
        counts(bucket) := tallies(spot) / pieces(latest);
      END IF;
    END LOOP;
    put_statistics('latest', counts, spans(latest) / pieces(latest) / micro, column_waited(latest) / pieces(latest),
      NOT tallies.EXISTS(latest * per_column + micros_waited));
  END draw_statistics;

  -- Lines are not wrapped while the picture is drawn: a narrow terminal shows what fits.
  PROCEDURE draw_title IS
  BEGIN
    line := esc || '?7l' || CASE newest WHEN 0 THEN esc || '2J' END || esc || 'H';
    put(strong, ' &olm_view  ' || :olm_event);
    put(NULL, '  ');
    put(chip_ink, CASE newest WHEN 0 THEN ' WAITING ' ELSE ' LIVE ' END);
    put(dim, '  every ' || span_text(CASE newest WHEN 0 THEN &olm_seconds ELSE usual_of(:olm_spans) / micro END));
    put(NULL, '   ' || clock_text(TRUNC((sampled_micros + zone_micros) / micro), TRUE));
    put(dim, TO_CHAR(sampled, ' TZH:TZM'));
    end_line;
  END draw_title;

  PROCEDURE draw_picture IS
  BEGIN
    draw_title;
    end_line;
    IF newest = 0 THEN
      put('1;' || gap_ink, CASE WHEN :olm_counters IS NULL THEN ' ' || :olm_missing END);
      put(dim, CASE WHEN :olm_counters IS NOT NULL THEN ' waiting for the first interval' END);
      end_line;
    ELSE
      read_held;
      choose_buckets;
      merge_rows;
      fill_rows;
      draw_map(FALSE, events, cool);
      end_line;
      draw_map(TRUE, waited, warm);
      save_held;
      draw_axis;
      end_line;
      draw_statistics;
    END IF;
    end_line;
    put('1;' || gap_ink, ' ' || :olm_notice);
    end_line;
    put(dim, ' Ctrl-C stops');
    end_line(TRUE);
  END draw_picture;

BEGIN
  sampled_micros := epoch_micros(SYS_EXTRACT_UTC(sampled));
  zone_micros := epoch_micros(sampled) - sampled_micros;
  fill_powers;
  IF :olm_mode = 'stream' THEN
    print_records;
  ELSE
    take_sample;
    read_window;
    draw_picture;
  END IF;
  :olm_screen := screen;
  -- */ NULL;
END;
/
PRINT olm_screen

-- A slash runs the block above again; EXEC and PRINT leave it in the buffer. SQL*Plus has no loop, and a loop in PL/SQL
-- would print at its end only. What follows is the same three lines, 1200 times over, and the end.
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen
EXEC &olm_pause
/
PRINT olm_screen

-- The stream EXITs here. For the maps these lines are one statement, whose column has the name EXIT: nothing happens.
SET SQLBLANKLINES &olm_goes_on
SELECT dummy

EXIT

FROM dual WHERE 1 = 2;

PROMPT Those were 1200 frames. To go on: @oralatencymap &olm_again "&5"
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
