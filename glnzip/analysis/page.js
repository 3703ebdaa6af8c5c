"use strict";
// Draws the figures that stand in this page. Data are hostile: they reach the page as text nodes
// only, and what could turn writing round or hide is named instead of shown.
(() => {
  const SCALE = 63.75; // a cost is (byte / SCALE) squared: see page.py
  const STEPS = [0.05, 0.2, 0.5, 1, 2, 3.5, 5, 8]; // bits a byte at which colours change
  const COLOURS = STEPS.length + 1;
  const TEXT_BYTES = 4096; // shown at a time
  const HEX_BYTES = 2048;
  const ROW = 16;
  const KINDS = 7; // colours of kinds of blocks
  const MODELS = { binary: "other data", code: "x86 code", jpeg: "JPEG", image: "images" };
  const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;

  const { files, families } = JSON.parse(document.getElementById("figures").textContent);

  const number = (value, digits = 0) =>
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const bytesOf = (bits) => number(bits / 8, 1);
  const perByte = (bits, bytes) => (bytes ? number(bits / bytes, 3) : "");
  const share = (part, whole) => (whole ? number((100 * part) / whole, 1) + " %" : "");

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key in made && typeof value !== "string") made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  function decoded(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }

  const colourOf = (bits) => {
    let step = 0;
    while (step < STEPS.length && bits >= STEPS[step]) step++;
    return step;
  };

  // ---- tables ----

  function table(caption, heads, rows, feet = []) {
    const line = (cells, first = "row") =>
      element("tr", {}, ...cells.map((cell, i) => (cell instanceof Node ? cell : i
        ? element("td", {}, cell)
        : element("th", { scope: first }, cell))));
    return element("div", { class: "scroll" }, element("table", { "aria-label": caption },
      element("thead", {}, element("tr", {},
        ...heads.map((head, i) => (head || !i ? element("th", { scope: "col" }, head)
          : element("td", { class: "drawn" }))))),
      ...(rows instanceof Array && rows[0] instanceof HTMLElement ? rows
        : [element("tbody", {}, ...rows.map((row) => line(row)))]),
      element("tfoot", {}, ...feet.map((row) => line(row)))));
  }

  function bar(value, largest) {
    const drawn = element("span", { "aria-hidden": "true" });
    drawn.style.width = `${largest ? (100 * Math.abs(value)) / largest : 0}%`;
    if (value < 0) drawn.classList.add("lost");
    return element("td", { class: "drawn" }, drawn);
  }

  const blank = () => element("td", { class: "drawn" });

  const block = (title, note, ...content) =>
    element("div", {}, element("h3", {}, title),
      ...(note ? [element("p", { class: "quiet" }, note)] : []), ...content);

  const overheadBits = (file) => file.overhead.reduce((sum, part) => sum + part.bits, 0);

  function parts(file) {
    const rows = [{ name: "the data, as the model sees them", bits: file.data_bits }, ...file.overhead];
    const total = rows.reduce((sum, part) => sum + part.bits, 0);
    const made = table("The compressed file", ["part", "bits", "bytes", "share"],
      rows.map((part) => [part.name, number(part.bits, 1), bytesOf(part.bits), share(part.bits, total)]),
      [["the compressed file", number(total, 1), bytesOf(total), share(total, total)]]);
    made.dataset.total = total / 8;
    return block("The compressed file", null, made);
  }

  function amounts(title, note, file, list, whole) {
    const sum = (key) => list.reduce((total, row) => total + row[key], 0);
    const largest = Math.max(...list.map((row) => row.bits), 0);
    const over = overheadBits(file);
    const feet = [["all of it", number(sum("bytes")), bytesOf(sum("bits")),
      perByte(sum("bits"), sum("bytes")), blank()]];
    if (whole) {
      feet.push(["headers and coder", "", bytesOf(over), "", blank()]);
      feet.push(["the compressed file", "", bytesOf(sum("bits") + over), "", blank()]);
    }
    const made = table(title, ["", "bytes", "compressed", "bits a byte", ""],
      list.map((row) => [row.name, number(row.bytes), bytesOf(row.bits),
        perByte(row.bits, row.bytes), bar(row.bits, largest)]), feet);
    made.dataset.total = (sum("bits") + over) / 8;
    made.dataset.bytes = sum("bytes");
    return block(title, note, made);
  }

  function sizes(file) {
    const largest = Math.max(...file.sizes.map((size) => size.bytes), 0);
    const own = file.sizes[0];
    const rows = [...file.sizes].sort((a, b) => a.bytes - b.bytes).map((size) => {
      const row = element("tr", {}, element("th", { scope: "row" }, size.name),
        element("td", {}, number(size.bytes)),
        element("td", {}, share(size.bytes, file.original_bytes)), bar(size.bytes, largest));
      if (size === own) row.className = "own";
      return row;
    });
    const gain = file.prior_gain;
    const note = gain === null ? null : gain >= 0
      ? `The prior saves ${number(gain)} bytes.` : `The prior costs ${number(-gain)} bytes.`;
    return block("Beside others", note, table("Sizes", ["", "bytes", "of the data", ""],
      [element("tbody", {}, ...rows)]));
  }

  function grouped(shares, key) {
    const groups = new Map();
    for (const each of shares) {
      const name = each[key];
      if (!groups.has(name)) groups.set(name, { name, bits: 0, rows: [] });
      groups.get(name).bits += each.bits;
      groups.get(name).rows.push(each);
    }
    const found = [...groups.values()];
    found.sort((a, b) => (a.name === "mixing") - (b.name === "mixing") || b.bits - a.bits);
    return found;
  }

  function saving(saved) {
    const before = 8 * saved.bytes;
    const title = `What the model of ${MODELS[saved.block_model] ?? saved.block_model} saved`;
    if (saved.shares === null) {
      return block(title, `${number(saved.bytes)} bytes, ${bytesOf(saved.bits)} compressed. ` +
        "Not split: its inputs are not told apart.");
    }
    const found = grouped(saved.shares, "family");
    const largest = Math.max(...found.map((family) => Math.abs(family.bits)), 0);
    const row = (head, bits) => element("tr", {}, element("th", { scope: "row" }, ...head),
      element("td", {}, bytesOf(bits)), element("td", {}, perByte(bits, saved.bytes)),
      element("td", {}, share(bits, before)), bar(bits, largest));
    const bodies = [];
    for (const family of found) {
      const inner = element("tbody", { class: "rows", hidden: true });
      for (const context of grouped(family.rows, "name")) {
        const memories = context.rows.filter((each) => each.memory !== "mixing")
          .sort((a, b) => b.bits - a.bits).map((each) => `${each.memory} ${bytesOf(each.bits)}`);
        inner.append(row([context.name, element("small", {}, memories.join(", "))], context.bits));
      }
      const more = element("button", { class: "more", type: "button", "aria-expanded": "false" },
        family.name);
      more.addEventListener("click", () => {
        inner.hidden = !inner.hidden;
        more.setAttribute("aria-expanded", String(!inner.hidden));
      });
      const meaning = element("small", {}, families[family.name]);
      bodies.push(element("tbody", {}, row([more, meaning], family.bits)), inner);
    }
    const total = saved.shares.reduce((sum, each) => sum + each.bits, 0);
    const made = table(title, ["contexts", "bytes saved", "bits a byte", "of the data", ""], bodies, [
      ["saved", bytesOf(total), perByte(total, saved.bytes), share(total, before), blank()],
      ["still to be coded", bytesOf(saved.bits), perByte(saved.bits, saved.bytes),
        share(saved.bits, before), blank()],
      ["eight bits a byte", bytesOf(before), perByte(before, saved.bytes), share(before, before),
        blank()],
    ]);
    made.dataset.saved = total;
    made.dataset.sum = total + saved.bits;
    const each = grouped(saved.shares.filter((one) => one.family !== "mixing"), "memory")
      .map((group) => `${group.name} ${bytesOf(group.bits)}`).join(", ");
    return block(title, "Each bit's saving is shared among the inputs of the network in proportion " +
      "to what they added to its logit. Inputs that misled more than they led have saved less than " +
      `nothing. By what they remember, in bytes: ${each}.`, made);
  }

  // ---- the strip ----

  class View {
    constructor(figures) {
      Object.assign(this, figures);
      this.data = decoded(figures.data);
      this.costs = Float32Array.from(decoded(figures.costs), (q) => (q / SCALE) ** 2);
      this.sums = new Float64Array(this.costs.length + 1);
      for (let i = 0; i < this.costs.length; i++) this.sums[i + 1] = this.sums[i] + this.costs[i];
      this.cellSums = [0];
      for (const bits of this.cells) this.cellSums.push(this.cellSums.at(-1) + bits);
    }

    // Bits of the bytes from a to b, which may be fractions.
    bits(a, b) {
      if (b <= this.costs.length && b - a < 4 * this.cell) return this.#at(this.sums, b) - this.#at(this.sums, a);
      return this.#at(this.cellSums, b / this.cell, this.bytes / this.cell) -
        this.#at(this.cellSums, a / this.cell, this.bytes / this.cell);
    }

    #at(sums, place, end = sums.length - 1) {
      const i = Math.min(Math.floor(place), sums.length - 1);
      if (i + 1 >= sums.length) return sums[i];
      const width = Math.min(1, end - i); // the last cell may be short
      return sums[i] + (sums[i + 1] - sums[i]) * Math.min(1, (place - i) / width);
    }

    regionAt(place) {
      let low = 0;
      let high = this.regions.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.regions[middle].offset <= place) low = middle;
        else high = middle - 1;
      }
      return this.regions[low];
    }
  }

  class Strip {
    constructor(file, views) {
      this.views = views;
      this.file = file;
      this.kinds = [...new Set(views.flatMap((view) => view.regions.map((region) => region.kind)))];
      this.mode = "auto";
      this.root = this.#build();
      this.show(0);
    }

    show(index) {
      this.view = this.views[index];
      this.from = 0;
      this.to = this.view.bytes;
      this.at = 0;
      this.refresh();
    }

    #build() {
      const button = (label, title, action) => {
        const made = element("button", { type: "button", title, "aria-label": title }, label);
        made.addEventListener("click", action);
        return made;
      };
      this.whole = element("canvas", { class: "whole", role: "img" });
      this.part = element("canvas", { class: "part", role: "slider", tabindex: "0",
        "aria-label": "Place in the data. Arrows move, plus and minus zoom, 0 shows all." });
      this.ends = element("div", { class: "ends quiet" });
      this.reading = element("p", { class: "reading quiet", role: "status" });
      this.pane = element("pre", { class: "bytes", tabindex: "0", role: "region" });
      this.note = element("p", { class: "quiet" });
      this.modes = ["auto", "text", "hex"].map((mode) => {
        const made = button(mode, `Show bytes as ${mode}`, () => {
          this.mode = mode;
          this.refresh();
        });
        made.dataset.mode = mode;
        return made;
      });
      const place = element("input", { type: "text", inputmode: "numeric",
        "aria-label": "Go to byte number", placeholder: "go to byte" });
      place.addEventListener("change", () => {
        const wanted = Number(place.value.replace(/[^0-9]/g, ""));
        this.moveTo(wanted);
      });
      const controls = element("div", { class: "controls" },
        button("\u2212", "Zoom out", () => this.zoom(2)),
        button("+", "Zoom in", () => this.zoom(0.5)),
        button("all", "Show all", () => this.zoom(Infinity)),
        button("\u2190", "Bytes before", () => this.page(-1)),
        button("\u2192", "Bytes after", () => this.page(1)), place,
        element("span", { class: "gap" }), ...this.modes);
      const choice = element("div", { class: "controls", role: "group", "aria-label": "What is shown" });
      this.choices = this.views.map((view, i) => {
        const made = button(view.label, `Show ${view.label}`, () => this.show(i));
        choice.append(made);
        return made;
      });
      this.whole.addEventListener("pointerdown", (event) => this.#drag(event));
      this.whole.addEventListener("pointermove", (event) => event.buttons && this.#drag(event));
      this.part.addEventListener("pointermove", (event) => this.#tell(event));
      this.part.addEventListener("pointerleave", () => this.#read());
      this.part.addEventListener("click", (event) => this.moveTo(this.#placeOf(event, this.from, this.to)));
      this.part.addEventListener("dblclick", () => this.zoom(0.25));
      this.part.addEventListener("keydown", (event) => this.#key(event));
      this.pane.addEventListener("pointermove", (event) => this.#tellByte(event.target));
      this.pane.addEventListener("pointerleave", () => this.#read());
      this.pane.addEventListener("keydown", (event) => this.#step(event));
      return element("div", { class: "panel" },
        ...(this.views.length > 1 ? [choice] : []), this.whole, this.part, this.ends, controls,
        this.reading, this.pane, this.note, this.#legend());
    }

    #legend() {
      const list = element("ul", { class: "legend", "aria-label": "Colours" });
      for (let step = 0; step < COLOURS; step++) {
        const mark = element("i", { class: `c${step}` });
        const label = step === 0 ? `below ${STEPS[0]} bits a byte`
          : step === STEPS.length ? `${STEPS[step - 1]} and more` : `${STEPS[step - 1]} to ${STEPS[step]}`;
        list.append(element("li", {}, mark, label));
      }
      if (this.kinds.length < 2) return list;
      const kinds = element("ul", { class: "legend", "aria-label": "Kinds of blocks" });
      this.kinds.forEach((kind, i) => {
        const mark = element("i");
        mark.style.background = `var(--k${i % KINDS})`;
        kinds.append(element("li", {}, mark, kind));
      });
      return element("div", {}, list, kinds);
    }

    get shownBytes() {
      return this.asText ? TEXT_BYTES : HEX_BYTES;
    }

    get asText() {
      if (this.mode !== "auto") return this.mode === "text";
      const view = this.view;
      const sample = view.data.subarray(this.at, this.at + 512);
      let odd = 0;
      for (const byte of sample) odd += byte < 9 || (byte > 13 && byte < 32) || byte === 127;
      return odd * 20 <= sample.length && !(sample.length && looksBroken(sample));
    }

    moveTo(place) {
      const view = this.view;
      this.at = Math.max(0, Math.min(Math.floor(place), view.bytes - 1));
      const width = this.to - this.from;
      if (this.at < this.from || this.at >= this.to) {
        this.from = Math.max(0, Math.min(Math.floor(this.at - width / 2), view.bytes - width));
        this.to = this.from + width;
      }
      this.refresh();
    }

    page(direction) {
      this.moveTo(this.at + direction * (this.asText ? TEXT_BYTES : HEX_BYTES));
    }

    zoom(factor) {
      const view = this.view;
      const least = Math.min(64, view.bytes);
      const width = Math.min(view.bytes, Math.max(least, Math.round((this.to - this.from) * factor)));
      const kept = (this.at - this.from) / (this.to - this.from || 1);
      this.from = Math.round(Math.max(0, Math.min(this.at - kept * width, view.bytes - width)));
      this.to = this.from + width;
      this.refresh();
    }

    #drag(event) {
      const centre = this.#placeOf(event, 0, this.view.bytes);
      const width = this.to - this.from;
      if (width < this.view.bytes) {
        this.from = Math.round(Math.max(0, Math.min(centre - width / 2, this.view.bytes - width)));
        this.to = this.from + width;
      }
      this.moveTo(centre);
    }

    #placeOf(event, from, to) {
      const box = event.currentTarget.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
      return Math.min(to - 1, Math.floor(from + part * (to - from)));
    }

    #key(event) {
      const width = this.to - this.from;
      const moves = { ArrowRight: width / 50, ArrowLeft: -width / 50, ArrowUp: width / 50,
        ArrowDown: -width / 50, PageDown: width / 2, PageUp: -width / 2 };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in moves) {
        const by = moves[event.key];
        this.moveTo(this.at + Math.sign(by) * Math.max(1, Math.round(Math.abs(by))));
      }
      else if (event.key === "Home") this.moveTo(0);
      else if (event.key === "End") this.moveTo(this.view.bytes - 1);
      else if (event.key === "+" || event.key === "=") this.zoom(0.5);
      else if (event.key === "-") this.zoom(2);
      else if (event.key === "0") this.zoom(Infinity);
      else return;
      event.preventDefault();
    }

    #step(event) {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      const spans = [...this.pane.querySelectorAll("span[data-at]")];
      const now = spans.findIndex((span) => span.classList.contains("here"));
      const next = spans[now < 0 ? 0 : Math.max(0, Math.min(now + by, spans.length - 1))];
      if (!next) return;
      if (now >= 0) spans[now].classList.remove("here");
      next.classList.add("here");
      next.scrollIntoView({ block: "nearest" });
      this.#tellByte(next);
      event.preventDefault();
    }

    #tell(event) {
      const per = (this.to - this.from) / event.currentTarget.clientWidth;
      const place = this.#placeOf(event, this.from, this.to);
      this.#readSpan(place, Math.min(this.view.bytes, place + Math.max(1, Math.round(per))));
    }

    #tellByte(target) {
      const span = target.closest("span[data-at]");
      if (!span) return;
      const at = Number(span.dataset.at);
      const count = Number(span.dataset.count || 1);
      const hex = [...this.view.data.subarray(at, at + count)]
        .map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
      let bits = 0;
      for (let i = at; i < at + count; i++) bits += this.view.costs[i];
      const which = count > 1 ? `bytes ${number(at)} to ${number(at + count - 1)}` : `byte ${number(at)}`;
      this.reading.textContent = `${which}: ${hex}, ${number(bits, 2)} bits, ${this.view.regionAt(at).kind}`;
    }

    #read() {
      if (this.view.bytes) this.#readSpan(this.from, this.to);
    }

    #readSpan(a, b) {
      const bits = this.view.bits(a, b);
      const kind = this.view.regionAt(a).kind;
      const last = this.view.regionAt(b - 1).kind;
      const cost = b - a > 1 ? `about ${bytesOf(bits)} bytes compressed, ${perByte(bits, b - a)} bits a byte`
        : `about ${number(bits, 2)} bits`;
      const which = b - a > 1 ? `bytes ${number(a)} to ${number(b - 1)}` : `byte ${number(a)}`;
      this.reading.textContent = `${which}: ${cost}, ${kind === last ? kind : `${kind} to ${last}`}`;
    }

    refresh() {
      const view = this.view;
      const text = this.asText;
      this.views.forEach((each, i) => this.choices[i].setAttribute("aria-pressed", String(each === view)));
      for (const mode of this.modes) mode.setAttribute("aria-pressed", String(mode.dataset.mode === this.mode));
      this.ends.replaceChildren(element("span", {}, number(this.from)),
        element("span", {}, number(Math.max(0, this.to - 1))));
      this.#ariaOfPlace();
      this.#drawWhole();
      this.#drawPart();
      this.pane.classList.toggle("hex", !text);
      this.pane.replaceChildren(...(text ? this.#textSpans() : this.#hexSpans()));
      this.pane.scrollTop = 0;
      const end = Math.min(view.data.length, this.at + this.shownBytes);
      this.pane.setAttribute("aria-label", `Bytes ${number(this.at)} to ${number(Math.max(0, end - 1))}`);
      const notes = [];
      if (view.note) notes.push(view.note);
      if (view.data.length < view.bytes) {
        notes.push(`Single bytes are in this page up to byte ${number(view.data.length - 1)}; ` +
          "the strip shows all.");
      }
      this.note.textContent = notes.join(" ");
      this.#read();
    }

    #ariaOfPlace() {
      const part = this.part;
      part.setAttribute("aria-valuemin", "0");
      part.setAttribute("aria-valuemax", String(Math.max(0, this.view.bytes - 1)));
      part.setAttribute("aria-valuenow", String(this.at));
      const here = Math.min(this.view.bytes, this.at + this.shownBytes);
      const cost = this.view.bytes ? perByte(this.view.bits(this.at, here), here - this.at) : "0";
      part.setAttribute("aria-valuetext", `byte ${number(this.at)}, ${cost} bits a byte from there on`);
      this.whole.setAttribute("aria-label", `Cost over all ${number(this.view.bytes)} bytes`);
    }

    #canvas(canvas) {
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
      canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
      const style = getComputedStyle(document.documentElement);
      const colour = (name) => style.getPropertyValue(`--${name}`).trim();
      return { pen: canvas.getContext("2d"), width: canvas.width, height: canvas.height, ratio, colour };
    }

    #drawWhole() {
      const { pen, width, height, ratio, colour } = this.#canvas(this.whole);
      const view = this.view;
      if (!view.bytes) return;
      const band = this.kinds.length > 1 ? 7 * ratio : 0;
      const per = view.bytes / width;
      const colours = Array.from({ length: COLOURS }, (_, i) => colour(`c${i}`));
      for (let x = 0; x < width; x++) {
        pen.fillStyle = colours[colourOf(view.bits(x * per, (x + 1) * per) / per)];
        pen.fillRect(x, 0, 1, height - band);
      }
      this.#drawKinds(pen, colour, 0, view.bytes, width, height - band, band);
      if (this.to - this.from < view.bytes) {
        pen.strokeStyle = colour("text");
        pen.lineWidth = 2 * ratio;
        const x = this.from / per;
        pen.strokeRect(x + ratio, ratio, Math.max(4 * ratio, (this.to - this.from) / per - 2 * ratio), height - 2 * ratio);
      }
    }

    #drawKinds(pen, colour, from, to, width, top, height) {
      if (!height) return;
      const per = (to - from) / width;
      let before = -1;
      for (const region of this.view.regions) {
        const end = region.offset + region.bytes;
        if (end <= from || region.offset >= to) continue;
        const x = Math.floor(Math.max(0, (region.offset - from) / per));
        const right = Math.ceil(Math.min(width, (end - from) / per));
        if (right <= before) continue; // thousands of small ones share a pixel
        pen.fillStyle = colour(`k${this.kinds.indexOf(region.kind) % KINDS}`);
        pen.fillRect(x, top, right - x, height);
        before = right;
      }
    }

    #drawPart() {
      const { pen, width, height, ratio, colour } = this.#canvas(this.part);
      const view = this.view;
      if (!view.bytes) return;
      const band = 9 * ratio;
      const floor = height - band;
      const per = (this.to - this.from) / width;
      const colours = Array.from({ length: COLOURS }, (_, i) => colour(`c${i}`));
      const step = Math.max(1, Math.floor(1 / per)); // several pixels a byte, or several bytes a pixel
      const values = [];
      for (let x = 0; x < width; x += step) {
        const a = per >= 1 ? this.from + x * per : this.from + Math.floor(x * per);
        const b = per >= 1 ? a + per : a + 1;
        values.push(view.bits(a, Math.min(b, view.bytes)) / Math.min(per >= 1 ? per : 1, view.bytes - a));
      }
      const top = Math.max(8, Math.min(16, Math.ceil(Math.max(...values))));
      const y = (bits) => floor - (Math.min(bits, top) / top) * (floor - 14 * ratio);
      values.forEach((bits, i) => {
        pen.fillStyle = colours[Math.max(3, colourOf(bits))];
        pen.fillRect(i * step, y(bits), step, floor - y(bits));
      });
      pen.fillStyle = colour("quiet");
      pen.font = `${10 * ratio}px system-ui, sans-serif`;
      pen.strokeStyle = colour("panel");
      pen.lineWidth = 3 * ratio;
      for (const bits of [2, 4, 8]) {
        pen.globalAlpha = 0.35;
        pen.fillRect(0, y(bits), width, 1);
        pen.globalAlpha = 1;
        const label = bits === 8 ? "8 bits a byte" : String(bits);
        pen.strokeText(label, 3 * ratio, y(bits) - 3 * ratio); // readable upon bars
        pen.fillText(label, 3 * ratio, y(bits) - 3 * ratio);
      }
      if (this.kinds.length > 1) this.#drawKinds(pen, colour, this.from, this.to, width, floor, band - 4 * ratio);
      pen.fillStyle = colour("text"); // below: what is shown byte by byte
      const x = (this.at - this.from) / per;
      const shown = Math.min(this.shownBytes, view.bytes - this.at);
      pen.fillRect(x, height - 3 * ratio, Math.max(3 * ratio, Math.min(shown / per, width - x)), 3 * ratio);
    }

    #span(text, at, count, odd) {
      let bits = 0;
      for (let i = at; i < at + count; i++) bits += this.view.costs[i];
      const made = element("span", { class: `c${colourOf(bits / count)}${odd ? " odd" : ""}` }, text);
      made.dataset.at = String(at);
      if (count > 1) made.dataset.count = String(count);
      return made;
    }

    #textSpans() {
      const data = this.view.data;
      const end = Math.min(data.length, this.at + TEXT_BYTES);
      const spans = [];
      for (let at = this.at; at < end; ) {
        const { text, count, odd } = character(data, at);
        spans.push(this.#span(text, at, count, odd));
        if (data[at] === 10) spans.push("\n");
        at += count;
      }
      return spans;
    }

    #hexSpans() {
      const data = this.view.data;
      const end = Math.min(data.length, this.at + HEX_BYTES);
      const spans = [];
      for (let row = this.at; row < end; row += ROW) {
        spans.push(element("span", { class: "offset" }, row.toString(16).padStart(8, "0") + "  "));
        let aside = "";
        for (let at = row; at < row + ROW; at++) {
          if (at < end) {
            spans.push(this.#span(data[at].toString(16).padStart(2, "0"), at, 1, false));
            aside += data[at] > 32 && data[at] < 127 ? String.fromCharCode(data[at]) : ".";
          } else spans.push("  ");
          spans.push(at % ROW === (row + 7) % ROW ? "  " : " ");
        }
        spans.push(element("span", { class: "aside" }, " " + aside), "\n");
      }
      return spans;
    }
  }

  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  // The character at a place, as text that can be shown; bytes that are none are named.
  function character(data, at) {
    const byte = data[at];
    if (byte < 128) {
      if (byte === 10) return { text: "\u21b5", count: 1, odd: true };
      if (byte === 9) return { text: "\u21e5", count: 1, odd: true };
      if (byte === 127) return { text: "\u2421", count: 1, odd: true };
      if (byte < 32) return { text: String.fromCharCode(0x2400 + byte), count: 1, odd: true };
      return { text: String.fromCharCode(byte), count: 1, odd: false };
    }
    const count = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
    if (count && at + count <= data.length) {
      try {
        const text = strict.decode(data.subarray(at, at + count));
        if (!HIDDEN.test(text)) return { text, count, odd: false };
        const point = text.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
        return { text: `\u2039U+${point}\u203a`, count, odd: true };
      } catch {
        // no character begins here
      }
    }
    return { text: `\u2039${byte.toString(16).padStart(2, "0")}\u203a`, count: 1, odd: true };
  }

  // Whether many bytes are no UTF-8.
  function looksBroken(data) {
    let broken = 0;
    for (let at = 0; at < data.length; ) {
      const { count, odd } = character(data, at);
      broken += odd && data[at] >= 128;
      at += count;
    }
    return broken * 10 > data.length;
  }

  // ---- the page ----

  function headline(file) {
    const pair = (term, value) => element("div", {}, element("dt", {}, term), element("dd", {}, value));
    return element("dl", { class: "headline" },
      pair("original", `${number(file.original_bytes)} bytes`),
      pair("compressed", `${number(file.compressed_bytes)} bytes`),
      pair("share", share(file.compressed_bytes, file.original_bytes) || "-"),
      pair("bits a byte", perByte(8 * file.compressed_bytes, file.original_bytes) || "-"),
      pair("level", String(file.level)), pair("prior", file.prior_id ?? "none"));
  }

  function section(file, index) {
    const id = `file-${index + 1}`;
    const made = element("section", { class: "file", id, "aria-labelledby": `${id}-name` },
      element("h2", { id: `${id}-name` }, file.file), headline(file));
    const tables = element("div", { class: "tables" });
    const strips = file.original_bytes ? [new Strip(file, file.views.map((view) => new View(view)))] : [];
    made.append(...strips.map((strip) => strip.root), tables);
    tables.append(parts(file), sizes(file),
      amounts("By kind of block", null, file, file.kinds, true),
      amounts("By kind of byte", file.unpacked.length ? "Of the data as the model sees them." : null,
        file, file.classes, true));
    if (file.unpacked.length) {
      tables.append(amounts("What packed data are to the model",
        "They are unpacked for it, and packed again when they are decompressed.", file, file.unpacked, false));
    }
    for (const saved of file.savings) {
      const wide = saving(saved);
      wide.classList.add("wide");
      tables.append(wide);
    }
    return [made, strips];
  }

  const main = document.getElementById("files");
  main.replaceChildren();
  document.title = files.length === 1 ? `Where the bits of ${files[0].file} went` : document.title;
  if (files.length > 1) {
    const list = element("ul");
    files.forEach((file, i) => list.append(element("li", {},
      element("a", { href: `#file-${i + 1}` }, file.file),
      ` ${number(file.original_bytes)} \u2192 ${number(file.compressed_bytes)} bytes, ` +
      share(file.compressed_bytes, file.original_bytes))));
    main.append(element("nav", { "aria-label": "Files" }, list));
  }
  const strips = [];
  files.forEach((file, i) => {
    const [made, own] = section(file, i);
    main.append(made);
    strips.push(...own);
  });
  const redraw = () => strips.forEach((strip) => strip.refresh());
  redraw(); // canvases have a size now
  window.addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
})();
