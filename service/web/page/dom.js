// Elements from texts: documents are hostile, so nothing here reads a text as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const el = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const by = (id) => document.getElementById(id);

export const cut = (text, most) => (text.length > most ? text.slice(0, most - 1).trimEnd() + "…" : text);

// A sentence in parts: `marked` are [start, end) places of the text it stands in.
export function marked(excerpt) {
  const parts = [];
  let at = excerpt.start;
  for (const [start, end] of excerpt.marked || []) {
    parts.push(excerpt.sentence.slice(at - excerpt.start, start - excerpt.start));
    parts.push(el("mark", {}, excerpt.sentence.slice(start - excerpt.start, end - excerpt.start)));
    at = end;
  }
  parts.push(excerpt.sentence.slice(at - excerpt.start));
  return parts;
}

// Up to `lines` lines of about `width` characters.
export function wrap(text, width, lines) {
  const found = [""];
  for (const word of text.split(/\s+/)) {
    const last = found[found.length - 1];
    if (!last || last.length + word.length < width) found[found.length - 1] = last ? `${last} ${word}` : word;
    else found.push(word);
  }
  const shown = found.slice(0, lines);
  if (found.length > lines) shown[lines - 1] = shown[lines - 1] + " …";
  return shown.map((line) => cut(line, width + 3));
}
