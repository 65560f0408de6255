// The beginning: levels of zoom are unpacked, the coarse one first; and what printing changes.

function load(number) {
  if (series[number].of) return series[number].of.forEach((one) => load(one.series.number));
  if (series[number].loading) return;
  series[number].loading = true;
  unpack(number).catch((error) => tell(`The maps cannot be unpacked: the file is damaged (${error.message})`));
}

async function unpack(number) {
  const each = series[number];
  for (let place = 0; place < each.levels.length; place++) {
    const holder = document.getElementById(`level-${number}-${place}`);
    each.take(decodedLevel(each.levels[place], await unpacked(holder.textContent)));
    each.overview = null;
    for (const sum of series) if (sum.of) sum.overview = null;
    if ((each === one() || one().of) && one().finest) {
      shown = null;
      draw();
      root.dataset.drawn = one().isWhole ? "finest" : "first";
      if (!place) performance.mark("first picture");
      if (one().isWhole) performance.mark("finest");
      await new Promise((resolve) => setTimeout(resolve));
    }
    holder.remove();
  }
}

function begin() {
  [writeSeries, writeChoices, writeMoments, writeKeys].forEach((write) => write());
  load(state.series);
}

const printing = (is) => () => {
  state.printing = is;
  root.dataset.theme = is ? "light" : state.theme;
  writeMoments();
  draw();
};
window.addEventListener("resize", drawSoon);
window.addEventListener("beforeprint", printing(true));
window.addEventListener("afterprint", printing(false));
begin();
