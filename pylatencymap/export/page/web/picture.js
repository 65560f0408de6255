// What a part of the time shows: rates by row and column, figures, and the ends of the colour scales. Figures are those
// of window/selection.py and window/statistics.py, scales those of view/layout/colour_scale.py: tests compare both.

const RANKS = [0.5, 0.9, 0.99];
const HOT_SHARE = 0.05,
  TOLERANCE = 1.25,
  DECADES = 3,
  ROUNDING = 1e-9;

const unlimited = (values) => values.map((value) => (value === null ? Infinity : value));

class Series {
  constructor(about, number, steps) {
    Object.assign(this, about);
    this.number = number;
    this.steps = steps;
    this.edges = unlimited(about.ranges.edges);
    this.bounds = unlimited(about.rows.bounds);
    this.upper = about.ranges.upper.map((upper, range) => (upper === null ? about.ranges.lower[range] : upper));
    this.known = new Map();
    this.finest = null;
    this.taken = 0;
  }

  // Whether all levels are unpacked.
  get isWhole() {
    return this.taken === this.levels.length;
  }

  // A level of zoom is there; coarser ones are made of the finest that is.
  take(level) {
    this.taken++;
    if (this.finest && level.size <= this.finest.size) return;
    this.finest = level;
    this.known = new Map([[level.step, level]]);
  }

  level(step) {
    if (!this.known.has(step)) this.known.set(step, mergedLevel(this.finest, step));
    return this.known.get(step);
  }

  // The finest level that has at most so many columns between two moments.
  fitting(from, to, most) {
    const { finest } = this;
    const inside = placeOf(finest.starts, to) - placeOf(finest.ends, from);
    if (inside <= most) return finest;
    const wider = this.steps.filter((step) =>
      finest.step ? step > finest.step && step % finest.step === 0 : step > 1.05e6 * this.every,
    );
    return this.level(wider.find((step) => (to - from) / step <= most) || wider[wider.length - 1] || finest.step);
  }

  // Counts by range as counts on `edges`.
  onEdges(counts) {
    const found = new Array(this.edges.length - 1).fill(0);
    counts.forEach((count, range) => (found[this.ranges.place[range]] += count));
    return found;
  }

  means(counts) {
    const means = rowMeans(this.onEdges(counts), this.edges, this.tick);
    return this.ranges.place.map((row) => means[row]);
  }

  // `exact`: the seconds that these events waited, if the source summed them, else null.
  percentiles(counts, exact) {
    return percentilesOf(this.onEdges(counts), this.edges, RANKS, this.tick, exact);
  }
}

const isGuessed = (level, column) => level.waited === null || (level.flags[column] & ESTIMATED) > 0;
// Whether the time waited of a column is known, or as good as it will be: that of a sum of series.
const isMeasured = (level, column) => level.settled || !isGuessed(level, column);

// Events, seconds, time waited, average and percentiles of the columns from `first` to `stop` - 1.
function figuresOf(series, level, first, stop) {
  const counts = countsOf(level, first, stop),
    means = series.means(counts);
  const guessed = new Array(counts.length).fill(0);
  let waited = 0,
    seconds = 0,
    estimated = false;
  for (let column = first; column < stop; column++) {
    seconds += level.seconds[column];
    if (isMeasured(level, column)) waited += level.waited[column];
    if (isGuessed(level, column)) estimated = true;
  }
  level.ranges.forEach((range, number) => {
    eachCount(range, first, stop, (column, count) => {
      if (!isMeasured(level, column)) guessed[number] += count;
    });
  });
  waited += sumOf(guessed.map((count, range) => count * means[range]));
  const events = sumOf(counts);
  const opened = counts.some((count, range) => count > 0 && series.ranges.upper[range] === null);
  return {
    counts,
    means,
    events,
    seconds,
    waited,
    estimated,
    percentiles: series.percentiles(counts, estimated ? null : waited),
    average: events ? waited / events : null,
    averageBeyond: opened && estimated,
  };
}

// All cells between two moments: `frequency` and `intensity` [row * size + column] per second; events and seconds
// waited of each column; and the same of each row.
class Picture {
  constructor(series, from, to, most) {
    const level = series.fitting(from, to, most);
    this.series = series;
    this.level = level;
    this.first = placeOf(level.ends, from + 1);
    this.stop = Math.max(placeOf(level.starts, to), this.first);
    this.size = this.stop - this.first;
    this.rows = series.bounds.length - 1;
    // Columns whose middle is outside are seen, but not counted.
    let inside = this.first,
      beyond = this.stop;
    while (inside < beyond && this.middle(inside) < from) inside++;
    while (beyond > inside && this.middle(beyond - 1) > to) beyond--;
    if (inside === beyond) [inside, beyond] = [this.first, this.stop];
    [this.inside, this.beyond] = [inside, beyond];
    this.figures = figuresOf(series, level, inside, beyond);
    this.fill();
  }

  middle(column) {
    return (this.level.starts[column] + this.level.ends[column]) / 2;
  }

  fill() {
    const { size, rows, first, stop, level, series } = this;
    const cells = level.ranges.map(() => new Float64Array(size));
    level.ranges.forEach((range, number) => {
      eachCount(range, first, stop, (column, count) => (cells[number][column - first] = count));
    });
    this.cells = cells;
    this.frequency = new Float64Array(rows * size);
    this.intensity = new Float64Array(rows * size);
    this.events = new Float64Array(size);
    this.waited = new Float64Array(size);
    this.rowEvents = new Array(rows).fill(0);
    this.rowWaited = new Array(rows).fill(0);
    const { means } = this.figures,
      { lower } = series.ranges;
    const used = cells
      .map((_, range) => range)
      .filter((range) => this.figures.counts[range] || cells[range].some(Boolean));
    for (let column = 0; column < size; column++) {
      const at = first + column;
      const counts = used.map((range) => cells[range][column]);
      const pick = (values) => used.map((range) => values[range]);
      const times = isMeasured(level, at)
        ? columnTimes(counts, pick(means), pick(lower), pick(series.upper), level.waited[at], true)
        : columnTimes(counts, pick(means));
      this.add(column, used, counts, times, at >= this.inside && at < this.beyond);
    }
  }

  add(column, used, counts, times, isInside) {
    const { size, series } = this;
    const seconds = this.level.seconds[this.first + column];
    used.forEach((range, number) => {
      if (!counts[number]) return;
      this.events[column] += counts[number];
      this.waited[column] += times[number];
      for (const [row, ofCounts, ofTimes] of series.rows.parts[range]) {
        const events = counts[number] * ofCounts,
          waited = times[number] * ofTimes;
        if (seconds > 0) {
          this.frequency[row * size + column] += events / seconds;
          this.intensity[row * size + column] += waited / seconds;
        }
        if (isInside) {
          this.rowEvents[row] += events;
          this.rowWaited[row] += waited;
        }
      }
    });
  }

  // The events of a cell, as many as there were.
  count(row, column) {
    let sum = 0;
    this.cells.forEach((cells, range) => {
      for (const [to, part] of this.series.rows.parts[range]) if (to === row) sum += cells[column] * part;
    });
    return sum;
  }

  columnCounts(column) {
    return this.cells.map((cells) => cells[column]);
  }

  maximum(kind, pinned) {
    if (pinned) return pinned;
    const values = this[kind],
      maxima = new Array(this.size).fill(0);
    for (let place = 0; place < values.length; place++) {
      const column = place % this.size;
      if (values[place] > maxima[column]) maxima[column] = values[place];
    }
    return niceCeiling(robustMaximum(maxima) / TOLERANCE);
  }
}

function robustMaximum(maxima) {
  const ordered = maxima.filter((value) => value > 0).sort((one, other) => one - other);
  if (!ordered.length) return 0;
  const largest = ordered[ordered.length - 1];
  const follower = ordered[ordered.length - 1 - Math.min(Math.ceil(HOT_SHARE * ordered.length), ordered.length - 1)];
  return largest <= 2 * follower * (1 + ROUNDING) ? largest : follower;
}

function niceCeiling(value) {
  if (value <= 0) return 0;
  const exponent = Math.floor(Math.log10(value));
  for (const step of [1, 2, 5, 10, 20]) {
    const candidate = exponent >= 0 ? step * 10 ** exponent : step / 10 ** -exponent;
    if (value <= candidate * (1 + ROUNDING)) return candidate;
  }
  return value;
}

// 0 for zero only, 1 to `levels`, and one more for what is above the scale. `sum`: of the column, for shares.
function levelOf(value, maximum, levels, scale, exact, sum) {
  if (!(value > 0)) return 0;
  if (scale !== "share" && maximum <= 0) return 0;
  let ratio = value / maximum;
  if (scale === "share") ratio = Math.sqrt(value / sum);
  else if (value > maximum * (exact ? 1 : TOLERANCE) * (1 + ROUNDING)) return levels + 1;
  else if (scale === "sqrt") ratio = Math.sqrt(ratio);
  else if (scale === "log") ratio = 1 + Math.log10(ratio) / DECADES;
  return Math.min(Math.max(Math.ceil(ratio * levels - ROUNDING), 1), levels);
}
