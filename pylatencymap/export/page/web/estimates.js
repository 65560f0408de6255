// Percentiles and time waited of counts per range. Twin of analysis/density.py, analysis/waited.py and
// analysis/ranks.py, whose reasons and names these functions have: tests compare both.

const LN2 = Math.log(2);
const TICKS = [1e-6, 10e-6, 100e-6, 1e-3, 4e-3, 10e-3, 15.625e-3];
const LEAST_BESIDE = 20,
  WIDE = 1.3,
  EDGE = 1e-9,
  SHORTEST = 1e-18,
  LONGEST = 1e18,
  NARROWEST = 1e-12;
const EMPTY = 0.5,
  STEEPEST = 4,
  STEEPEST_IN_BAND = 6,
  FLAT = 1e-9,
  CLOSE = 1e-12,
  FAR_TURN = 50,
  HALVINGS = 40,
  PRECISE = 1e-10;

const roundedEdges = (edges, tick) => edges.map((edge) => Math.ceil((edge / tick) * (1 - EDGE)) * tick);
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

function tickOf(counts, edges) {
  for (const tick of [...TICKS].reverse()) {
    const rounded = roundedEdges(edges, tick);
    const hollow = counts.map((_, place) => rounded[place + 1] - rounded[place] <= 0);
    if (counts.some((count, place) => hollow[place] && count > 0)) continue;
    const beside = [];
    for (let place = 0; place + 1 < counts.length; place++) {
      if (hollow[place + 1] && !hollow[place] && edges[place] > 0 && counts[place] > 0) beside.push(place);
    }
    const comb = beside.length > 1 || (beside.length && edges[beside[0] + 1] >= WIDE * edges[beside[0]]);
    if (tick < edges[edges.length - 1] && comb && sumOf(beside.map((place) => counts[place])) >= LEAST_BESIDE) {
      return tick;
    }
  }
  return 0;
}

// The first edges, or null, of buckets that hold a multiple of the tick.
function keptOnTicks(edges, tick) {
  const rounded = roundedEdges(edges, tick);
  const kept = [];
  for (let place = 0; place + 1 < edges.length; place++) if (rounded[place + 1] - rounded[place] > 0) kept.push(place);
  return kept.length ? { rounded, kept } : null;
}

function onTicks(counts, edges, tick) {
  const found = keptOnTicks(edges, tick);
  if (!found) return [counts, edges];
  const { rounded, kept } = found;
  const sums = kept.map((place, number) => {
    const begin = number ? place : 0,
      stop = number + 1 < kept.length ? kept[number + 1] : counts.length;
    return sumOf(counts.slice(begin, stop));
  });
  return [sums, [...kept.map((place) => rounded[place]), rounded[rounded.length - 1]]];
}

// Counts with an empty bucket at each end; null without events. `tick`: null to look for one.
function logHistogram(counts, edges, tick) {
  if (tick === null) tick = tickOf(counts, edges);
  const [total, bounds] = tick ? onTicks(counts, edges, tick) : [counts, edges];
  const first = total.findIndex((count) => count > 0);
  if (first < 0) return null;
  let last = total.length - 1;
  while (!(total[last] > 0)) last--;
  const inside = [0, ...total.slice(first, last + 1), 0];
  return { counts: inside, tick, ...geometryOf(bounds.slice(first, last + 2), inside) };
}

function geometryOf(bounds, counts) {
  const clipped = (edge) => (edge > 0 && edge < Infinity ? Math.min(Math.max(edge, SHORTEST), LONGEST) : edge);
  const inner = bounds.map(clipped),
    size = inner.length;
  const logs = inner.map(Math.log2);
  if (!Number.isFinite(logs[0])) logs[0] = Number.isFinite(logs[1]) ? logs[1] - 1 : 0;
  if (!Number.isFinite(logs[size - 1])) logs[size - 1] = logs[size - 2] + 1;
  const all = [2 * logs[0] - logs[1], ...logs, 2 * logs[size - 1] - logs[size - 2]];
  const octaves = counts.map((_, place) => Math.max(all[place + 1] - all[place], NARROWEST));
  const beside = (place, other) => {
    if (other < 0 || other >= counts.length) return octaves[place];
    return counts[other] > 0 ? octaves[other] : Math.min(octaves[place], octaves[other]);
  };
  return {
    edges: [inner[0], ...inner, inner[size - 1]],
    logs: all,
    octaves,
    left: octaves.map((_, place) => beside(place, place - 1)),
    right: octaves.map((_, place) => beside(place, place + 1)),
    begins: all.slice(0, -1).map((log) => 2 ** log),
  };
}

function bucketTurns(histogram) {
  const { counts, octaves, left, right } = histogram;
  const filled = counts.map((count) => (count > 0 ? count : EMPTY));
  return counts.map((_, place) => {
    if (!place || place + 1 === counts.length) return 0;
    const before = Math.log(filled[place - 1] / left[place]),
      after = Math.log(filled[place + 1] / right[place]);
    const apart = ((octaves[place] + left[place]) * LN2) / 2 + ((octaves[place] + right[place]) * LN2) / 2;
    const turn = ((after - before) / apart) * octaves[place] * LN2;
    return Math.min(Math.max(turn, -STEEPEST), STEEPEST);
  });
}

const grown = (turn) => {
  const safe = Math.abs(turn) < 1e-9 ? 1e-9 : turn;
  return Math.expm1(safe) / safe;
};

function bucketMeans(histogram) {
  const { edges, octaves, begins } = histogram;
  const turns = bucketTurns(histogram),
    last = begins.length - 1;
  const means = begins.map((begin, place) => {
    if (!place || place === last) return begin;
    return (begin * grown(turns[place] + octaves[place] * LN2)) / grown(turns[place]);
  });
  if (edges[last] === Infinity) means[last - 1] = edges[last - 1];
  if (edges[1] <= 0) means[1] = edges[2] === Infinity ? 0 : edges[2] / 2;
  return means;
}

// The mean latency of the events of each row in seconds; the lower edge of a row without events.
function rowMeans(counts, edges, tick) {
  const histogram = logHistogram(counts, edges, tick);
  if (!histogram) return edges.slice(0, -1);
  const means = bucketMeans(histogram),
    inner = histogram.edges.slice(1, -1);
  const found = histogram.tick ? keptOnTicks(edges, histogram.tick) : null;
  let number = -1;
  return counts.map((_, place) => {
    let lower = edges[place];
    if (found) {
      while (number + 1 < found.kept.length && found.kept[number + 1] <= place) number++;
      lower = found.rounded[found.kept[Math.max(number, 0)]];
    }
    let bucket = 0;
    while (bucket < inner.length && inner[bucket] <= lower) bucket++;
    return histogram.counts[bucket] > 0 ? means[bucket] : edges[place];
  });
}

// By how much the logarithm of the density rises along each bucket: the estimate, and by each neighbour alone.
function allTurns(histogram) {
  const { counts, octaves, left, right } = histogram;
  const filled = counts.map((count) => (count > 0 ? count : EMPTY));
  const clipped = (turn, limit) => Math.min(Math.max(turn, -limit), limit);
  return counts.map((_, place) => {
    const level = Math.log(filled[place] / octaves[place]),
      width = octaves[place] * LN2;
    const before = place ? Math.log(filled[place - 1] / left[place]) : level;
    const after = place + 1 < counts.length ? Math.log(filled[place + 1] / right[place]) : level;
    const toLeft = ((octaves[place] + left[place]) * LN2) / 2,
      toRight = ((octaves[place] + right[place]) * LN2) / 2;
    return [
      clipped(((after - before) / (toLeft + toRight)) * width, STEEPEST),
      clipped(((level - before) / toLeft) * width, STEEPEST_IN_BAND),
      clipped(((after - level) / toRight) * width, STEEPEST_IN_BAND),
    ];
  });
}

// Seconds waited in each bucket, with the least and the most that nothing can pass, such that they sum to `exact`; null
// if that sum does not fit the counts.
function bucketTimes(histogram, exact) {
  const { counts, octaves, begins } = histogram,
    last = counts.length - 2;
  const isOpen = histogram.edges[last + 1] === Infinity;
  const edges = isOpen
    ? [...histogram.edges.slice(0, -2), histogram.edges[last], histogram.edges[last]]
    : histogram.edges;
  const means = allTurns(histogram).map((turns, place) => {
    return turns.map((turn) => (begins[place] * grown(turn + octaves[place] * LN2)) / grown(turn));
  });
  const least = counts.map((count, place) => count * edges[place]);
  const most = counts.map((count, place) => count * edges[place + 1]);
  const noise = counts.map((count, place) => (count * (edges[place + 1] - edges[place]) ** 2) / 12);
  const value = counts.map((count, place) => count * means[place][0]);
  const low = counts.map((count, place) => count * Math.min(...means[place]));
  const high = counts.map((count, place) => count * Math.max(...means[place]));
  if (isOpen) {
    value[last] = low[last] = least[last];
    high[last] = most[last] = Infinity;
  }
  if (edges[1] <= 0) {
    [value[1], low[1], high[1]] = [most[1] === Infinity ? 0 : most[1] / 2, 0, most[1]];
  }
  const unsure = low.map((lowest, place) => ((high[place] - lowest) / 2) ** 2 + noise[place]);
  return meeting({ value, least, most }, unsure, exact);
}

function meeting({ value, least, most }, unsure, exact) {
  const slack = CLOSE * exact;
  if (!(sumOf(least) - slack <= exact && exact <= sumOf(most) + slack)) return null;
  for (let round = 0; round < value.length; round++) {
    const missing = exact - sumOf(value),
      limit = missing > 0 ? most : least;
    let weight = unsure.map((one, place) => (Math.abs(limit[place] - value[place]) > slack ? one : 0));
    if (weight.includes(Infinity)) weight = weight.map((one) => (one === Infinity ? 1 : 0));
    const whole = sumOf(weight);
    if (Math.abs(missing) <= slack || whole <= 0) break;
    value = value.map((one, place) => {
      return Math.min(Math.max(one + missing * (weight[place] / whole), least[place]), most[place]);
    });
  }
  return { value, least, most };
}

// By how much the logarithm of the density rises along a bucket whose events have this mean latency.
function turnOfMean(mean, begin, octaves) {
  const wanted = Math.log(mean / begin),
    width = octaves * LN2;
  const once = (turn) => (Math.abs(turn) > 1e-9 ? Math.expm1(turn) / turn : 1);
  const rise = (turn) => (Math.abs(turn) > 1e-4 ? 1 / -Math.expm1(-turn) - 1 / turn : 0.5 + turn / 12);
  let low = -FAR_TURN,
    high = FAR_TURN,
    turn = 0;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const missing = wanted - Math.log(once(turn + width) / once(turn));
    if (Math.abs(missing) < PRECISE * wanted) break;
    if (missing > 0) low = turn;
    else high = turn;
    const nearer = turn + missing / (rise(turn + width) - rise(turn));
    turn = low < nearer && nearer < high ? nearer : (low + high) / 2;
  }
  return turn;
}

// The latencies in seconds of some ranks, 0 to 1; null without events. `exact`: the seconds that all events waited, if
// the source sums, else null. `beyond`: only a lower limit is known.
function percentilesOf(counts, edges, ranks, tick, exact = null) {
  const histogram = logHistogram(counts, edges, tick);
  if (!histogram) return null;
  const found = new Ranks(histogram, exact === null ? null : bucketTimes(histogram, exact), exact);
  const opened = edges[edges.length - 1] === Infinity ? counts[counts.length - 1] : 0;
  return ranks.map((rank) => ({
    seconds: found.value(rank * found.weight),
    beyond: rank * found.weight > found.weight - opened,
  }));
}

class Ranks {
  constructor(histogram, times, exact) {
    Object.assign(this, histogram);
    this.times = times;
    this.turns = bucketTurns(histogram);
    let sum = 0;
    this.upto = histogram.counts.map((count) => (sum += count));
    this.weight = sum;
    if (!times) return;
    this.means = times.value.map((value, place) => value / (histogram.counts[place] || 1));
    this.limits = [exact - sumOf(times.least), exact - sumOf(times.most)];
  }

  value(wanted) {
    const { counts, edges, upto } = this;
    let place = upto.findIndex((count) => count >= wanted);
    if (place < 0) place = upto.length - 1;
    while (!counts[place] && place + 1 < counts.length) place++;
    const value = this.inside(place, wanted);
    if (!this.times) return value;
    const [begin, end] = [edges[place], edges[place + 1]],
      events = counts[place];
    const low = end < Infinity ? this.limits[1] + end * events : 0,
      high = this.limits[0] + begin * events;
    return Math.min(Math.max(value, this.atLeast(place, wanted, low)), this.atMost(place, wanted, high));
  }

  inside(place, wanted) {
    const { counts, edges, logs, upto } = this;
    if (edges[place + 1] === Infinity) return edges[place];
    const part = Math.min(Math.max((wanted - upto[place] + counts[place]) / (counts[place] || 1), 0), 1);
    if (edges[place] <= 0) return part ** this.power(place) * edges[place + 1];
    const octaves = logs[place + 1] - logs[place],
      mean = this.times ? this.means[place] : 0;
    const turn = mean > 0 ? turnOfMean(mean, edges[place], octaves) : this.turns[place];
    const at = part >= 1 || Math.abs(turn) <= FLAT ? part : Math.log1p(part * Math.expm1(turn)) / turn;
    return 2 ** (logs[place] + at * octaves);
  }

  power(place) {
    if (!this.times) return 1;
    return this.means[place] > 0 ? this.edges[place + 1] / this.means[place] - 1 : Infinity;
  }

  // The least, and the greatest, latency of an event in a bucket that waited so many seconds.
  atLeast(place, wanted, waited) {
    const [begin, end] = [this.edges[place], this.edges[place + 1]],
      events = this.counts[place];
    const below = Math.min(Math.ceil(wanted * (1 - CLOSE)) - this.upto[place] + events, events);
    if (below <= 0 || end === Infinity) return begin;
    return Math.max(begin, end - Math.max(end * events - waited, 0) / below);
  }

  atMost(place, wanted, waited) {
    const [begin, end] = [this.edges[place], this.edges[place + 1]],
      events = this.counts[place];
    const above = Math.min(this.upto[place] - Math.floor(wanted * (1 + CLOSE)), events);
    if (above <= 0) return end;
    return Math.min(end, begin + Math.max(waited - begin * events, 0) / above);
  }
}

// Seconds waited in each range of one column. `measured`: they sum to `sum`, and each range moves towards its limit by
// the same part; else each event counts as the mean of its range.
function columnTimes(counts, means, lower, upper, sum, measured) {
  const times = counts.map((count, range) => count * means[range]);
  if (!measured) return times;
  const missing = sum - sumOf(times);
  const room = counts.map((count, range) => {
    return Math.max(count * (missing > 0 ? upper[range] - means[range] : means[range] - lower[range]), 0);
  });
  const whole = sumOf(room);
  const part = whole > 0 ? Math.min(Math.max(missing / whole, -1), 1) : 0;
  const moved = times.map((time, range) => time + room[range] * part);
  const reached = sumOf(moved);
  return moved.map((time) => time * (reached > 0 ? sum / reached : 1));
}
