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
