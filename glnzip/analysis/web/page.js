// The page: a section for each file.

function headline(file) {
  const pair = (term, value) =>
    element("div", {}, element("dt", {}, term), element("dd", {}, value));
  return element("dl", { class: "headline" },
    pair("original", `${number(file.original_bytes)} bytes`),
    pair("compressed", `${number(file.compressed_bytes)} bytes`),
    pair("share", share(file.compressed_bytes, file.original_bytes) || "-"),
    pair("bits a byte", perByte(8 * file.compressed_bytes, file.original_bytes) || "-"),
    pair("level", String(file.level)), pair("prior", file.prior_id ?? "none"));
}

function tablesOf(file) {
  const rest = sumOf(file.overhead, "bits");
  const asSeen = file.unpacked.length ? "Of the data as the model sees them." : null;
  const found = [parts(file), sizes(file),
    amounts("By kind of block", null, file.kinds, rest),
    amounts("By kind of byte", asSeen, file.classes, rest)];
  if (file.unpacked.length) {
    found.push(amounts("What packed data are to the model",
      "They are unpacked for it, and packed again when they are decompressed.", file.unpacked));
  }
  for (const saved of file.savings) {
    found.push(saving(saved));
    found.at(-1).classList.add("wide");
  }
  return element("div", { class: "tables" }, ...found);
}

function section(file, id, strip) {
  return element("section", { class: "file", id, "aria-labelledby": `${id}-name` },
    element("h2", { id: `${id}-name` }, file.file), headline(file),
    ...(strip ? [strip.root] : []), tablesOf(file));
}

function contentsOf(ids) {
  const rows = files.map((file, i) => {
    const sizes = `${number(file.original_bytes)} \u2192 ${number(file.compressed_bytes)} bytes`;
    const ratio = share(file.compressed_bytes, file.original_bytes);
    return element("li", {}, element("a", { href: `#${ids[i]}` }, file.file), ` ${sizes}, ${ratio}`);
  });
  return element("nav", { "aria-label": "Files" }, element("ul", {}, ...rows));
}

const ids = files.map((_, i) => `file-${i + 1}`);
const strips = files.map((file) =>
  (file.original_bytes ? new Strip(file.views.map((view) => new View(view))) : null));
document.getElementById("files").replaceChildren(...(files.length > 1 ? [contentsOf(ids)] : []),
  ...files.map((file, i) => section(file, ids[i], strips[i])));
if (files.length === 1) document.title = `Where the bits of ${files[0].file} went`;

// Canvases have a size, and a colour, once they are in the page; both may change.
const redraw = () => strips.forEach((strip) => strip?.draw());
redraw();
window.addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
