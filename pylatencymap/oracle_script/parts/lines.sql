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
