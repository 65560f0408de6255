// Numbers, latencies and moments as texts. Twin of units.py, number_text.py and view/wording: tests compare both.

const DAY = 86400;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

// As Python rounds: exactly, and what lies just between two texts to the even digit.
function fixed(value, decimals) {
  const scaled = Math.abs(value) * 10 ** decimals;
  const between = scaled % 1 === 0.5 && Number.isInteger(value * 2 ** (decimals + 1));
  if (!between) return value.toFixed(decimals);
  const even = Math.sign(value) * 2 * Math.round(scaled / 2);
  return (even / 10 ** decimals).toFixed(decimals);
}

function measuredDigits(value) {
  let decimals = 0;
  while (decimals < 2 && Number(fixed(value, decimals + 1)) * 10 ** (decimals + 1) < 1000) decimals++;
  return fixed(value, decimals);
}

function threeDigits(value) {
  const text = measuredDigits(value);
  return /\.0*$/.test(text) ? text.split(".")[0] : text;
}

function inUnit(seconds) {
  for (const [scale, name] of [
    [1e-9, "ns"],
    [1e-6, "us"],
    [1e-3, "ms"],
  ]) {
    if (seconds < 999.5 * scale) return [seconds / scale, name];
  }
  return seconds < DAY ? [seconds, "s"] : [seconds / DAY, "d"];
}

function latencyText(seconds) {
  const [value, unit] = inUnit(seconds);
  return `${threeDigits(value)} ${unit}`;
}

function measuredText(seconds) {
  const [value, unit] = inUnit(seconds);
  return seconds > 0 ? `${measuredDigits(value)} ${unit}` : "0 s";
}

function rangeText(lower, upper) {
  if (upper === Infinity) return `over ${latencyText(lower)}`;
  if (lower <= 0) return `< ${latencyText(upper)}`;
  const [low, high] = [latencyText(lower).split(" "), latencyText(upper).split(" ")];
  return low[1] === high[1] ? `${low[0]}-${high[0]} ${high[1]}` : `${low.join(" ")}-${high.join(" ")}`;
}

function suffixed(value) {
  const scales = [
    [1, ""],
    [1e3, "k"],
    [1e6, "M"],
    [1e9, "G"],
    [1e12, "T"],
  ];
  const [scale, suffix] = scales.find(([one]) => value < 999.5 * one) || scales[4];
  return [value / scale, suffix];
}

function countText(value, none = "") {
  if (value <= 0) return none;
  if (value < 0.95) return "<1";
  const [scaled, suffix] = suffixed(value);
  return suffix ? measuredDigits(scaled) + suffix : fixed(value, 0);
}

function exactText(value) {
  if (value <= 0) return "0";
  if (value < 0.005) return "<0.01";
  return value < 9999.5 ? threeDigits(value) : countText(value);
}

// A whole number with all its digits.
function wholeText(value) {
  const [whole, part] = (Number.isInteger(value) ? String(value) : fixed(value, 2)).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? `.${part}` : "");
}

function eventsText(events, noun) {
  return `${wholeText(events)} ${events === 1 ? noun.replace(/s$/, "") : noun}`;
}

function shareText(share, none = "") {
  if (share <= 0) return none;
  if (share >= 0.995 && share < 1 - 1e-9) return ">99 %";
  return share < 0.01 ? "<1 %" : `${fixed(share * 100, 0)} %`;
}

function percentText(share) {
  if (share <= 0) return "0 %";
  if (share < 0.001) return "<0.1 %";
  if (share < 0.0995) return `${fixed(share * 100, 1)} %`;
  return share >= 0.995 && share < 1 ? ">99 %" : `${fixed(share * 100, 0)} %`;
}

function waitedUnit(rate) {
  if (rate >= 10) return [1, "s/s"];
  return rate >= 1e-3 || rate <= 0 ? [1e3, "ms/s"] : [1e6, "us/s"];
}

function waitedText(rate) {
  const [factor, unit] = waitedUnit(rate);
  const value = rate * factor;
  return `${value >= 0.005 && value < 9999.5 ? measuredDigits(value) : exactText(value)} ${unit}`;
}

function scaleText(maximum, inSeconds) {
  if (inSeconds) return latencyText(maximum);
  if (maximum < 1) return String(Number(maximum.toPrecision(3)));
  const [scaled, suffix] = suffixed(maximum);
  return threeDigits(scaled) + suffix;
}

const SPANS = [
  ["d", DAY],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
];

// A duration: 20 ms, 0.50 s, 72 s, 12 min, 2 h 5 min, 3 d.
function spanText(seconds) {
  if (seconds > 0 && seconds < 0.1) return latencyText(seconds);
  const whole = Number(fixed(seconds, 0));
  const exact = SPANS.slice(0, 3).find(([, unit]) => whole === unit);
  if (exact) return `1 ${exact[0]}`;
  if (seconds < 120) return `${seconds < 10 ? threeDigits(seconds) : whole} s`;
  const place = SPANS.findIndex(([, unit]) => whole >= 2 * unit);
  const [[first, unit], [second, part]] = [SPANS[place], SPANS[place + 1]];
  const parts = Number(fixed(whole / part, 0)),
    size = unit / part;
  const large = Math.floor(parts / size),
    small = parts % size;
  return small ? `${large} ${first} ${small} ${second}` : `${large} ${first}`;
}

// As spanText, but 1.02 s is 1 s: tools do not keep time exactly.
function lastedText(seconds) {
  const whole = Number(fixed(seconds, 0));
  return spanText(whole && Math.abs(seconds - whole) <= 0.05 * whole ? whole : seconds);
}

// The clock of one zone. `offsets`: [since, seconds to add to UTC], or null for that of this computer.
class Clock {
  constructor(offsets, real) {
    this.offsets = offsets;
    this.real = real;
  }

  // Microseconds whose UTC reading is the wall clock of the zone.
  wall(micros) {
    if (!this.offsets) return micros - new Date(micros / 1e3).getTimezoneOffset() * 6e7;
    let offset = this.offsets[0][1];
    for (const [since, seconds] of this.offsets) if (since <= micros) offset = seconds;
    return micros + offset * 1e6;
  }

  // Each number of microseconds by which the zone is ahead of UTC between two moments.
  shifts(from, to) {
    const looked = Array.from({ length: 25 }, (_, place) => from + Math.round(((to - from) * place) / 24));
    const changes = (this.offsets || []).map(([since]) => since).filter((since) => from <= since && since <= to);
    return [...new Set([...looked, ...changes].map((micros) => this.wall(micros) - micros))];
  }

  parts(micros) {
    const two = (number) => String(number).padStart(2, "0");
    const at = new Date(this.wall(Math.round(micros / 1e6) * 1e6) / 1e3);
    return {
      year: at.getUTCFullYear(),
      day: `${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`,
      weekday: WEEKDAYS[at.getUTCDay()],
      time: `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`,
      seconds: two(at.getUTCSeconds()),
    };
  }

  // The time since 0, of a source without a clock.
  elapsed(micros) {
    const two = (number) => String(number).padStart(2, "0");
    const seconds = Math.floor(micros / 1e6),
      minutes = Math.floor(seconds / 60),
      hours = Math.floor(minutes / 60);
    return hours ? `+${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `+${minutes}:${two(seconds % 60)}`;
  }

  // From when to when: Tue 03-03 03:20-03:25, with seconds where they are not 0. `dated`: with the day.
  span(begin, end, dated) {
    if (!this.real) return begin === end ? this.elapsed(begin) : `${this.elapsed(begin)} to ${this.elapsed(end)}`;
    const [first, last] = [this.parts(begin), this.parts(end)];
    const exact = first.seconds !== "00" || last.seconds !== "00";
    const [from, to] = [first, last].map((one) => one.time + (exact ? `:${one.seconds}` : ""));
    const day = dated ? `${first.day} ` : "";
    if (begin === end) return day + from;
    const midnight = to.startsWith("00:00") && this.wall(end) - this.wall(begin) <= DAY * 1e6;
    if (first.day === last.day || (midnight && !dated)) return `${day}${from}-${to}`;
    return `${first.day} ${from} to ${last.day} ${to}`;
  }
}
