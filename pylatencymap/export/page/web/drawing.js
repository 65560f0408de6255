// Draws a picture on a canvas: maps, labels, numbers, clock and mini-map. Places are CSS pixels.

const KINDS = ["frequency", "intensity"];
const TICK_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600,
  2592000, 7776000, 31536000,
];
const SIGN = 8,
  LINE = 14;

function layoutOf(width, height, rows) {
  const narrow = width < 640,
    wide = width >= 900;
  const left = narrow ? 64 : 84,
    right = wide ? 252 : narrow ? 10 : 150;
  const room = Math.max((height - 440) / 2, narrow ? 120 : 150);
  const row = Math.max(Math.min(Math.floor(room / rows), 22), 3);
  const map = row * rows;
  const tops = [30, 30 + map + 24 + 32];
  const axis = tops[1] + map + 26;
  return {
    narrow,
    wide,
    left,
    right: width - right,
    width,
    row,
    rows,
    map,
    tops,
    axis,
    mini: axis + 40,
    height: axis + 74,
  };
}

class Drawing {
  constructor(canvas, layout, look, view) {
    this.pen = penOf(canvas, layout);
    this.scaleFactor = canvas.width / layout.width;
    Object.assign(this, { layout, look, view });
  }

  x(micros) {
    const { left, right } = this.layout;
    return left + ((micros - this.view.from) / (this.view.to - this.view.from)) * (right - left);
  }

  // `room`: what is longer is condensed to so many pixels.
  text(words, x, y, { colour = this.look.dim, align = "left", bold = false, size = 12, room } = {}) {
    const { pen } = this;
    pen.font = `${bold ? "bold " : ""}${size}px system-ui, sans-serif`;
    pen.fillStyle = colour;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.fillText(words, x, y, room);
    return pen.measureText(words).width;
  }

  all(picture, overview) {
    KINDS.forEach((kind, number) => this.map(picture, kind, this.layout.tops[number]));
    this.clock(picture);
    this.mini(overview);
  }

  map(picture, kind, top) {
    const maximum = picture.maximum(kind, this.view.pinned[kind]);
    this.heading(picture, kind, top, maximum);
    this.cells(picture, kind, top, maximum);
    this.labels(picture, kind, top);
    this.totals(picture, kind, top + this.layout.map + 4);
    this.silences(picture, top);
    this.objective(picture, top);
  }

  heading(picture, kind, top, maximum) {
    const { look, layout } = this,
      y = top - 15,
      ramp = look[`${kind}Ramp`];
    const { noun } = picture.series;
    const name = kind.toUpperCase();
    const x = layout.narrow ? 10 : 24;
    const estimated = picture.figures.estimated ? " (estimated)" : "";
    const words = kind === "frequency" ? `${noun} per second` : `time waited per second${estimated}`;
    const used = x + this.text(name, x, y, { colour: look[kind], bold: true, size: 13 }) + 10;
    const end = scaleText(maximum, kind === "intensity");
    const cell = layout.narrow ? 5 : 14,
      bar = cell * ramp.length;
    const begin = Math.max(layout.right - bar - (layout.narrow ? 62 : 132), used + 16);
    if (!layout.narrow || used + 8 * words.length < begin) this.text(words, used, y);
    if (this.view.scale === "share") {
      this.text("share of the column", layout.right, y, { align: "right" });
      return;
    }
    if (!maximum) return;
    this.text("0", begin - 8, y, { align: "right" });
    ramp.forEach((colour, step) => this.box(begin + step * cell, y - 6, cell, 12, colour));
    const after = begin + bar + 8 + this.text(end, begin + bar + 8, y, { colour: look.text }) + 10;
    if (layout.narrow) return;
    this.box(after, y - 6, 12, 12, look.clip);
    this.text("more", after + 18, y);
  }

  box(x, y, width, height, colour) {
    this.pen.fillStyle = colour;
    this.pen.fillRect(x, y, width, height);
  }

  // One pixel for each cell and column of the screen, then stretched to the height of the rows.
  cells(picture, kind, top, maximum) {
    const { layout, look, view } = this,
      { rows, size, level, first } = picture;
    const width = Math.round((layout.right - layout.left) * this.scaleFactor);
    const ramp = [0, ...look[`${kind}Ramp`].map(pixelOf), pixelOf(look.clip)];
    const levels = ramp.length - 2,
      values = picture[kind],
      exact = Boolean(view.pinned[kind]);
    const image = new ImageData(width, rows),
      pixels = new Uint32Array(image.data.buffer);
    const sums = kind === "frequency" ? picture.events : picture.waited;
    const pixel = (micros) => Math.round(((micros - view.from) / (view.to - view.from)) * width);
    for (let column = 0; column < size; column++) {
      const from = Math.max(pixel(level.starts[first + column]), 0);
      const to = Math.min(Math.max(pixel(level.ends[first + column]), from + 1), width);
      const sum = sums[column] / level.seconds[first + column];
      for (let row = 0; row < rows; row++) {
        const colour = ramp[levelOf(values[row * size + column], maximum, levels, view.scale, exact, sum)];
        if (colour) pixels.fill(colour, (rows - 1 - row) * width + from, (rows - 1 - row) * width + to);
      }
    }
    const source = document.createElement("canvas");
    [source.width, source.height] = [width, rows];
    source.getContext("2d").putImageData(image, 0, 0);
    this.pen.imageSmoothingEnabled = false;
    this.pen.drawImage(source, layout.left, top, layout.right - layout.left, layout.map);
  }

  // How many rows share a label.
  get together() {
    return Math.max(Math.ceil(LINE / this.layout.row), 1);
  }

  // [lowest row, row above, middle] of the rows that share a label, from the top down.
  groups(top) {
    const { rows, row } = this.layout,
      found = [];
    for (let high = rows; high > 0; high -= this.together) {
      const low = Math.max(high - this.together, 0);
      found.push([low, high, top + (rows - (low + high) / 2) * row]);
    }
    return found;
  }

  labels(picture, kind, top) {
    const { layout, look } = this,
      { bounds } = picture.series,
      { rows, figures } = picture;
    const values = kind === "frequency" ? picture.rowEvents : picture.rowWaited;
    const whole = kind === "frequency" ? figures.events : figures.waited;
    const [factor, unit] = kind === "frequency" ? [1, "/s"] : waitedUnit(whole / figures.seconds || 0);
    const groups = this.groups(top);
    const shares = groups.map(([low, high]) => sumOf(values.slice(low, high)) / whole || 0);
    const most = Math.max(...shares);
    groups.forEach(([low, high, y], number) => {
      const bound =
        bounds[high] === Infinity
          ? `${layout.narrow ? ">" : "> "}${latencyText(bounds[low])}`
          : latencyText(bounds[high]);
      this.text(bound, layout.left - 9, y, { align: "right", size: layout.narrow ? 11 : 12 });
      this.box(layout.left - 5, top + (rows - high) * layout.row, 4, 1, look.frame);
      if (layout.right + 100 > layout.width || !shares[number]) return;
      const rate = (shares[number] * whole * factor) / figures.seconds;
      this.text(countText(rate, "0"), layout.right + 74, y, { colour: look.text, align: "right" });
      this.text(shareText(shares[number]), layout.right + 120, y, { align: "right" });
      if (!layout.wide) return;
      const ramp = look[`${kind}Ramp`];
      this.box(
        layout.right + 130,
        y - 6,
        Math.max((shares[number] / most) * 92, 1),
        12,
        ramp[Math.floor(ramp.length * 0.6)],
      );
    });
    this.box(layout.left - 1, top, 1, layout.map, look.frame);
    if (layout.right + 100 > layout.width) return;
    this.text(this.view.length, layout.right + 74, top - 15, { align: "right" });
    this.text("share", layout.right + 120, top - 15, { align: "right" });
    if (!figures.seconds) return;
    const y = top + layout.map + 13,
      rate = (whole * factor) / figures.seconds;
    this.text(countText(rate, "0"), layout.right + 74, y, { colour: look.text, align: "right", bold: true });
    this.text(unit, layout.right + 82, y);
  }

  totals(picture, kind, top) {
    const { layout, look } = this,
      { size, first, level } = picture;
    const sums = kind === "frequency" ? picture.events : picture.waited;
    const rates = Array.from(sums, (sum, column) => (sum ? sum / level.seconds[first + column] : 0));
    const most = Math.max(...rates, 0);
    this.text("total", layout.left - 9, top + 9, { align: "right", size: layout.narrow ? 11 : 12 });
    if (!most || !Number.isFinite(most)) return;
    this.clipped(top, 18, () => {
      for (let column = 0; column < size; column++) {
        const [from, to] = this.edges(level, first + column);
        const height = (rates[column] / most) * 16;
        if (height) this.box(from, top + 16 - height, to - from, height, look.total);
      }
    });
  }

  // Where a column begins and ends on the screen, on whole pixels.
  edges(level, column) {
    const whole = (x) => Math.round(x * this.scaleFactor) / this.scaleFactor;
    const from = whole(this.x(level.starts[column]));
    return [from, Math.max(whole(this.x(level.ends[column])), from + 1 / this.scaleFactor)];
  }

  clipped(top, height, draw) {
    const { pen, layout } = this;
    pen.save();
    pen.beginPath();
    pen.rect(layout.left, top, layout.right - layout.left, height);
    pen.clip();
    draw();
    pen.restore();
  }

  silences(picture, top) {
    const { pen, layout, look } = this,
      { level, first, stop } = picture;
    for (let column = first; column < stop; column++) {
      if (!(level.flags[column] & GAP)) continue;
      const [from, to] = this.edges(level, column);
      this.clipped(top, layout.map, () => {
        pen.strokeStyle = look.gap;
        pen.lineWidth = 1;
        pen.beginPath();
        pen.rect(from, top, to - from, layout.map);
        pen.clip();
        const begin = Math.max(from, layout.left - 20) - (Math.max(from, layout.left - 20) % 5);
        for (let x = begin - layout.map; x < Math.min(to, layout.right) + 10; x += 5) {
          pen.moveTo(x, top + layout.map);
          pen.lineTo(x + layout.map, top);
        }
        pen.stroke();
      });
    }
  }

  objective(picture, top) {
    const { slo } = this.view,
      { bounds } = picture.series,
      { layout, look } = this;
    if (!slo) return;
    const row = bounds.findIndex((bound) => bound > slo) - 1;
    if (row < 0) return;
    const inside =
      bounds[row + 1] === Infinity || bounds[row] <= 0
        ? 0
        : Math.log2(slo / bounds[row]) / Math.log2(bounds[row + 1] / bounds[row]);
    const y = top + (picture.rows - row - inside) * layout.row;
    this.box(layout.left, y - 1.5, layout.right - layout.left, 3, look.ground);
    this.box(layout.left, y - 0.5, layout.right - layout.left, 1, look.text);
    const words = `SLO ${latencyText(slo)}`,
      width = 7.5 * words.length;
    this.box(layout.right - width - 6, y - 16, width + 6, 15, look.ground);
    this.text(words, layout.right - 4, y - 8, { colour: look.text, align: "right", bold: true });
  }

  clock(picture) {
    const { layout, look, view } = this,
      y = layout.axis;
    this.box(layout.left, y, layout.right - layout.left, 1, look.frame);
    this.clipped(y - 1, 3, () => {
      if (view.marked)
        this.box(
          this.x(view.marked[0]),
          y - 1,
          Math.max(this.x(view.marked[1]) - this.x(view.marked[0]), 2),
          3,
          look.mark,
        );
    });
    for (const [x, words, bold] of this.ticks()) {
      this.box(x, y, 1, 5, look.frame);
      this.text(words, x, y + 17, { align: "center", bold, colour: bold ? look.text : look.dim });
    }
    [...picture.series.moments].reverse().forEach((moment) => this.sign(moment, y));
  }

  // [x, words, bold, half its width] of the labels of the axis, none of which touches another.
  ticks() {
    const { layout, view } = this;
    let free = -Infinity;
    return ticksOf(view, (layout.right - layout.left) / (layout.narrow ? 80 : 90)).flatMap(([micros, words, bold]) => {
      const x = this.x(micros),
        half = words.length * 3.4;
      if (x - half < free || x - half < 0 || x + half > layout.width) return [];
      free = x + half + 6;
      return [[x, words, bold, half]];
    });
  }

  sign(moment, y) {
    const { pen, layout, look } = this,
      x = this.x(moment.begin);
    if (!moment.sign || x < layout.left - 1 || x > layout.right + 1) return;
    pen.fillStyle = look.mark;
    pen.beginPath();
    pen.arc(x, y, SIGN, 0, 2 * Math.PI);
    pen.fill();
    this.text(moment.sign, x, y + 0.5, { align: "center", bold: true, size: 11, colour: look.ground });
  }

  // All that is there, and which part of it is shown.
  mini({ rates, begin, end }) {
    const { pen, layout, look, view } = this,
      top = layout.mini,
      width = layout.right - layout.left;
    const x = (micros) => layout.left + ((micros - begin) / (end - begin)) * width;
    this.box(layout.left, top, width, 26, look.box);
    const most = Math.sqrt(Math.max(...rates.map(([, , rate]) => rate), 0)) || 1;
    for (const [from, to, rate] of rates) {
      const height = (Math.sqrt(rate) / most) * 22;
      const left = Math.floor(x(from));
      this.box(left, top + 24 - height, Math.max(Math.floor(x(to)) - left, 1), height, look.total);
    }
    const [from, to] = [x(view.from), Math.max(x(view.to), x(view.from) + 2)];
    pen.globalAlpha = 0.6;
    this.box(layout.left, top, from - layout.left, 26, look.ground);
    this.box(to, top, layout.right - to, 26, look.ground);
    pen.globalAlpha = 1;
    pen.strokeStyle = look.frequency;
    pen.lineWidth = 2;
    pen.strokeRect(from, top, to - from, 26);
    for (const at of [from, to]) {
      pen.fillStyle = look.frequency;
      pen.beginPath();
      pen.roundRect(at - 4, top + 4, 8, 18, 3);
      pen.fill();
    }
    this.text(view.whole, layout.left - 9, top + 13, {
      align: "right",
      size: layout.narrow ? 11 : 12,
      colour: look.text,
      room: layout.left - 12,
    });
    if (layout.wide && !view.printed) this.text("drag in a map to zoom", layout.right + 20, top + 13);
  }
}

function penOf(canvas, layout) {
  const factor = window.devicePixelRatio || 1;
  canvas.width = Math.round(layout.width * factor);
  canvas.height = Math.round(layout.height * factor);
  canvas.style.height = `${layout.height}px`;
  const pen = canvas.getContext("2d");
  pen.scale(factor, factor);
  return pen;
}

// A colour as a pixel of ImageData.
function pixelOf(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return new Uint32Array(new Uint8Array([red, green, blue, 255]).buffer)[0];
}

// Moments of the axis: [microseconds, words, whether it is midnight]. Where clocks are put back, an hour comes twice.
function ticksOf({ from, to, clock, dated }, most) {
  const step = (TICK_STEPS.find((one) => (to - from) / 1e6 / one <= most) || TICK_STEPS[TICK_STEPS.length - 1]) * 1e6;
  const found = [];
  for (const shift of clock.real ? clock.shifts(from, to) : [0]) {
    for (let at = Math.ceil((from + shift) / step) * step - shift; at <= to; at += step) {
      if (!clock.real) found.push([at, clock.elapsed(at), false]);
      else if (clock.wall(at) - at === shift) {
        const one = clock.parts(at),
          midnight = one.time === "00:00" && one.seconds === "00";
        const time = step % 6e7 ? `${one.time}:${one.seconds}` : one.time;
        found.push([at, midnight && dated ? `${one.weekday} ${one.day}` : time, midnight && dated]);
      }
    }
  }
  return found.sort((one, other) => one[0] - other[0]);
}
