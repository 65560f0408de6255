// The texts around the maps: moments, figures, and the buttons that choose.

// A name of more characters is cut before so many at its end: series by a key differ there.
const LONG_NAME = 28,
  NAME_END = 16;

function momentTime({ begin, end, sign }) {
  if ("RM".includes(sign)) end = begin;
  const minute = end - begin >= 600e6 ? 6e7 : 1e6;
  const [from, to] = [begin, end].map((at) => Math.round(at / minute) * minute);
  return clock().span(from, to, isDated(about.begin, about.end));
}

function writeMoments() {
  const list = document.querySelector("#moments ol"),
    { moments } = one();
  const some = state.all || state.printing ? moments : moments.slice(0, MOST_LISTED);
  list.replaceChildren(
    ...some.map((moment, number) => {
      const button = element("button", "", { "aria-current": number === state.moment });
      const sign = element("b", moment.sign),
        when = element("b", momentTime(moment));
      button.append(
        sign,
        when,
        element("span", moment.what + (moment.cost ? `; ${moment.cost}` : ""), { class: "what" }),
      );
      button.onclick = () => goToMoment(number);
      const item = element("li");
      item.append(button);
      return item;
    }),
  );
  if (some.length < moments.length) {
    const more = element("button", `and ${moments.length - some.length} more`, { class: "dim" });
    more.onclick = () => {
      state.all = true;
      writeMoments();
    };
    list.append(more);
  }
  if (!moments.length) list.append(element("li", "nothing stands out"));
}

function table(name, caption, rows) {
  const made = element("table", "", { class: name });
  made.append(element("caption", caption));
  for (const [head, ...cells] of rows) {
    const line = made.insertRow();
    line.append(element("th", head, { scope: "row" }));
    cells.forEach(([words, kind]) => line.append(element("td", words, kind ? { class: kind } : {})));
  }
  return made;
}

// Figures are those of the part that is shown; modes, which take more than a script, those of all.
function writeFigures() {
  const { figures, level, inside, beyond } = shown,
    { noun, modes } = one();
  const isAll = state.from === about.begin && state.to === about.end;
  const time =
    beyond > inside ? clock().span(level.starts[inside], level.ends[beyond - 1], isDated(about.begin, about.end)) : "";
  const length = lengthWords(),
    step = lastedText((shown.level.step || 1e6 * one().every) / 1e6);
  const heading = (isAll ? length[0].toUpperCase() + length.slice(1) : `${length}: ${time}`) + `, columns of ${step}`;
  document.querySelector("#figures h2").textContent = heading;
  const whole = `of all ${lastedText(EXTENT / 1e6)}`,
    { slow, bands } = one();
  const rows = modes.map(({ range, events, waited }) => [
    range,
    [`${shareText(events, "0 %")} of ${noun}`, "frequency"],
    [`${shareText(waited, "0 %")} of the wait`, "intensity"],
  ]);
  if (slow) {
    const shares = [`${slow[0]} slower`, `${slow[1]} of the wait`];
    rows.push([`SLO ${latencyText(about.slo)}`, [shares[0], "frequency"], [shares[1], "intensity"]]);
  }
  const ranks = [],
    sums = [figures.seconds ? eventsText(figures.events, noun) : "no data, which is not zero"];
  if (figures.seconds)
    sums.push(
      `${exactText(figures.events / figures.seconds)}/s`,
      `${waitedText(figures.waited / figures.seconds)} waited`,
    );
  if (figures.events) {
    ranks.push(["avg", [(figures.averageBeyond ? ">= " : "") + measuredText(figures.average)]]);
    figures.percentiles.forEach((rank, number) => ranks.push([["p50", "p90", "p99"][number], [rankText(rank) + (isAll ? bands[number] : "")]]));
  }
  document
    .querySelector("#figures div")
    .replaceChildren(
      element("p", sums.join(", ")),
      ...(rows.length ? [table("modes", (modes.length ? (slow ? "modes and SLO " : "modes ") : "SLO ") + whole, rows)] : []),
      ...(ranks.length ? [table("ranks", isAll ? whole.slice(3) : lengthOf((state.to - state.from) / 1e6), ranks)] : []),
    );
}

function choice(name, values, chosen, use) {
  const group = element("div", "", { class: "choice", role: "group", "aria-label": name });
  if (name === "colour") group.append(element("span", name));
  for (const value of values) {
    const button = element("button", value, { "aria-pressed": value === chosen });
    button.onclick = () => use(value);
    group.append(button);
  }
  return group;
}

function writeChoices() {
  const active = document.activeElement?.closest("#choices") && document.activeElement.textContent;
  document.getElementById("choices").replaceChildren(
    choice("colour", SCALES, state.scale, (scale) => change({ scale })),
    ...(about.zone.clock ? [choice("zone", ZONES, state.zone, (zone) => change({ zone }))] : []),
    choice("background", THEMES, state.theme, (theme) => change({ theme })),
  );
  if (active) [...document.querySelectorAll("#choices button")].find((each) => each.textContent === active)?.focus();
}

function writeSeries() {
  const tabs = document.getElementById("series"),
    active = document.activeElement?.getAttribute("role") === "tab";
  tabs.classList.toggle("many", series.length > MOST_LISTED);
  tabs.replaceChildren(
    ...series.map((each, number) => {
      const isChosen = number === state.series;
      const tab = element("button", "", {
        role: "tab",
        "aria-selected": isChosen,
        tabindex: isChosen ? 0 : -1,
        title: each.name,
        "aria-label": each.name,
      });
      const letters = [...each.name],
        part = (...ends) => letters.slice(...ends).join("");
      if (letters.length <= LONG_NAME) tab.textContent = each.name;
      else tab.append(element("span", part(0, -NAME_END)), element("span", part(-NAME_END), { class: "end" }));
      tab.onclick = () => choose(number);
      return tab;
    }),
  );
  if (active) tabs.children[state.series].focus();
  tabs.children[state.series].scrollIntoView({ block: "nearest", inline: "nearest" });
  picture.setAttribute("aria-label", `Heat maps of the latency of ${one().name} over time`);
}
