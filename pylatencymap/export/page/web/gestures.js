// What pointer, wheel and fingers do.

const touches = new Map();
let drag = null,
  pointed = 0,
  apart = 0;

const placeIn = (event) => {
  const box = picture.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

function miniPart(x, y) {
  if (y < layout.mini - 4 || y > layout.mini + 32) return null;
  const at = (micros) => layout.left + ((micros - about.begin) / EXTENT) * (layout.right - layout.left);
  const near = NEAR_HANDLE * (layout.narrow ? 2 : 1);
  if (Math.abs(x - at(state.from)) < near) return "from";
  if (Math.abs(x - at(state.to)) < near) return "to";
  return x > at(state.from) && x < at(state.to) ? "part" : "outside";
}

picture.addEventListener("pointerdown", (event) => {
  if (!isReady() || event.button) return;
  const [x, y] = placeIn(event);
  touches.set(event.pointerId, x);
  last = null;
  if (touches.size === 2) {
    apart = Math.abs([...touches.values()][0] - [...touches.values()][1]);
    drag = null;
    return;
  }
  const mini = miniPart(x, y);
  drag = { mini, x, began: { from: state.from, to: state.to }, moved: false };
  if (mini === "outside") {
    const micros = about.begin + ((x - layout.left) / (layout.right - layout.left)) * EXTENT,
      half = (state.to - state.from) / 2;
    show(micros - half, micros + half);
    drag = { mini: "part", x, began: { from: state.from, to: state.to }, moved: true };
  }
  if (!mini && y > layout.axis - 10 && y < layout.axis + 10) {
    const number = one().moments.findIndex((moment) => moment.sign && Math.abs(xOf(moment.begin) - x) < 10);
    if (number >= 0) {
      drag = null;
      goToMoment(number);
      return;
    }
  }
  picture.setPointerCapture(event.pointerId);
});

const xOf = (micros) => layout.left + ((micros - state.from) / (state.to - state.from)) * (layout.right - layout.left);

picture.addEventListener("pointermove", (event) => {
  if (!isReady()) return;
  const [x, y] = placeIn(event);
  if (touches.has(event.pointerId)) touches.set(event.pointerId, x);
  if (touches.size === 2) return pinch();
  if (drag && Math.abs(x - drag.x) >= LEAST_DRAG) drag.moved = true;
  if (drag && drag.moved) return drag.mini ? dragMini(x) : dragOver(x);
  pointed = y >= layout.tops[1] - 20 ? 1 : 0;
  picture.style.cursor = { from: "ew-resize", to: "ew-resize", part: "grab", outside: "pointer" }[miniPart(x, y)] || "";
  if (event.pointerType === "mouse") point(cellAt(x, y));
});

function pinch() {
  const [one, two] = [...touches.values()],
    now = Math.abs(one - two);
  if (apart > 10 && now > 10) zoomAbout(microsAt((one + two) / 2), apart / now);
  apart = now;
}

function dragOver(x) {
  drag.to = Math.min(Math.max(x, layout.left), layout.right);
  state.cursor = null;
  drawCursor();
}

function drawDrag(pen) {
  const [from, to] = [Math.min(Math.max(drag.x, layout.left), layout.right), drag.to].sort((one, two) => one - two);
  pen.fillStyle = look().ground;
  pen.globalAlpha = 0.58;
  pen.fillRect(layout.left, layout.tops[0], from - layout.left, layout.axis - layout.tops[0]);
  pen.fillRect(to, layout.tops[0], layout.right - to, layout.axis - layout.tops[0]);
  pen.globalAlpha = 1;
  pen.fillStyle = look().text;
  for (const x of [from, to]) pen.fillRect(x - 0.5, layout.tops[0], 1, layout.axis - layout.tops[0]);
}

function dragMini(x) {
  const by = ((x - drag.x) / (layout.right - layout.left)) * EXTENT,
    { from, to } = drag.began;
  const isStep = !drag.stepped;
  drag.stepped = true;
  const [begin, end] = {
    from: [Math.min(from + by, to), to],
    to: [from, Math.max(to + by, from)],
    part: [from + by, to + by],
  }[drag.mini];
  const before = trail.length;
  show(
    Math.max(begin, drag.mini === "part" ? -Infinity : about.begin),
    Math.min(end, drag.mini === "part" ? Infinity : about.end),
  );
  if (!isStep && trail.length > before) trail.pop();
}

function released(event) {
  touches.delete(event.pointerId);
  if (!drag || event.type === "pointercancel") {
    drag = null;
    drawCursor();
    return;
  }
  const { x, to, mini, moved } = drag;
  drag = null;
  const [atX, atY] = placeIn(event);
  if (!moved && !mini) {
    pointed = atY >= layout.tops[1] - 20 ? 1 : 0;
    point(cellAt(atX, atY));
    return;
  }
  if (to === undefined) return;
  const [first, second] = [microsAt(x), microsAt(to)].sort((one, two) => one - two);
  showColumns(first, second);
}

// Whole columns, so that what is shown is what the figures are of.
function showColumns(first, second) {
  const { level } = shown;
  const from = Math.min(placeOf(level.ends, first + 1), level.size - 1),
    to = Math.max(placeOf(level.starts, second) - 1, from);
  show(Math.max(columnTime(level, from)[0], about.begin), Math.min(columnTime(level, to)[1], about.end));
  tell("");
}

picture.addEventListener("pointerup", released);
picture.addEventListener("pointercancel", released);
picture.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !drag && point(null));
picture.addEventListener(
  "wheel",
  (event) => {
    if (!isReady() || event.ctrlKey) return;
    event.preventDefault();
    const [x] = placeIn(event);
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return pan(event.deltaX / 1000);
    zoomAbout(
      microsAt(Math.min(Math.max(x, layout.left), layout.right)),
      1.0015 ** Math.min(Math.max(event.deltaY, -400), 400),
    );
  },
  { passive: false },
);
