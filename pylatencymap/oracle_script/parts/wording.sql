  ---------------------------------------------------------------- numbers as text

  FUNCTION three_digits(amount NUMBER) RETURN VARCHAR2 IS
    decimals PLS_INTEGER := CASE WHEN ROUND(amount, 2) < 10 THEN 2 WHEN ROUND(amount, 1) < 100 THEN 1 ELSE 0 END;
    parts PLS_INTEGER := CASE decimals WHEN 2 THEN 100 WHEN 1 THEN 10 ELSE 1 END;
    whole NUMBER := ROUND(amount * parts);
  BEGIN
    IF MOD(whole, parts) = 0 THEN
      RETURN TO_CHAR(whole / parts);
    END IF;
    RETURN TO_CHAR(TRUNC(whole / parts)) || '.' || LPAD(TO_CHAR(MOD(whole, parts)), decimals, '0');
  END three_digits;

  -- Number and unit of a latency: 1.02 ms.
  FUNCTION latency_text(micros NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      WHEN micros < 0.9995 THEN three_digits(micros * 1000) || ' ns'
      WHEN micros < 999.5 THEN three_digits(micros) || ' us'
      WHEN micros < 999500 THEN three_digits(micros / 1000) || ' ms'
      WHEN micros < 86400 * micro THEN three_digits(micros / micro) || ' s'
      ELSE three_digits(micros / micro / 86400) || ' d'
    END;
  END latency_text;

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

  -- A rate or a count: 82, 1.01k; <1 for a little.
  FUNCTION count_text(amount NUMBER) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE
      WHEN amount <= 0 THEN '.'
      WHEN amount < 0.95 THEN '<1'
      WHEN amount < 999.5 THEN TO_CHAR(ROUND(amount))
      WHEN amount < 999500 THEN three_digits(amount / 1000) || 'k'
      WHEN amount < 999500000 THEN three_digits(amount / micro) || 'M'
      ELSE three_digits(amount / 1000 / micro) || 'G'
    END;
  END count_text;

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
