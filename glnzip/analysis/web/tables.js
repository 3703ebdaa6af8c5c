// The tables of a file's figures.

const MODELS = { binary: "other data", code: "code, fonts, Java, Python", jpeg: "JPEG", image: "images" };
const SHARING = "Each bit's saving is shared among the inputs of the network in proportion to " +
  "what they added to its logit. Inputs that misled more than they led have saved less than " +
  "nothing. By what they remember, in bytes: ";

// A row: its name, texts or cells of its own, and a class.
function row(head, cells, name = "") {
  return element("tr", { class: name }, element("th", { scope: "row" }, head),
    ...cells.map((cell) => (cell instanceof Node ? cell : element("td", {}, cell))));
}

const blank = () => element("td", { class: "drawn" });
const body = (...rows) => element("tbody", {}, ...rows);

function table(caption, heads, bodies, feet) {
  const top = heads.map((head, i) =>
    (head || i === 0 ? element("th", { scope: "col" }, head) : blank()));
  return element("div", { class: "scroll" }, element("table", { "aria-label": caption },
    element("thead", {}, element("tr", {}, ...top)), ...bodies, element("tfoot", {}, ...feet)));
}

function block(title, note, ...content) {
  const notes = note ? [element("p", { class: "quiet" }, note)] : [];
  return element("div", {}, element("h3", {}, title), ...notes, ...content);
}

function bar(value, largest) {
  const drawn = element("span", { "aria-hidden": "true" });
  drawn.style.width = `${largest ? (100 * Math.abs(value)) / largest : 0}%`;
  if (value < 0) drawn.classList.add("lost");
  return element("td", { class: "drawn" }, drawn);
}

const sumOf = (list, key) => list.reduce((sum, each) => sum + each[key], 0);
const largestOf = (list, key) => Math.max(0, ...list.map((each) => Math.abs(each[key])));

// What the compressed file consists of.
function parts(file) {
  const data = { name: "the data, as the model sees them", bits: file.data_bits };
  const all = [data, ...file.overhead];
  const total = sumOf(all, "bits");
  const cells = (bits) => [number(bits, 1), bytesOf(bits), share(bits, total)];
  return block("The compressed file", null,
    table("The compressed file", ["part", "bits", "bytes", "share"],
      [body(...all.map((part) => row(part.name, cells(part.bits))))],
      [row("the compressed file", cells(total))]));
}

// What bytes of some kinds cost; with the rest they are the compressed file, if they are all.
function amounts(title, note, list, rest = null) {
  const largest = largestOf(list, "bits");
  const bits = sumOf(list, "bits");
  const cells = (amount, drawn) => [number(amount.bytes), bytesOf(amount.bits),
    perByte(amount.bits, amount.bytes), drawn];
  const feet = [row("all of it", cells({ bytes: sumOf(list, "bytes"), bits }, blank()))];
  if (rest !== null) {
    feet.push(row("headers and coder", ["", bytesOf(rest), "", blank()]),
      row("the compressed file", ["", bytesOf(bits + rest), "", blank()]));
  }
  const rows = list.map((each) => row(each.name, cells(each, bar(each.bits, largest))));
  return block(title, note,
    table(title, ["", "bytes", "compressed", "bits a byte", ""], [body(...rows)], feet));
}

// What others make of the data; the first size is that of the file.
function sizes(file) {
  const largest = largestOf(file.sizes, "bytes");
  const rows = [...file.sizes].sort((a, b) => a.bytes - b.bytes).map((size) =>
    row(size.name, [number(size.bytes), share(size.bytes, file.original_bytes),
      bar(size.bytes, largest)], size === file.sizes[0] ? "own" : ""));
  const gain = file.prior_gain;
  const verb = gain < 0 ? "costs" : "saves";
  const note = gain === null ? null : `The prior ${verb} ${number(Math.abs(gain))} bytes.`;
  return block("Beside others", note,
    table("Sizes", ["", "bytes", "of the data", ""], [body(...rows)], []));
}

// Shares that have a key in common, together; the most first, and what is of no context last.
function grouped(shares, key) {
  const groups = new Map();
  for (const each of shares) groups.set(each[key], [...(groups.get(each[key]) ?? []), each]);
  const found = [...groups].map(([name, rows]) => ({ name, rows, bits: sumOf(rows, "bits") }));
  const isMixing = (group) => Number(group.name === "mixing");
  return found.sort((a, b) => isMixing(a) - isMixing(b) || b.bits - a.bits);
}

// Which inputs of a block model have saved what; families open to their contexts.
function saving(saved) {
  const title = `What the model of ${MODELS[saved.block_model] ?? saved.block_model} saved`;
  const found = grouped(saved.shares, "family");
  const largest = largestOf(found, "bits");
  const before = 8 * saved.bytes;
  const cells = (bits, drawn) =>
    [bytesOf(bits), perByte(bits, saved.bytes), share(bits, before), drawn];
  const named = (name, more) => {
    const head = document.createDocumentFragment();
    head.append(name, element("small", {}, more));
    return head;
  };
  const bodies = found.flatMap((family) => {
    const inner = grouped(family.rows, "name").map((context) =>
      row(named(context.name, memories(context.rows)),
        cells(context.bits, bar(context.bits, largest))));
    const opened = element("tbody", { class: "rows", hidden: true }, ...inner);
    const head = named(opener(family.name, opened), families[family.name]);
    return [body(row(head, cells(family.bits, bar(family.bits, largest)))), opened];
  });
  const total = sumOf(saved.shares, "bits");
  const contexts = saved.shares.filter((each) => each.family !== "mixing");
  return block(title, `${SHARING}${memories(contexts)}.`,
    table(title, ["contexts", "bytes saved", "bits a byte", "of the data", ""], bodies, [
      row("saved", cells(total, blank())),
      row("still to be coded", cells(saved.bits, blank())),
      row("eight bits a byte", cells(before, blank())),
    ]));
}

function memories(shares) {
  const found = grouped(shares, "memory").filter((group) => group.name !== "mixing");
  return found.map((group) => `${group.name} ${bytesOf(group.bits)}`).join(", ");
}

// A button that shows and hides rows.
function opener(name, rows) {
  const made = element("button", { class: "more", type: "button", "aria-expanded": "false" }, name);
  made.addEventListener("click", () => {
    rows.hidden = !rows.hidden;
    made.setAttribute("aria-expanded", String(!rows.hidden));
  });
  return made;
}
