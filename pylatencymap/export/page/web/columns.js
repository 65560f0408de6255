// Columns of a series at a level of zoom: unpacked and merged. Inverse of export/page/coding.py, and twin of
// `merged_columns` in export/page/columns.py: tests compare both.
//
// A level: step (microseconds; 0: as recorded), size, and by column starts, ends (epoch microseconds), seconds, waited,
// flags; ranges: of each range `count`, by column, or, if most are 0, only those at `place`.

const GAP = 1,
  RESET = 2,
  ESTIMATED = 4,
  DOUBT = 16;
const FAR = 255,
  PAST = 8,
  MARGIN = 1.05,
  DENSE = 8;

class Bytes {
  constructor(bytes, at, stop) {
    this.bytes = bytes;
    this.at = at;
    this.stop = stop;
  }

  varint() {
    let value = 0,
      factor = 1,
      byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }

  signed() {
    return unsigned(this.varint());
  }

  floats(size) {
    return new Float64Array(this.bytes.slice(this.at, this.at + 8 * size).buffer);
  }
}

const unsigned = (value) => (value % 2 ? -(value + 1) / 2 : value / 2);

function decodedLevel(about, bytes) {
  let at = 0;
  const [starts, lengths, seconds, waited, flags, near, far, places, counts] = about.bytes.map((size) => {
    at += size;
    return new Bytes(bytes, at - size, at);
  });
  const { size, step, bytes: sizes } = about;
  const level = { step, size, starts: new Float64Array(size), ends: new Float64Array(size) };
  level.flags = bytes.slice(flags.at, flags.at + size);
  let end = 0;
  for (let column = 0; column < size; column++) {
    level.starts[column] = end + starts.signed();
    end = level.ends[column] = level.starts[column] + step + lengths.signed();
  }
  level.seconds = decodedSeconds(about, seconds, level);
  level.waited = decodedWaited(about, waited);
  level.ranges = about.sparse.map(() => null);
  for (const range of about.dense) level.ranges[range] = { place: null, count: decodedDense(size, near, far) };
  const floats = about.whole ? null : counts.floats(sizes[8] / 8);
  let next = 0;
  about.sparse.forEach((size, range) => {
    if (level.ranges[range]) return;
    const place = new Uint32Array(size),
      count = new Float64Array(size);
    for (let number = 0, column = -1; number < size; number++) {
      place[number] = column += places.varint();
      count[number] = floats ? floats[next++] : counts.varint();
    }
    level.ranges[range] = { place, count };
  });
  return level;
}

function decodedSeconds(about, bytes, { size, starts, ends, flags }) {
  if (!about.seconds) return bytes.floats(size);
  const found = new Float64Array(size);
  for (let column = 0; column < size; column++) {
    const rest = bytes.signed();
    const length = flags[column] & GAP ? 0 : ends[column] - starts[column];
    found[column] = (length + rest) / about.seconds;
  }
  return found;
}

function decodedWaited(about, bytes) {
  if (about.waited < 0) return null;
  if (!about.waited) return bytes.floats(about.size);
  return Float64Array.from({ length: about.size }, () => bytes.varint() / about.waited);
}

function decodedDense(size, near, far) {
  const found = new Float64Array(size);
  let sum = 0;
  for (let column = 0; column < size; column++) {
    const byte = near.bytes[near.at++];
    const value = Math.floor(sum / PAST) + unsigned(byte < FAR ? byte : far.varint());
    found[column] = value;
    sum += value - (column >= PAST ? found[column - PAST] : 0);
  }
  return found;
}

// The step that an interval belongs to; slot s is (s - 1, s] steps after the epoch.
function slotOf(start, end, step) {
  const [low, high] = [start, end].map((moment) => Math.floor((moment + Math.floor(step / 2)) / step));
  return high > low ? high : Math.ceil((start + end) / (2 * step));
}

// The same counts in longer steps; see merged_columns.
function mergedLevel(level, step) {
  const { size, starts, ends } = level;
  const group = new Uint32Array(size);
  let groups = 0,
    slot = NaN,
    alone = false;
  for (let column = 0; column < size; column++) {
    const own = slotOf(starts[column], ends[column], step);
    const long = ends[column] - starts[column] > step * MARGIN;
    if (own !== slot || long || alone) groups++;
    [slot, alone] = [own, long];
    group[column] = groups - 1;
  }
  const merged = { step, size: groups, starts: new Float64Array(groups), ends: new Float64Array(groups) };
  merged.seconds = new Float64Array(groups);
  merged.flags = new Uint8Array(groups);
  merged.waited = level.waited && new Float64Array(groups);
  const gaps = new Uint8Array(groups).fill(GAP);
  for (let column = size - 1; column >= 0; column--) {
    const to = group[column];
    merged.starts[to] = starts[column];
    merged.ends[to] = Math.max(merged.ends[to], ends[column]);
    merged.seconds[to] += level.seconds[column];
    merged.flags[to] |= level.flags[column];
    gaps[to] &= level.flags[column];
    if (merged.waited) merged.waited[to] += level.waited[column];
  }
  for (let to = 0; to < groups; to++) merged.flags[to] = (merged.flags[to] & ~GAP) | gaps[to];
  merged.ranges = level.ranges.map((range) => mergedRange(range, group, groups));
  return merged;
}

function mergedRange({ place, count }, group, groups) {
  if (!place || count.length * DENSE > groups) {
    const sums = new Float64Array(groups);
    for (let number = 0; number < count.length; number++) sums[group[place ? place[number] : number]] += count[number];
    return { place: null, count: sums };
  }
  const places = new Uint32Array(count.length),
    sums = new Float64Array(count.length);
  let used = 0;
  for (let number = 0; number < count.length; number++) {
    const to = group[place[number]];
    if (!used || places[used - 1] !== to) places[used++] = to;
    sums[used - 1] += count[number];
  }
  return { place: places.slice(0, used), count: sums.slice(0, used) };
}

// The first of ascending numbers that is not less than a value.
function placeOf(numbers, value) {
  let low = 0,
    high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Calls use(column, count) for each column from `first` to `stop` - 1 that has events of a range.
function eachCount({ place, count }, first, stop, use) {
  if (!place) {
    for (let column = first; column < stop; column++) if (count[column]) use(column, count[column]);
    return;
  }
  for (let number = placeOf(place, first); number < place.length && place[number] < stop; number++) {
    use(place[number], count[number]);
  }
}

// Events of each range in the columns from `first` to `stop` - 1.
function countsOf(level, first, stop) {
  return level.ranges.map((range) => {
    let sum = 0;
    eachCount(range, first, stop, (_, count) => (sum += count));
    return sum;
  });
}
