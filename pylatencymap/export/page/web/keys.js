// Keys, and the buttons and the help that name them.

const help = document.getElementById("help");
const KEYS = [
  ["wheel", "zoom", null, "zooms about the pointer; two fingers do so too"],
  ["drag", "select", null, "zooms into the time; in the line below it moves what is shown, or an end of it"],
  ["n", "next moment", () => nextMoment(1), "what cost most, then the next moment; N: the one before"],
  ["N", "", () => nextMoment(-1), ""],
  ["Backspace", "back", back, "takes back the last step"],
  [
    "Tab",
    "series",
    () => choose(state.series + 1),
    "the next series, Shift-Tab the one before; Esc leaves the maps, and then Tab goes from button to button",
  ],
  [
    "c",
    "colour",
    () => change({ scale: SCALES[(SCALES.indexOf(state.scale) + 1) % SCALES.length] }),
    "sqrt, linear, log, share of the column",
  ],
  ["a", "all", () => show(about.begin, about.end), "all that is kept"],
  ["p", "print", () => window.print(), "prints what is shown, on white"],
  ["?", "how to read it", () => help.showModal(), ""],
  ["arrows", "", null, "move the cursor; Shift: ten cells"],
  ["[ ]", "", null, "less and more time, about the cursor"],
  ["PgUp PgDn", "", null, "one screen back and forward"],
];
const middle = () => {
  if (!state.cursor || !isReady()) return (state.from + state.to) / 2;
  return Math.min(Math.max(shown.middle(state.cursor.column), state.from), state.to);
};
const pan = (part) => show(state.from + part * (state.to - state.from), state.to + part * (state.to - state.from));
const ACTIONS = {
  ...Object.fromEntries(KEYS.filter(([, , use]) => use).map(([key, , use]) => [key, use])),
  Escape: () =>
    state.cursor
      ? point(null)
      : document.activeElement === picture && document.querySelector("#choices button").focus(),
  ArrowLeft: (by) => moveCursor(-by, 0),
  ArrowRight: (by) => moveCursor(by, 0),
  ArrowUp: (by) => moveCursor(0, by),
  ArrowDown: (by) => moveCursor(0, -by),
  "[": () => zoomAbout(middle(), 0.5),
  "]": () => zoomAbout(middle(), 2),
  PageUp: () => pan(-1),
  PageDown: () => pan(1),
  Home: () => pan(-1e9),
  End: () => pan(1e9),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open || !shown) return;
  const active = document.activeElement,
    free = active === document.body || active === picture;
  let use = ACTIONS[event.key];
  if (event.key === "Tab")
    use = free && series.length > 1 ? () => choose(state.series + (event.shiftKey ? -1 : 1)) : null;
  if (active?.getAttribute("role") === "tab" && /^Arrow(Left|Right)$/.test(event.key))
    use = () => choose(state.series + (event.key === "ArrowLeft" ? -1 : 1));
  if (/^[1-9]$/.test(event.key) && event.key <= series.length) use = () => choose(Number(event.key) - 1);
  if (!use) return;
  event.preventDefault();
  if (!"[]".includes(event.key)) last = event.key;
  use(event.shiftKey ? 10 : 1);
});

function writeKeys() {
  const keys = document.getElementById("keys");
  for (const [key, words, use, told] of KEYS) {
    if (told) help.querySelector("dl").append(element("dt", key), element("dd", told));
    if (!words) continue;
    const made = element(use ? "button" : "span", "", use ? {} : { class: "mouse" });
    made.append(element("b", key), words);
    if (use)
      made.onclick = () => {
        last = key;
        use(1);
      };
    keys.append(made);
  }
}
