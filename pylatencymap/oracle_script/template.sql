-- oralatencymap.sql: latency of Oracle wait events over time, for SQL*Plus

--   @oralatencymap [seconds] ["event"] [buckets] [columns] ["and inst_id=1"]

-- draws two heat maps on one clock: how many waits per second there were in each latency bucket, and how much time was
-- waited in it. A column is what happened in so many seconds ({{seconds}} unless given). The event is "db file sequential
-- read" unless given; upper or lower case, and underscores for blanks, do not matter. There are at most so many rows of
-- latency in each map (12), and so many columns (90). The last argument narrows the query; without it all instances
-- are added up. Arguments that are left out, or empty (""), have these values. Event and seconds may be exchanged.
-- It draws for {{span}} at {{seconds}} seconds; Ctrl-C stops it. The terminal must know 256 colours, and be 23
-- characters wider than the map.

-- The last argument is SQL: who can choose it can run what this session may. The others are data, whatever is in them,
-- with SQL*Plus 12.2 and later, by its documentation. Earlier ones can only put them into the text of a block: a program
-- that passes on names from elsewhere has to refuse single quotes there. Control characters are shown as "?".

--   @oralatencymap stream [seconds] ["event"]

-- prints the record stream of pylatencymap instead: the cumulative wait counts of one event, per bucket and instance,
-- at once and then every so many seconds. To draw it on the spot:

--   sqlplus -S user@db @oralatencymap stream {{seconds}} "log file sync" | pylatencymap

-- To keep it, end the line with `> file` instead, and draw it later with `pylatencymap replay file`.

-- It takes {{frames}} samples after the first one, which is {{span}} at {{seconds}} seconds. The stream then EXITs.
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

{{settings}}

{{variables}}

{{arguments}}

-- An error ends the stream, but never a session at the prompt: Ctrl-C is an error, too.
SET TERMOUT OFF
COLUMN olm_on_error NEW_VALUE olm_on_error
SELECT CASE :olm_mode WHEN 'stream' THEN 'EXIT FAILURE ROLLBACK' ELSE 'CONTINUE' END AS olm_on_error FROM dual;
SET TERMOUT ON
WHENEVER SQLERROR &olm_on_error

{{checks}}

{{commands}}

-- One sample: as records, or as one more column of the maps.
DECLARE
  &olm_skip BEGIN /*
{{declarations}}

{{lists}}

{{buckets}}

{{sums}}

{{records}}

{{window}}

{{sampling}}

{{wording}}

{{scales}}

{{rows}}

{{lines}}

{{maps}}

{{axis}}

{{percentiles}}

{{statistics}}

{{picture}}

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
-- would print at its end only. What follows is the same three lines, {{frames}} times over, and the end.
{{repetitions}}

{{ending}}
