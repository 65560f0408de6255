// The page: which part of which series it shows, and how it gets to another one.

performance.mark("script");
const about = JSON.parse(document.getElementById("about").textContent);
const series = [];
about.series.forEach((one, number) => series.push(new (one.members ? Sum : Series)(one, number, about.steps, series)));
const root = document.documentElement;
const [picture, over, readout, said] = ["picture", "over", "readout", "said"].map((id) => document.getElementById(id));
const SCALES = ["sqrt", "linear", "log", "share"],
  THEMES = ["dark", "light"];
const ZONES = [...new Set([about.zone.name, "UTC", "local"])];
const MOST_LISTED = 8,
  LEAST_DRAG = 5,
  NEAR_HANDLE = 9,
  EXTENT = about.end - about.begin;

const state = {
  series: about.first,
  from: about.begin,
  to: about.end,
  scale: about.scale,
  theme: root.dataset.theme,
  zone: ZONES[0],
  cursor: null,
  moment: -1,
  all: false,
  printing: false,
};
const trail = [];
let layout = null,
  shown = null,
  due = false,
  last = null;

const one = () => series[state.series];
const clock = () => {
  const offsets = { UTC: [[0, 0]], local: null };
  return new Clock(state.zone in offsets ? offsets[state.zone] : about.zone.offsets, about.zone.clock);
};
const look = () => about.colours[state.printing ? "light" : state.theme];
const isDated = (from, to) =>
  clock().real && (to - from > DAY * 1e6 || clock().parts(from).day !== clock().parts(to - 1e6).day);

// Whether the series is unpacked and drawn.
const isReady = () => shown !== null && shown.series === one();

function element(name, words = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = words;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function lengthWords() {
  const part = (state.to - state.from) / 1e6,
    whole = EXTENT / 1e6;
  return part > 0.999 * whole ? `all ${lastedText(whole)}` : `${lastedText(part)} of ${lastedText(whole)}`;
}

function view() {
  const { from, to, scale } = state;
  const moment = one().moments[state.moment];
  const whole = `all ${lastedText(EXTENT / 1e6)}`;
  return {
    from,
    to,
    scale,
    clock: clock(),
    dated: isDated(from, to),
    pinned: about.pinned,
    slo: about.slo,
    whole,
    printed: state.printing,
    length: from === about.begin && to === about.end ? whole : lastedText((to - from) / 1e6),
    marked: moment && [moment.begin, moment.end],
  };
}

function draw() {
  due = false;
  if (!one().finest) return;
  const width = picture.parentElement.clientWidth;
  const rows = one().bounds.length - 1;
  layout = layoutOf(width, state.printing ? 720 : window.innerHeight, rows);
  const most = (layout.right - layout.left) * Math.min(Math.max(window.devicePixelRatio || 1, 1), 2);
  const key = [state.series, state.from, state.to, most, one().finest.size].join();
  if (!shown || shown.key !== key) {
    shown = new Picture(one(), state.from, state.to, most);
    shown.key = key;
    writeFigures();
  }
  new Drawing(picture, layout, look(), view()).all(shown, overview());
  drawCursor();
}

function drawSoon() {
  if (!due) requestAnimationFrame(draw);
  due = true;
}

// Time waited per second over all that is there: [from, to, rate].
function overview() {
  const each = one();
  if (!each.overview) {
    const level = each.fitting(about.begin, about.end, 900);
    const means = each.means(countsOf(level, 0, level.size)),
      waited = new Float64Array(level.size);
    level.ranges.forEach((range, number) =>
      eachCount(range, 0, level.size, (column, count) => {
        if (!isMeasured(level, column)) waited[column] += count * means[number];
      }),
    );
    each.overview = Array.from(waited, (guess, column) => {
      const sum = isMeasured(level, column) ? level.waited[column] : guess,
        seconds = level.seconds[column];
      return [level.starts[column], level.ends[column], seconds ? sum / seconds : 0];
    });
  }
  return { rates: each.overview, begin: about.begin, end: about.end };
}

// Going somewhere.

function go(change, isStep = true) {
  if (isStep) trail.push({ series: state.series, from: state.from, to: state.to, moment: state.moment });
  Object.assign(state, change);
  if (!("cursor" in change) && ("from" in change || "series" in change)) state.cursor = null;
  if ("series" in change) writeSeries();
  writeMoments();
  drawSoon();
}

function show(from, to, change = {}) {
  if (!isReady()) return;
  const least = Math.min(Math.max(4 * Math.max(one().finest.step, 1e6 * one().every), 1e3), EXTENT);
  const length = Math.min(Math.max(to - from, least), EXTENT),
    middle = (from + to) / 2;
  const begin = Math.round(Math.min(Math.max(middle - length / 2, about.begin), about.end - length));
  if (begin === state.from && begin + length === state.to && !("moment" in change)) return;
  go({ from: begin, to: Math.round(begin + length), ...change });
}

// By a factor about a moment, as wheels and pinches do: many of them are one step back.
function zoomAbout(micros, factor) {
  const isMore = last === "wheel";
  const length = (state.to - state.from) * factor;
  const from = micros - (micros - state.from) * factor;
  const before = trail.length;
  show(from, from + length, { moment: state.moment });
  if (isMore && trail.length > before) trail.pop();
  last = "wheel";
}

function back() {
  const before = trail.pop();
  if (before) go({ ...before, moment: before.moment }, false);
  else tell("this is where it began");
}

function goToMoment(number) {
  const moment = one().moments[number];
  if (!moment) return tell("nothing stands out");
  if (!isReady()) return;
  const length = Math.max(3 * (moment.end - moment.begin), 120e6 * Math.max(one().every, one().finest.step / 1e6));
  const middle = (moment.begin + moment.end) / 2;
  show(middle - length / 2, middle + length / 2, { moment: number });
  tell(`${moment.sign} ${momentTime(moment)}: ${moment.what}${moment.cost ? `; ${moment.cost}` : ""}`);
}

// At first what cost most, then the next in time, or the one before.
function nextMoment(direction) {
  const { moments } = one();
  const order = moments
    .map((_, number) => number)
    .sort((first, second) => moments[first].begin - moments[second].begin);
  const at = order.indexOf(state.moment);
  goToMoment(at < 0 ? 0 : order[(at + direction + order.length) % order.length]);
}

function choose(number) {
  go({ series: (number + series.length) % series.length, moment: -1 });
  load(state.series);
  tell(`series ${one().name}`);
}

function change(values) {
  Object.assign(state, values);
  root.dataset.theme = state.theme;
  writeChoices();
  writeMoments();
  if (isReady()) writeFigures();
  drawSoon();
}

function tell(words) {
  said.textContent = words;
}
