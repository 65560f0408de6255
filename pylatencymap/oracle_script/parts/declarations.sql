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
