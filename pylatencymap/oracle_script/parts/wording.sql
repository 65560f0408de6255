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
