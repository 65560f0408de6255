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
