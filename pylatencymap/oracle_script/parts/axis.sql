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
