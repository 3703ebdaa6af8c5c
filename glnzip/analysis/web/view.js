// A view of a file: bytes one after the other, and what they cost.

const SCALE = 63.75; // a cost is (byte / SCALE) squared: see page.py

function decoded(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Sums up to each place, so that those of any stretch are quickly known.
function sumsOf(values) {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i] + values[i];
  return sums;
}

// The sum up to a place that may be a fraction; the last value may stand for a part of one.
function sumAt(sums, place, end) {
  const i = Math.min(Math.floor(place), sums.length - 1);
  if (i + 1 >= sums.length) return sums[i];
  return sums[i] + (sums[i + 1] - sums[i]) * Math.min(1, (place - i) / Math.min(1, end - i));
}

class View {
  constructor(figures) {
    Object.assign(this, figures);
    this.data = decoded(figures.data); // the first bytes, perhaps not all
    this.costs = Float32Array.from(decoded(figures.costs), (root) => (root / SCALE) ** 2);
    this.sums = sumsOf(this.costs);
    this.cellSums = sumsOf(this.cells);
  }

  // What the bytes from a to b cost, by single bytes where they are few and known.
  bits(a, b) {
    const known = this.costs.length;
    if (b <= known && b - a < 4 * this.cell) {
      return sumAt(this.sums, b, known) - sumAt(this.sums, a, known);
    }
    const { cell, cellSums } = this;
    const end = this.bytes / cell;
    return sumAt(cellSums, b / cell, end) - sumAt(cellSums, a / cell, end);
  }

  bitsOf(at, count) {
    let bits = 0;
    for (let i = at; i < at + count; i++) bits += this.costs[i];
    return bits;
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
