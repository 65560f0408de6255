  ---------------------------------------------------------------- rows and colour scales

  -- A value that grows at once, and shrinks when a smaller one would have been enough for so many columns.
  FUNCTION held_value(which PLS_INTEGER, wanted NUMBER) RETURN NUMBER IS
    value_at PLS_INTEGER := which * 3 - 2;
    enough_at PLS_INTEGER := which * 3 - 1;
    columns_at PLS_INTEGER := which * 3;
  BEGIN
    IF NOT held.EXISTS(value_at) OR wanted >= held(value_at) THEN
      held(value_at) := wanted;
      held(enough_at) := 0;
      held(columns_at) := 0;
      RETURN wanted;
    END IF;
    held(enough_at) := CASE held(columns_at) WHEN 0 THEN wanted ELSE GREATEST(held(enough_at), wanted) END;
    held(columns_at) := held(columns_at) + new_columns;
    IF held(columns_at) >= hold_columns THEN
      held(value_at) := held(enough_at);
      held(columns_at) := 0;
    END IF;
    RETURN held(value_at);
  END held_value;

  PROCEDURE read_held IS
    place PLS_INTEGER := 1;
    part VARCHAR2(60);
    item PLS_INTEGER := 0;
  BEGIN
    WHILE place <= LENGTH(:olm_held) LOOP
      item := item + 1;
      part := next_part(:olm_held, place, ',');
      IF part IS NOT NULL THEN
        held(item) := TO_NUMBER(part) / scaled;
      END IF;
    END LOOP;
  END read_held;

  PROCEDURE save_held IS
    items VARCHAR2(1000);
  BEGIN
    FOR item IN 1 .. 12 LOOP
      items := items || CASE WHEN held.EXISTS(item) THEN TO_CHAR(ROUND(held(item) * scaled)) END || ',';
    END LOOP;
    :olm_held := items;
  END save_held;

  -- Rounded up to 1, 2 or 5 times a power of ten.
  FUNCTION nice_ceiling(amount NUMBER) RETURN NUMBER IS
    decade NUMBER := 1 / scaled;
  BEGIN
    IF amount <= 0 THEN
      RETURN 0;
    END IF;
    WHILE amount > 10 * decade * tolerance LOOP
      decade := decade * 10;
    END LOOP;
    RETURN decade * CASE
      WHEN amount <= decade * tolerance THEN 1
      WHEN amount <= 2 * decade * tolerance THEN 2
      WHEN amount <= 5 * decade * tolerance THEN 5
      ELSE 10
    END;
  END nice_ceiling;

  -- Where a colour scale ends, from the maxima of the columns that have any: one hot column in twenty must not bleach
  -- the rest, and is clipped if it is more than twice what the others need.
  FUNCTION scale_end(maxima numbers) RETURN NUMBER IS
    most NUMBER;
    follower NUMBER;
  BEGIN
    IF maxima.COUNT = 0 THEN
      RETURN 0;
    END IF;
    most := nth_largest(maxima, 1);
    follower := nth_largest(maxima, LEAST(CEIL(maxima.COUNT / 20) + 1, maxima.COUNT));
    RETURN nice_ceiling(CASE WHEN most <= 2 * follower THEN most ELSE follower END / beyond_scale);
  END scale_end;

  -- Steps are of square roots: step k ends at k * k parts of the maximum. More than the tolerance beyond it is clipped.
  PROCEDURE fill_limits(maximum NUMBER) IS
  BEGIN
    limits(0) := 0;
    FOR step IN 1 .. top_step - 1 LOOP
      limits(step) := maximum * step * step / (top_step * top_step) * tolerance;
    END LOOP;
    limits(top_step) := maximum * beyond_scale * tolerance;
  END fill_limits;
