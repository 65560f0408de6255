// The cursor: the cell that it is in, and what is said of it.

function columnTime(level, column) {
  const { step } = level,
    { series: of } = shown;
  let begin = level.starts[column],
    end = level.ends[column];
  const slot = step && slotOf(begin, end, step) * step;
  const near = 1.05e6 * of.every;
  if (step && Math.abs(slot - end) < near && Math.abs(slot - step - begin) < near && end - begin <= step * 1.05)
    [begin, end] = [slot - step, slot];
  return [begin, end];
}

function cellAt(x, y) {
  const inMap = layout.tops.findIndex((top) => y >= top && y < top + layout.map);
  if (inMap < 0 || x < layout.left || x >= layout.right) return null;
  const row = layout.rows - 1 - Math.floor((y - layout.tops[inMap]) / layout.row);
  const micros = microsAt(x),
    { level, first, stop } = shown;
  const column = placeOf(level.ends, micros);
  const near =
    Math.abs(level.ends[column - 1] - micros) < (2 * (state.to - state.from)) / (layout.right - layout.left)
      ? column - 1
      : -1;
  if (column >= first && column < stop && level.starts[column] <= micros) return { column, row };
  return near >= first ? { column: near, row } : null;
}

const microsAt = (x) => state.from + ((x - layout.left) / (layout.right - layout.left)) * (state.to - state.from);

function point(cell) {
  state.cursor = cell;
  drawCursor();
}

function lengthOf(seconds) {
  const words = lastedText(seconds);
  const name = { "1 s": "second", "1 min": "minute", "1 h": "hour", "1 d": "day" }[words];
  return name ? `this ${name}` : `these ${words}`;
}

function readoutLines({ column, row }) {
  const { level, size, first } = shown,
    at = column - first,
    { noun, bounds } = one();
  const [begin, end] = columnTime(level, column),
    seconds = level.seconds[column];
  const dated = isDated(about.begin, about.end),
    weekday = dated ? `${clock().parts(begin).weekday} ` : "";
  const head = [weekday + clock().span(begin, end, dated), rangeText(bounds[row], bounds[row + 1])];
  if (level.flags[column] & GAP)
    return [head, [`gap: no data for ${lastedText((end - begin) / 1e6)} (no data is not zero)`]];
  if (!(seconds > 0)) return [head, ["nothing was measured"]];
  const cell = row * size + at,
    events = shown.events[at] / seconds,
    waited = shown.waited[at] / seconds;
  const share = (part, whole) => (part && whole ? `, ${percentText(part / whole)}` : "");
  const [frequency, intensity] = [shown.frequency[cell], shown.intensity[cell]];
  const ranks = one().percentiles(shown.columnCounts(at), isGuessed(level, column) ? null : level.waited[column]);
  const count = shown.count(row, at),
    all = shown.events[at];
  return [
    head,
    ["this cell", `${exactText(frequency)} ${noun}/s${share(frequency, events)}`, "frequency"],
    ["", `${waitedText(intensity)} waited${share(intensity, waited)}`, "intensity"],
    ["counted", `${wholeText(count)} of ${wholeText(all)} ${noun}`],
    [lengthOf(seconds), `${exactText(events)} ${noun}/s, ${waitedText(waited)}`],
    ...(ranks ? [["p50  p90  p99", ranks.map(rankText).join("   ")]] : []),
    ...(level.flags[column] & RESET ? [["reset: the counters began anew here"]] : []),
    ...(level.flags[column] & DOUBT ? [["it rests on a record that nothing confirms"]] : []),
  ];
}

const rankText = ({ seconds, beyond }) => (beyond ? `> ${latencyText(seconds)}` : measuredText(seconds));

function drawCursor() {
  if (!isReady()) return;
  const drawing = new Drawing(over, layout, look(), view());
  const { pen } = drawing,
    { cursor } = state;
  const isSeen = cursor && cursor.column >= shown.first && cursor.column < shown.stop;
  readout.hidden = !isSeen;
  if (drag && drag.to !== undefined) drawDrag(pen);
  if (!isSeen) return;
  const [from, to] = drawing.edges(shown.level, cursor.column),
    middle = (Math.max(from, layout.left) + Math.min(to, layout.right)) / 2;
  drawing.box(middle - 0.5, layout.tops[0], 1, layout.axis - layout.tops[0], look().text);
  for (const top of layout.tops) {
    const y = top + (layout.rows - 1 - cursor.row) * layout.row,
      width = Math.max(Math.min(to - from, layout.right - layout.left), 8);
    pen.strokeStyle = look().clip;
    pen.lineWidth = 2;
    pen.strokeRect(middle - width / 2, y, width, layout.row);
    chip(drawing, layout.left - 9, y + layout.row / 2, rowLabel(cursor.row), "right");
  }
  const [begin] = columnTime(shown.level, cursor.column);
  chip(drawing, middle, layout.axis + 17, clock().span(begin, begin, view().dated), "center");
  placeReadout(cursor, middle);
}

const rowLabel = (row) => {
  const { bounds } = one();
  return bounds[row + 1] === Infinity ? `> ${latencyText(bounds[row])}` : latencyText(bounds[row + 1]);
};

function chip(drawing, x, y, words, align) {
  drawing.pen.font = "bold 12px system-ui, sans-serif";
  const width = drawing.pen.measureText(words).width + 12;
  const left =
    align === "right" ? Math.max(x - width + 5, 0) : Math.min(Math.max(x - width / 2, 0), layout.width - width);
  // What would be half covered is hidden.
  if (align === "right") {
    for (const [, , at] of drawing.groups(layout.tops[y < layout.tops[1] - 20 ? 0 : 1])) {
      if (Math.abs(at - y) < 17) drawing.box(0, at - 8, layout.left - 6, 16, look().ground);
    }
  } else {
    for (const [at, , , half] of drawing.ticks()) {
      if (at + half > left - 8 && at - half < left + width + 8)
        drawing.box(at - half - 8, y - 8, 2 * half + 16, 17, look().ground);
    }
  }
  drawing.box(left, y - 8, width, 17, look().text);
  drawing.text(words, left + 6, y + 0.5, { bold: true, colour: look().ground });
}

// Beside the cell, or on a narrow screen in the other map.
function placeReadout(cursor, x) {
  const lines = readoutLines(cursor);
  readout.replaceChildren(
    ...lines.map(([name, words, kind]) => {
      const line = element("div");
      line.append(element("span", name));
      if (words !== undefined) line.append(element("span", words, kind ? { class: kind } : {}));
      return line;
    }),
  );
  const width = readout.offsetWidth,
    height = readout.offsetHeight;
  let left = x + 22 + width < layout.width ? x + 22 : Math.max(x - 22 - width, 4);
  let top = layout.tops[pointed] + (layout.rows - cursor.row) * layout.row + 8;
  top = Math.max(Math.min(top, layout.height - height - 4), 4);
  if (layout.narrow) {
    left = Math.min(Math.max(x - width / 2, 4), layout.width - width - 4);
    top = layout.tops[pointed ? 0 : 1];
  }
  readout.style.left = `${left}px`;
  readout.style.top = `${top}px`;
}

function moveCursor(columns, rows) {
  if (!isReady() || !shown.size) return;
  const { first, stop } = shown;
  const at = state.cursor || {
    column: Math.floor((first + stop) / 2) - columns,
    row: Math.floor(layout.rows / 2) - rows,
  };
  const column = Math.min(Math.max(at.column + columns, first), stop - 1);
  point({ column, row: Math.min(Math.max(at.row + rows, 0), layout.rows - 1) });
  tell(
    readoutLines(state.cursor)
      .map((line) => line.slice(0, 2).filter(Boolean).join(" "))
      .join("; "),
  );
}
