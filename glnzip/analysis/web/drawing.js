// What is drawn of a strip: costs as colours over the whole file, and as bars over a part of it.

const STEPS = [0.05, 0.2, 0.5, 1, 2, 3.5, 5, 8]; // bits a byte at which colours change
const COLOURS = STEPS.length + 1;
const KIND_COLOURS = 7;
const PALEST_BAR = 3; // paler ones would not be seen
const MOST_BITS = 16; // a byte, that bars can show

function colourOf(bits) {
  let step = 0;
  while (step < STEPS.length && bits >= STEPS[step]) step++;
  return step;
}

// A canvas at the resolution of the screen, and what to draw with.
function begun(canvas) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const colours = Array.from({ length: COLOURS }, (_, i) => colour(`c${i}`));
  const { width, height } = canvas;
  return { pen: canvas.getContext("2d"), width, height, ratio, colour, colours };
}

function drawWhole(strip) {
  const { pen, width, height, ratio, colour, colours } = begun(strip.whole);
  const { view, from, to } = strip;
  if (!view.bytes) return;
  const band = strip.kinds.length > 1 ? 7 * ratio : 0;
  const per = view.bytes / width;
  for (let x = 0; x < width; x++) {
    pen.fillStyle = colours[colourOf(view.bits(x * per, (x + 1) * per) / per)];
    pen.fillRect(x, 0, 1, height - band);
  }
  drawKinds(strip, pen, colour, { from: 0, to: view.bytes, width, top: height - band, band });
  if (to - from === view.bytes) return;
  pen.strokeStyle = colour("text");
  pen.lineWidth = 2 * ratio;
  const wide = Math.max(4 * ratio, (to - from) / per - 2 * ratio);
  pen.strokeRect(from / per + ratio, ratio, wide, height - 2 * ratio);
}

// A band below, in the colours of the kinds of blocks.
function drawKinds(strip, pen, colour, { from, to, width, top, band }) {
  if (strip.kinds.length < 2) return;
  const per = (to - from) / width;
  let before = -1;
  for (const region of strip.view.regions) {
    const end = region.offset + region.bytes;
    if (end <= from || region.offset >= to) continue;
    const x = Math.floor(Math.max(0, (region.offset - from) / per));
    const right = Math.ceil(Math.min(width, (end - from) / per));
    if (right <= before) continue; // thousands of small ones share a pixel
    pen.fillStyle = colour(`k${strip.kinds.indexOf(region.kind) % KIND_COLOURS}`);
    pen.fillRect(x, top, right - x, band);
    before = right;
  }
}

function drawPart(strip) {
  const { pen, width, height, ratio, colour, colours } = begun(strip.part);
  const { view, from, to } = strip;
  if (!view.bytes) return;
  const floor = height - 9 * ratio;
  const per = (to - from) / width;
  const { values, step } = barsOf(view, from, per, width);
  const top = Math.max(8, Math.min(MOST_BITS, Math.ceil(Math.max(...values))));
  const y = (bits) => floor - (Math.min(bits, top) / top) * (floor - 14 * ratio);
  values.forEach((bits, i) => {
    pen.fillStyle = colours[Math.max(PALEST_BAR, colourOf(bits))];
    pen.fillRect(i * step, y(bits), step, floor - y(bits));
  });
  drawScale(pen, colour, ratio, width, y);
  drawKinds(strip, pen, colour, { from, to, width, top: floor, band: 5 * ratio });
  pen.fillStyle = colour("text"); // below: what is shown byte by byte
  const x = (strip.at - from) / per;
  const shown = Math.max(3 * ratio, Math.min(strip.shownBytes / per, width - x));
  pen.fillRect(x, height - 3 * ratio, shown, 3 * ratio);
}

// The heights of bars, one for some bytes or, where a byte has several pixels, one for each.
function barsOf(view, from, per, width) {
  const step = Math.max(1, Math.floor(1 / per));
  const many = Math.max(per, 1);
  const values = [];
  for (let x = 0; x < width; x += step) {
    const a = from + (per >= 1 ? x * per : Math.floor(x * per));
    const b = Math.min(a + many, view.bytes);
    values.push(b > a ? view.bits(a, b) / (b - a) : 0);
  }
  return { values, step };
}

function drawScale(pen, colour, ratio, width, y) {
  pen.fillStyle = colour("quiet");
  pen.strokeStyle = colour("panel");
  pen.lineWidth = 3 * ratio;
  pen.font = `${10 * ratio}px system-ui, sans-serif`;
  for (const bits of [2, 4, 8]) {
    pen.globalAlpha = 0.35;
    pen.fillRect(0, y(bits), width, 1);
    pen.globalAlpha = 1;
    const label = bits === 8 ? "8 bits a byte" : String(bits);
    pen.strokeText(label, 3 * ratio, y(bits) - 3 * ratio); // readable upon bars
    pen.fillText(label, 3 * ratio, y(bits) - 3 * ratio);
  }
}
