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
