// A chain as a picture: entities in order, what leads from one to the next, and where that stands.

import { svg, cut, wrap } from "./dom.js";

const WIDTH = 132, GAP = 154, HEIGHT = 52, ROW = 118;

const entityLink = (id) => `#/entities/${encodeURIComponent(id)}`;

export function documentLink(documentId, passageId, excerpt) {
  const place = excerpt ? `/${excerpt.start}-${excerpt.end}` : "";
  return `#/documents/${encodeURIComponent(documentId)}/${encodeURIComponent(passageId)}${place}`;
}

// What Wikidata states has no document here: its item's page shows it, at the property.
export const itemLink = (told) => `https://www.wikidata.org/wiki/${told.item}#${told.pid}`;
export const itemText = (told) => `Wikidata ${told.item} ${told.pid} · ${told.endpoint} · ${told.date}`;

// Nodes in the order in which the chain is walked; a triple may be walked against its direction.
function walked(triples) {
  const ends = (t) => [{ id: t.head_id, name: t.head }, { id: t.tail_id, name: t.tail }];
  const nodes = [], hops = [];
  triples.forEach((triple, n) => {
    const [head, tail] = ends(triple);
    const last = nodes[nodes.length - 1];
    const next = triples[n + 1];
    const shared = next && [next.head_id, next.tail_id];
    let back;
    if (last) back = last.id === tail.id && last.id !== head.id;
    else back = Boolean(shared && shared.includes(head.id) && !shared.includes(tail.id));
    const [from, to] = back ? [tail, head] : [head, tail];
    if (!last || last.id !== from.id) {
      if (last) hops.push(null);
      nodes.push(from);
    }
    hops.push({ triple, back });
    nodes.push(to);
  });
  return { nodes, hops };
}

function node(entity, x, y, n, last) {
  const lines = wrap(entity.name, 15, 2);
  const first = y + HEIGHT / 2 - (lines.length - 1) * 9 + 5;
  return svg("a", { href: entityLink(entity.id), class: `node at-${2 * n}${last ? " end" : ""}` },
    svg("title", {}, entity.name),
    svg("rect", { x, y, width: WIDTH, height: HEIGHT, rx: 10 }),
    ...lines.map((line, i) => svg("text", { x: x + WIDTH / 2, y: first + 18 * i }, line)));
}

function tip(x, y, direction) {
  const shapes = { right: "-9-5v10z", left: "9-5v10z", down: "-5-9h10z", up: "-5 9h10z" };
  return svg("path", { class: "tip", d: `M${x} ${y}l${shapes[direction]}` });
}

function hopLink(hop, place, n, children) {
  const said = hop.triple.stated[0];
  const where = said && place(said.passage_id);
  const name = `${hop.triple.head} ${hop.triple.relation} ${hop.triple.tail}`;
  const told = hop.triple.wikidata;
  const href = told ? itemLink(told) : where && documentLink(where.document_id, said.passage_id, said);
  const inside = [svg("title", {}, said ? `${name}. “${said.sentence}”` : name), ...children];
  return href
    ? svg("a", { href, class: `hop at-${2 * n + 1}`, "aria-label": `${name}: open ${told ? "the item" : "the sentence"}`,
      ...(told ? { rel: "noopener", target: "_blank" } : {}) }, inside)
    : svg("g", { class: `hop at-${2 * n + 1}` }, inside);
}

function origin(hop, place) {
  const told = hop.triple.wikidata;
  return told ? `Wikidata ${told.item}` : place(hop.triple.passage_ids[0])?.title || "";
}

function across({ nodes, hops }, place) {
  const width = nodes.length * WIDTH + hops.length * GAP, y = 34;
  const parts = [];
  hops.forEach((hop, n) => {
    const x = (n + 1) * WIDTH + n * GAP, middle = y + HEIGHT / 2;
    if (!hop) {
      parts.push(svg("path", { class: "edge loose", d: `M${x + 6} ${middle}H${x + GAP - 6}` }));
      return;
    }
    const [from, to] = [x + 4, x + GAP - 5];
    const line = `M${hop.back ? from + 8 : from} ${middle}H${hop.back ? to : to - 8}`;
    const title = origin(hop, place);
    const lines = wrap(hop.triple.relation, 20, 2);
    parts.push(hopLink(hop, place, n, [
      svg("rect", { x: from, y: 2, width: GAP - 9, height: 92, fill: "transparent" }),
      svg("path", { class: `edge at-${2 * n + 1}`, d: line, pathLength: 1 }),
      hop.back ? tip(from, middle, "left") : tip(to, middle, "right"),
      ...lines.map((text, i) =>
        svg("text", { x: x + GAP / 2, y: middle - 11 - 16 * (lines.length - 1 - i) }, text)),
      svg("text", { class: "from", x: x + GAP / 2, y: middle + 22 }, cut(title, 19)),
    ]));
  });
  nodes.forEach((one, n) => parts.push(node(one, n * (WIDTH + GAP), y, n, n === nodes.length - 1)));
  return svg("svg", { viewBox: `0 0 ${width} ${y + HEIGHT + 12}`, width }, parts);
}

function downwards({ nodes, hops }, place) {
  const parts = [], height = nodes.length * HEIGHT + hops.length * (ROW - HEIGHT);
  hops.forEach((hop, n) => {
    const top = n * ROW + HEIGHT, x = 30, end = top + ROW - HEIGHT;
    if (!hop) {
      parts.push(svg("path", { class: "edge loose", d: `M${x} ${top + 6}V${end - 6}` }));
      return;
    }
    const line = `M${x} ${hop.back ? top + 12 : top + 4}V${hop.back ? end - 4 : end - 12}`;
    const title = origin(hop, place);
    parts.push(hopLink(hop, place, n, [
      svg("rect", { x: 10, y: top, width: 290, height: ROW - HEIGHT, fill: "transparent" }),
      svg("path", { class: `edge at-${2 * n + 1}`, d: line, pathLength: 1 }),
      hop.back ? tip(x, top + 4, "up") : tip(x, end - 4, "down"),
      svg("text", { x: x + 18, y: top + 28 }, cut(hop.triple.relation, 34)),
      svg("text", { class: "from", x: x + 18, y: top + 48 }, cut(title, 38)),
    ]));
  });
  nodes.forEach((one, n) => {
    const group = node({ ...one }, 0, n * ROW, n, n === nodes.length - 1);
    parts.push(group);
  });
  return svg("svg", { class: "down", viewBox: `0 0 320 ${height}` }, parts);
}

// Draws the chain into an element, across where there is room; again whenever its width changes.
// `whole`: it does not grow any more, and comes hop by hop.
export function draw(into, chain, place, whole = true) {
  const way = walked(chain.triples);
  const said = chain.triples.map((t) => `${t.head}, ${t.relation}, ${t.tail}`).join("; ");
  let before = null;
  const render = (first) => {
    const room = into.clientWidth;
    const wide = room >= 640 && room >= 0.92 * (way.nodes.length * WIDTH + way.hops.length * GAP);
    if (wide === before) return;
    before = wide;
    const picture = (wide ? across : downwards)(way, place);
    picture.setAttribute("role", "group");
    picture.setAttribute("aria-label", `Chain of evidence: ${said}`);
    if (!whole) picture.classList.add("growing");
    else if (first) picture.classList.add("drawn");
    if (!wide) picture.setAttribute("width", "320");
    picture.style.maxWidth = wide ? `${picture.getAttribute("width")}px` : "24rem";
    into.replaceChildren(picture);
  };
  render(true);
  const watching = new ResizeObserver(() => (into.isConnected ? render(false) : watching.disconnect()));
  watching.observe(into);
  return () => watching.disconnect();
}
