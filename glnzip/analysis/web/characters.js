// Bytes as characters that can be shown: what would hide, or turn the writing round, is named.

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;
const LOOKED_AT = 512; // bytes, to tell text from other data
const WHITE = new Set([9, 10, 12, 13]);
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const hex = (byte) => byte.toString(16).padStart(2, "0");

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
  return { text: `\u2039${hex(byte)}\u203a`, count: 1, odd: true };
}

// Whether data begin with bytes that are text, in UTF-8 or nearly so.
function isText(data) {
  const sample = data.subarray(0, LOOKED_AT);
  let odd = 0;
  for (let at = 0; at < sample.length; ) {
    const found = character(sample, at);
    if (found.odd && !WHITE.has(sample[at])) odd += found.count;
    at += found.count;
  }
  return odd * 10 <= sample.length;
}
