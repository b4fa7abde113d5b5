// Documents: sent with progress, listed, removed, read; entities and what is said of them.

import { get, send, stream, upload } from "./api.js";
import { documentLink } from "./chain.js";
import { by, cut, el, svg } from "./dom.js";

let next = null;

export async function list(from = "") {
  const page = await get(`v1/documents?limit=50&after=${encodeURIComponent(from)}`);
  const rows = page.documents.map(row);
  const body = by("documents").tBodies[0];
  if (from) body.append(...rows);
  else body.replaceChildren(...rows);
  next = page.next;
  by("more").hidden = !next;
  by("documents").hidden = !body.rows.length;
  by("no-documents").hidden = Boolean(body.rows.length);
}

function row(one) {
  const actions = el("td");
  const ask = () => {
    const yes = el("button", { type: "button", onclick: () => remove(one.id, line) }, "Remove for good");
    actions.replaceChildren(yes, " ", el("button", { type: "button", onclick: offer }, "Keep"));
    yes.focus();
  };
  const offer = () => actions.replaceChildren(
    el("button", { type: "button", "aria-label": `Remove ${one.title || one.source}`, onclick: ask }, "Remove"));
  offer();
  const line = el("tr", {},
    el("td", {}, el("a", { href: `#/documents/${encodeURIComponent(one.id)}` }, one.title || "untitled")),
    el("td", { class: "quiet" }, one.source),
    el("td", { class: "number" }, String(one.passages)),
    el("td", { class: "quiet" }, one.ingested_at.slice(0, 10)), actions);
  return line;
}

async function remove(id, line) {
  try {
    await send(`v1/documents/${encodeURIComponent(id)}`, { method: "DELETE" });
    line.remove();
  } catch (error) {
    line.lastElementChild.replaceChildren(el("span", { class: "quiet" }, error.message));
  }
}

async function sendFile(file) {
  const bar = el("progress", { max: 1, value: 0, "aria-label": `Progress of ${file.name}` });
  const state = el("p", { class: "state quiet", role: "status" }, "sending");
  const cancel = el("button", { type: "button", "aria-label": `Cancel ${file.name}` }, "Cancel");
  by("uploads").prepend(el("li", {}, el("span", { class: "name" }, file.name), bar, cancel, state));
  const end = (said) => {
    state.textContent = said;
    bar.remove();
    cancel.remove();
  };
  const sending = upload(file, (sent, all) => (bar.value = all ? (0.3 * sent) / all : 0));
  cancel.onclick = () => sending.abort();
  try {
    const job = await sending.done;
    cancel.onclick = () => send(`v1/jobs/${job.id}`, { method: "DELETE" });
    for await (const [, said] of stream(`v1/jobs/${job.id}/events`)) {
      const passages = said.report.passages || { parsed: 0, encoded: 0, written: 0 };
      bar.removeAttribute("value"); // how many passages there will be nobody knows before
      state.textContent = said.state === "queued" ? "waits for the one before"
        : `${passages.parsed} passages read, ${passages.encoded} encoded, ${passages.written} written`;
      if (said.state === "done") end(`${passages.written} passage${passages.written === 1 ? "" : "s"}${passages.written ? "" : ", all known already"}`);
      if (said.state === "failed") end(said.problem?.detail || "failed");
      if (said.state === "cancelled") end("cancelled");
    }
    await list();
  } catch (error) {
    end(error.message);
  }
}

export function listen() {
  const form = by("upload-form");
  by("files").addEventListener("change", (event) => {
    [...event.target.files].forEach(sendFile);
    event.target.value = "";
  });
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    [...event.dataTransfer.files].forEach(sendFile);
  });
  by("more").addEventListener("click", () => list(next));
}

export async function read(id, passageId, span) {
  const view = by("view-document");
  view.replaceChildren();
  const found = passageId ? await get(`v1/passages/${encodeURIComponent(passageId)}`) : null;
  const first = found ? Math.max(0, found.position - 3) : 0;
  const shown = await get(`v1/documents/${encodeURIComponent(id)}?after=${first}&limit=50`);
  const text = el("div", { class: "text" });
  let heading = "";
  for (const one of shown.passages) {
    if (one.heading && one.heading !== heading) text.append(el("h2", {}, one.heading));
    heading = one.heading;
    text.append(paragraph(one, one.id === passageId ? span || "all" : null));
  }
  const last = first + shown.passages.length;
  const range = first || last < shown.passages_in_all
    ? `passages ${first + 1} to ${last} of ${shown.passages_in_all}` : `${shown.passages_in_all} passage${shown.passages_in_all === 1 ? "" : "s"}`;
  view.append(el("p", {}, el("a", { href: "#/", onclick: back }, "← Back")),
    el("h1", {}, shown.title || "untitled"),
    el("p", { class: "quiet" }, [shown.source, range, `added ${shown.ingested_at.slice(0, 10)}`].join(" · ")), text);
  const here = view.querySelector(".here");
  here?.scrollIntoView({ block: "center" });
}

function back(event) {
  if (history.length > 1) {
    event.preventDefault();
    history.back();
  }
}

function paragraph(passage, span) {
  const { text } = passage;
  if (!span) return el("p", {}, text);
  if (span === "all") return el("p", { class: "here" }, text);
  const [start, end] = span;
  return el("p", { class: "here" }, text.slice(0, start), el("mark", {}, text.slice(start, end)), text.slice(end));
}

const LEFT = 10, SIDE = 230, MIDDLE = 260, LINE = 54;

function neighbour(one, id, name, x, y) {
  return svg("a", { href: `#/entities/${encodeURIComponent(id)}`, class: "node" },
    svg("title", {}, `${one.head} ${one.relation} ${one.tail}`),
    svg("rect", { x, y: y - 22, width: SIDE, height: 44, rx: 8 }),
    svg("text", { class: "rel", x: x + SIDE / 2, y: y - 5 }, cut(one.relation, 32)),
    svg("text", { x: x + SIDE / 2, y: y + 13 }, cut(name, 28)));
}

function picture(entity) {
  const into = entity.triples.filter((t) => t.tail_id === entity.id && t.head_id !== entity.id).slice(0, 9);
  const out = entity.triples.filter((t) => t.head_id === entity.id).slice(0, 9);
  const rows = Math.max(into.length, out.length, 1), height = rows * LINE + 10, centre = height / 2;
  const width = 2 * (LEFT + SIDE) + MIDDLE + SIDE;
  const core = LEFT + SIDE + MIDDLE / 2;
  const parts = [];
  const side = (triples, left) => triples.forEach((one, n) => {
    const y = (height - triples.length * LINE) / 2 + (n + 0.5) * LINE;
    const x = left ? LEFT + SIDE : width - LEFT - SIDE, end = left ? core : core + SIDE;
    const bend = (x + end) / 2;
    parts.push(svg("path", { class: "edge", d: `M${x} ${y}C${bend} ${y} ${bend} ${centre} ${end} ${centre}` }));
    parts.push(neighbour(one, left ? one.head_id : one.tail_id, left ? one.head : one.tail, left ? LEFT : x, y));
  });
  side(into, true);
  side(out, false);
  parts.push(svg("g", { class: "node end" },
    svg("rect", { x: core, y: centre - 20, width: SIDE, height: 40, rx: 10 }),
    svg("text", { x: core + SIDE / 2, y: centre + 5 }, cut(entity.name, 26))));
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `What is said of ${entity.name}` }, parts);
}

export async function entity(id) {
  const view = by("view-entity");
  view.replaceChildren();
  const found = await get(`v1/entities/${encodeURIComponent(id)}`);
  const aliases = found.aliases.filter((one) => one !== found.name);
  view.append(el("p", {}, el("a", { href: "#/", onclick: back }, "← Back")), el("h1", {}, found.name),
    el("p", { class: "quiet" }, `mentioned in ${found.passages_in_all} passage${found.passages_in_all === 1 ? "" : "s"}${aliases.length ? ` · also ${aliases.join(", ")}` : ""}`));
  const wide = view.clientWidth >= 720;
  if (wide && found.triples.length) view.append(el("div", { class: "around" }, picture(found)));
  const link = (one, end) => one[`${end}_id`] === found.id ? one[end]
    : el("a", { href: `#/entities/${encodeURIComponent(one[`${end}_id`])}` }, one[end]);
  view.append(el("h2", {}, "What the documents say"),
    found.triples.length
      ? el("ul", { class: "facts" }, found.triples.map((one) =>
        el("li", {}, link(one, "head"), el("span", { class: "quiet" }, ` ${one.relation} `), link(one, "tail"))))
      : el("p", { class: "quiet" }, "Nothing was read of it as a statement."),
    el("h2", {}, "Where it is mentioned"),
    el("ul", { class: "cited" }, found.passages.map((one) =>
      el("li", {}, el("a", { href: documentLink(one.document_id, one.id) }, one.title || "untitled")))));
}
