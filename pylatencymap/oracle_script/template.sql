-- oralatencymap.sql: latency of Oracle wait events over time, for SQL*Plus and SQLcl

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
-- The maps then set what they changed to the defaults of SQL*Plus, not to settings of your own. After Ctrl-C nothing is
-- set back: WHENEVER SQLERROR EXIT may still be active, so that a later error would end the session. Both EXIT, and
-- roll back, after an error of the database: run it in a session without open work, and begin a new one after Ctrl-C.

-- Needs TIMED_STATISTICS = TRUE, and these privileges:
--   CREATE SESSION
--   READ (before 12.1.0.2: SELECT) on SYS.GV_$EVENT_HISTOGRAM_MICRO, before 12.1 on SYS.GV_$EVENT_HISTOGRAM
--   before 18c: EXECUTE on SYS.DBMS_LOCK, and READ on SYS.V_$INSTANCE to find out that it is before 18c
-- No licence of the Diagnostics Pack: no DBA_HIST view is read. Before 12.1 buckets are of milliseconds.

-- Tested on an emulation of SQL*Plus, PL/SQL and the view, made from their documentation. It was never run on Oracle
-- Database. If it fails there, please report it.

-- This file is made by `oralatencymap --print-sql`; `--hours 8` makes a longer one.

{{settings}}

{{variables}}

{{arguments}}

-- The interval as text of the commands to come. A SELECT of SQL*Plus ends at a blank line unless that is allowed, which
-- decides about the EXIT at the end.
SET TERMOUT OFF
COLUMN olm_seconds NEW_VALUE olm_seconds
COLUMN olm_goes_on NEW_VALUE olm_goes_on
COLUMN olm_again NEW_VALUE olm_again
SELECT :olm_seconds AS olm_seconds, CASE WHEN :olm_mode = 'stream' THEN 'OFF' ELSE 'ON' END AS olm_goes_on,
  :olm_seconds || ' "' || :olm_event || '" ' || :olm_rows || ' ' || :olm_columns AS olm_again
FROM dual;
SET TERMOUT ON

-- One sample: as records, or as one more column of the maps.
DECLARE
{{declarations}}

{{lists}}

{{buckets}}

{{records}}

{{window}}

{{sampling}}

{{wording}}

{{scales}}

{{rows}}

{{lines}}

{{maps}}

{{axis}}

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
END;
/
PRINT olm_screen

-- A slash runs the block above again; EXEC and PRINT leave it in the buffer. SQL*Plus has no loop, and a loop in PL/SQL
-- would print at its end only. What follows is the same three lines, {{frames}} times over, and the end.
{{repetitions}}

{{ending}}
