"use strict";
// What all of the page is made with. The data are hostile: they reach the page as text nodes only.

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
