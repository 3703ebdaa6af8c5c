// The strip of a file: what each byte costs, from all of it down to single bytes.

const LEAST_SHOWN = 64; // bytes that the strip can be zoomed to
const KEYS_MOVE = { ArrowRight: 0.02, ArrowLeft: -0.02, ArrowUp: 0.02, ArrowDown: -0.02,
  PageDown: 0.5, PageUp: -0.5 }; // shares of what is shown
const KEYS_ZOOM = { "+": 0.5, "=": 0.5, "-": 2, 0: Infinity };

const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;
const nameOf = (a, b) =>
  b - a > 1 ? `bytes ${number(a)} to ${number(b - 1)}` : `byte ${number(a)}`;

function button(label, title, action) {
  const made = element("button", { type: "button", title, "aria-label": title }, label);
  made.addEventListener("click", action);
  return made;
}

class Strip {
  constructor(views) {
    this.views = views;
    this.kinds = [...new Set(views.flatMap((view) => view.regions.map((region) => region.kind)))];
    this.mode = "auto";
    this.root = this.#build();
    this.#listen();
    this.show(views[0]);
  }

  show(view) {
    this.view = view;
    this.from = 0;
    this.to = view.bytes;
    this.at = 0;
    this.refresh();
  }

  #build() {
    this.whole = element("canvas", { class: "whole", role: "img" });
    this.part = element("canvas", { class: "part", role: "slider", tabindex: "0",
      "aria-label": "Place in the data. Arrows move, plus and minus zoom, 0 shows all." });
    this.ends = element("div", { class: "ends quiet" });
    this.reading = element("p", { class: "reading quiet", role: "status" });
    this.pane = element("pre", { class: "bytes", tabindex: "0", role: "region" });
    this.note = element("p", { class: "quiet" });
    this.choices = this.views.map((view) =>
      button(view.label, `Show ${view.label}`, () => this.show(view)));
    const choice = element("div",
      { class: "controls", role: "group", "aria-label": "What is shown" }, ...this.choices);
    return element("div", { class: "panel" }, ...(this.views.length > 1 ? [choice] : []),
      this.whole, this.part, this.ends, this.#controls(), this.reading, this.pane, this.note,
      this.#legend());
  }

  #controls() {
    const place = element("input", { type: "text", inputmode: "numeric",
      "aria-label": "Go to byte number", placeholder: "go to byte" });
    place.addEventListener("change", () => this.moveTo(Number(place.value.replace(/\D/g, ""))));
    this.modes = ["auto", "text", "hex"].map((mode) => {
      const made = button(mode, `Show bytes as ${mode}`, () => {
        this.mode = mode;
        this.refresh();
      });
      made.dataset.mode = mode;
      return made;
    });
    return element("div", { class: "controls" },
      button("\u2212", "Zoom out", () => this.zoom(2)),
      button("+", "Zoom in", () => this.zoom(0.5)),
      button("all", "Show all", () => this.zoom(Infinity)),
      button("\u2190", "Bytes before", () => this.moveTo(this.at - this.shownBytes)),
      button("\u2192", "Bytes after", () => this.moveTo(this.at + this.shownBytes)),
      place, element("span", { class: "gap" }), ...this.modes);
  }

  #legend() {
    const list = (label, rows) => element("ul", { class: "legend", "aria-label": label },
      ...rows.map(([colour, name]) => {
        const mark = element("i");
        mark.style.background = `var(--${colour})`;
        return element("li", {}, mark, name);
      }));
    const steps = [`below ${STEPS[0]} bits a byte`,
      ...STEPS.slice(1).map((step, i) => `${STEPS[i]} to ${step}`), `${STEPS.at(-1)} and more`];
    const made = element("div", {},
      list("Colours of costs", steps.map((name, i) => [i ? `c${i}` : "panel", name])));
    if (this.kinds.length > 1) {
      made.append(list("Colours of kinds of blocks",
        this.kinds.map((kind, i) => [`k${i % KIND_COLOURS}`, kind])));
    }
    return made;
  }

  #listen() {
    const { whole, part, pane } = this;
    const placeIn = (event) => this.#placeOf(event, this.from, this.to);
    whole.addEventListener("pointerdown", (event) => this.#drag(event));
    whole.addEventListener("pointermove", (event) => event.buttons && this.#drag(event));
    part.addEventListener("pointermove", (event) => {
      const per = Math.max(1, Math.round((this.to - this.from) / part.clientWidth));
      this.#read(placeIn(event), Math.min(this.view.bytes, placeIn(event) + per));
    });
    part.addEventListener("click", (event) => this.moveTo(placeIn(event)));
    part.addEventListener("dblclick", () => this.zoom(0.25));
    part.addEventListener("keydown", (event) => this.#keyOfPart(event));
    pane.addEventListener("pointermove", (event) =>
      this.#readSpan(event.target.closest("span[data-at]")));
    pane.addEventListener("keydown", (event) => this.#keyOfPane(event));
    for (const each of [part, pane]) {
      each.addEventListener("pointerleave", () => this.#read(this.from, this.to));
    }
  }

  get shownBytes() {
    return this.showsText ? TEXT_BYTES : HEX_BYTES;
  }

  get showsText() {
    return this.mode === "auto" ? isText(this.view.data.subarray(this.at)) : this.mode === "text";
  }

  // What is shown byte by byte begins here; the strip moves along.
  moveTo(place) {
    this.at = Math.max(0, Math.min(Math.floor(place), this.view.bytes - 1));
    if (this.at < this.from || this.at >= this.to) this.#centre(this.at, this.to - this.from);
    this.refresh();
  }

  zoom(factor) {
    const { bytes } = this.view;
    const wanted = Math.round((this.to - this.from) * factor);
    const width = Math.min(bytes, Math.max(wanted, Math.min(LEAST_SHOWN, bytes)));
    const kept = (this.at - this.from) / (this.to - this.from || 1);
    this.#centre(this.at + (0.5 - kept) * width, width);
    this.refresh();
  }

  #centre(place, width) {
    const most = this.view.bytes - width;
    this.from = Math.round(Math.max(0, Math.min(place - width / 2, most)));
    this.to = this.from + width;
  }

  #drag(event) {
    const place = this.#placeOf(event, 0, this.view.bytes);
    this.#centre(place, this.to - this.from);
    this.moveTo(place);
  }

  #placeOf(event, from, to) {
    const box = event.currentTarget.getBoundingClientRect();
    const part = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    return Math.max(0, Math.min(to - 1, Math.floor(from + part * (to - from))));
  }

  #keyOfPart(event) {
    if (hasModifier(event)) return;
    if (event.key in KEYS_MOVE) {
      const by = KEYS_MOVE[event.key] * (this.to - this.from);
      this.moveTo(this.at + Math.sign(by) * Math.max(1, Math.round(Math.abs(by))));
    } else if (event.key in KEYS_ZOOM) this.zoom(KEYS_ZOOM[event.key]);
    else if (event.key === "Home") this.moveTo(0);
    else if (event.key === "End") this.moveTo(this.view.bytes - 1);
    else return;
    event.preventDefault();
  }

  // Arrows go from byte to byte.
  #keyOfPane(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || hasModifier(event)) return;
    const spans = [...this.pane.querySelectorAll("span[data-at]")];
    const now = spans.findIndex((span) => span.classList.contains("here"));
    const next = spans[now < 0 ? 0 : Math.max(0, Math.min(now + by, spans.length - 1))];
    if (!next) return;
    spans[now]?.classList.remove("here");
    next.classList.add("here");
    next.scrollIntoView({ block: "nearest" });
    this.#readSpan(next);
    event.preventDefault();
  }

  #readSpan(span) {
    if (!span) return;
    const at = Number(span.dataset.at);
    const count = Number(span.dataset.count);
    const { view } = this;
    const bytes = [...view.data.subarray(at, at + count)].map(hex).join(" ");
    const cost = `${number(view.bitsOf(at, count), 2)} bits`;
    this.reading.textContent =
      `${nameOf(at, at + count)}: ${bytes}, ${cost}, ${view.regionAt(at).kind}`;
  }

  #read(a, b) {
    const { view } = this;
    const bits = view.bits(a, b);
    const kinds = [...new Set([view.regionAt(a).kind, view.regionAt(b - 1).kind])].join(" to ");
    const cost = b - a > 1
      ? `about ${bytesOf(bits)} bytes compressed, ${perByte(bits, b - a)} bits a byte`
      : `about ${number(bits, 2)} bits`;
    this.reading.textContent = `${nameOf(a, b)}: ${cost}, ${kinds}`;
  }

  refresh() {
    const { view, at } = this;
    this.#press();
    this.ends.replaceChildren(element("span", {}, number(this.from)),
      element("span", {}, number(this.to - 1)));
    const end = Math.min(view.bytes, at + this.shownBytes);
    const values = { valuemin: 0, valuemax: view.bytes - 1, valuenow: at, valuetext:
      `byte ${number(at)}, ${perByte(view.bits(at, end), end - at)} bits a byte from there on` };
    for (const [name, value] of Object.entries(values)) {
      this.part.setAttribute(`aria-${name}`, String(value));
    }
    this.whole.setAttribute("aria-label", `Cost over all ${number(view.bytes)} bytes`);
    this.draw();
    this.pane.classList.toggle("hex", !this.showsText);
    this.pane.replaceChildren(...(this.showsText ? asText(view, at) : asHex(view, at)));
    this.pane.scrollTop = 0;
    this.pane.setAttribute("aria-label", `What is in ${nameOf(at, end)}`);
    const limit = `Single bytes are in this page up to byte ${number(view.data.length - 1)}; ` +
      "the strip shows all.";
    const notes = [view.note ?? "", view.data.length < view.bytes ? limit : ""];
    this.note.textContent = notes.join(" ").trim();
    this.#read(this.from, this.to);
  }

  draw() {
    drawWhole(this);
    drawPart(this);
  }

  // Buttons that choose show what is chosen.
  #press() {
    const press = (each, on) => each.setAttribute("aria-pressed", String(on));
    this.choices.forEach((each, i) => press(each, this.views[i] === this.view));
    for (const each of this.modes) press(each, each.dataset.mode === this.mode);
  }
}
