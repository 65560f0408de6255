// All series added up, as window/series_sum.py does it: columns with the same end, or on the grid of a step; what all
// waited is the sum of what each series waited by itself. A gap is a time in which no series has data.

class Sum extends Series {
  constructor(about, number, steps, all) {
    super(about, number, steps);
    this.of = about.members.map((places, member) => ({ series: all[member], places }));
  }

  get finest() {
    const found = (this.of || []).map(({ series }) => series.finest);
    return found.length && found.every(Boolean) ? found.reduce((one, two) => (two.step > one.step ? two : one)) : null;
  }

  set finest(_) {}

  get isWhole() {
    return this.of.every(({ series }) => series.isWhole);
  }

  fitting(from, to, most) {
    const least = 1e6 * this.every,
      each = this.of.map(({ series }) => series.fitting(from, to, most));
    let step = Math.max(...each.map((level) => level.step));
    if (step || !haveSameEnds(each)) {
      step = this.steps.find(
        (one) => one >= step && one * 1.01 >= least && each.every(({ step: own }) => !own || one % own === 0),
      );
    }
    const levels = step ? this.of.map(({ series }) => series.level(step)) : each;
    return this.added(levels, step, from, to);
  }

  added(levels, step, from, to) {
    const parts = levels.map((level) => ({
      level,
      first: placeOf(level.ends, from + 1),
      stop: placeOf(level.starts, to),
    }));
    const keyOf = (level, column) => (step ? slotOf(level.starts[column], level.ends[column], step) : level.ends[column]);
    const columns = new Map();
    parts.forEach(({ level, first, stop }) => {
      for (let column = first; column < stop; column++) {
        const key = keyOf(level, column);
        if (!(level.flags[column] & GAP) && !columns.has(key)) columns.set(key, emptyColumn());
      }
    });
    parts.forEach((part, member) => this.addMember(part, member, keyOf, columns));
    return this.levelOf([...columns.values(), ...commonGaps(parts)], step);
  }

  addMember({ level, first, stop }, member, keyOf, columns) {
    const { series, places } = this.of[member],
      means = series.means(countsOf(level, first, stop));
    for (let column = first; column < stop; column++) {
      if (level.flags[column] & GAP) continue;
      const to = columns.get(keyOf(level, column));
      to.start = Math.min(to.start, level.starts[column]);
      to.end = Math.max(to.end, level.ends[column]);
      to.seconds = Math.max(to.seconds, level.seconds[column]);
      to.flags |= level.flags[column] | (isGuessed(level, column) ? ESTIMATED : 0);
      if (!isGuessed(level, column)) to.waited += level.waited[column];
    }
    level.ranges.forEach((range, number) =>
      eachCount(range, first, stop, (column, count) => {
        const to = columns.get(keyOf(level, column));
        to.counts.set(places[number], (to.counts.get(places[number]) || 0) + count);
        if (isGuessed(level, column)) to.waited += count * means[number];
      }),
    );
  }

  levelOf(columns, step) {
    columns.sort((one, two) => one.end - two.end || one.start - two.start);
    const size = columns.length,
      of = (name) => Float64Array.from(columns, (column) => column[name]);
    const ranges = this.ranges.place.map(() => ({ place: null, count: new Float64Array(size) }));
    columns.forEach(({ counts }, column) => counts.forEach((count, range) => (ranges[range].count[column] = count)));
    const [starts, ends, seconds, waited] = ["start", "end", "seconds", "waited"].map(of);
    const flags = Uint8Array.from(columns, (column) => column.flags);
    return { step, size, starts, ends, seconds, waited, flags, ranges, settled: true };
  }
}

const emptyColumn = () => ({ start: Infinity, end: 0, seconds: 0, waited: 0, flags: 0, counts: new Map() });

function haveSameEnds([first, ...others]) {
  return others.every(({ ends }) => ends.length === first.ends.length && ends.every((end, at) => end === first.ends[at]));
}

// The times of which all series have a gap, as columns.
function commonGaps(parts) {
  const each = parts.map(({ level, first, stop }) => {
    const found = [];
    for (let column = first; column < stop; column++) {
      if (level.flags[column] & GAP) found.push([level.starts[column], level.ends[column]]);
    }
    return found;
  });
  const common = each.reduce((ones, others) =>
    ones.flatMap(([start, end]) =>
      others
        .filter(([from, to]) => from < end && to > start)
        .map(([from, to]) => [Math.max(start, from), Math.min(end, to)]),
    ),
  );
  return common.map(([start, end]) => ({ ...emptyColumn(), start, end, flags: GAP }));
}
