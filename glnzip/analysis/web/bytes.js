// Single bytes, in the colour of what they cost: as text, or as hexadecimal digits.

const TEXT_BYTES = 4096; // shown at a time
const HEX_BYTES = 2048;
const ROW = 16;

function coloured(view, text, at, count, odd) {
  const colour = colourOf(view.bitsOf(at, count) / count);
  const made = element("span", { class: `c${colour}${odd ? " odd" : ""}` }, text);
  made.dataset.at = String(at);
  made.dataset.count = String(count);
  return made;
}

function asText(view, from) {
  const end = Math.min(view.data.length, from + TEXT_BYTES);
  const shown = [];
  for (let at = from; at < end; ) {
    const { text, count, odd } = character(view.data, at);
    shown.push(coloured(view, text, at, count, odd));
    if (view.data[at] === 10) shown.push("\n");
    at += count;
  }
  return shown;
}

function asHex(view, from) {
  const end = Math.min(view.data.length, from + HEX_BYTES);
  const shown = [];
  for (let row = from; row < end; row += ROW) {
    shown.push(element("span", { class: "offset" }, `${row.toString(16).padStart(8, "0")}  `));
    let aside = "";
    for (let i = 0; i < ROW; i++) {
      const byte = row + i < end ? view.data[row + i] : null;
      shown.push(byte === null ? "  " : coloured(view, hex(byte), row + i, 1, false));
      shown.push(i === ROW / 2 - 1 ? "  " : " ");
      if (byte !== null) aside += byte > 32 && byte < 127 ? String.fromCharCode(byte) : ".";
    }
    shown.push(element("span", { class: "aside" }, ` ${aside}`), "\n");
  }
  return shown;
}
