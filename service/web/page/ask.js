// Asking: the question, its steps as they come, the answer with its chain and sentences.

import { Problem, get, stream } from "./api.js";
import { documentLink, draw, itemLink, itemText } from "./chain.js";
import { by, el, marked, svg } from "./dom.js";

const SURE = 0.58; // below this confidence nothing is asserted
const GUESS = 0.05; // below this probability no candidate is worth naming
const KINDS = { retrieve: "Found passages", choose: "Extended the chain", read: "Read", budget: "Budget", note: "Note" };
let asking = null, forget = () => {};

// Chains under way, with the weight of each beside the best.
function beams(said) {
  const best = said[0].score;
  return el("ol", { class: "beams" }, said.map((beam) => el("li", {},
    svg("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "part", width: 100 * Math.exp(beam.score - best), height: 6, rx: 3 })),
    beam.triples.map((t) => `${t.head} — ${t.relation} — ${t.tail}`).join(" → "))));
}

function step(said) {
  const item = el("li", { class: said.kind },
    el("span", { class: "what" }, KINDS[said.kind] || said.name),
    el("span", { class: "took" }, `${said.name} · ${said.seconds.toFixed(2)} s${said.tokens ? ` · ${said.tokens} tokens` : ""}`));
  if (said.passages?.length) {
    item.append(el("div", { class: "titles" }, said.passages.map((one) => one.title || "untitled").join(" · ")));
  } else if (said.beams?.length) item.append(beams(said.beams));
  else if (said.text) item.append(el("pre", { tabindex: "0", "aria-label": said.name }, said.text));
  return item;
}

function confidence(value) {
  if (value === null) return null;
  const meter = svg("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "all", width: 100, height: 6, rx: 3 }),
    svg("rect", { class: "part", width: 100 * value, height: 6, rx: 3 }),
    svg("rect", { class: "least", x: 100 * SURE, width: 0.8, height: 6 }));
  return el("p", { class: "sure" }, meter, `confidence ${value.toFixed(2)}`);
}

function verdict(answer) {
  if (!answer.abstained) return [el("p", { class: "said" }, answer.answer), confidence(answer.confidence)];
  const chances = answer.candidates.map((one) => one.probability);
  const toss = answer.candidates.some((one) => one.text === "yes") && chances[0] === chances[1];
  const guesses = toss ? [] : answer.candidates.filter((one) => one.text && one.probability >= GUESS);
  return [el("div", { class: "abstained" },
    el("p", { class: "said" }, "Insufficient evidence"),
    el("p", {}, answer.missing ? `The documents do not tell: ${answer.missing}.` : "The documents do not tell."),
    guesses.length
      ? el("p", { class: "quiet" }, "Guesses, not asserted: ",
        guesses.map((one, rank) => answer.withheld && !rank ? one.text : `${one.text} (${one.probability.toFixed(2)})`).join(", "))
      : null)];
}

function item(told) {
  return el("a", { href: itemLink(told), rel: "noopener", target: "_blank" }, itemText(told));
}

function read(quote) {
  return marked({ sentence: quote.text, start: quote.start || 0, marked: quote.marked });
}

function quotes(chain, place) {
  return el("ol", { class: "quotes" }, chain.triples.map((triple) => {
    if (triple.wikidata) {
      return el("li", {}, el("blockquote", {}, `${triple.head} — ${triple.relation} — ${triple.tail}`),
        el("cite", {}, item(triple.wikidata)));
    }
    const said = triple.stated[0];
    const where = place(said?.passage_id || triple.passage_ids[0]);
    if (!said) return el("li", {}, el("blockquote", {}, `${triple.head} — ${triple.relation} — ${triple.tail}`));
    const from = where ? [where.title, where.source].filter(Boolean).join(" · ") : "its passage";
    return el("li", {}, el("blockquote", {}, "“", marked(said), "” "),
      el("cite", {}, where
        ? el("a", { href: documentLink(where.document_id, said.passage_id, said) }, from)
        : from));
  }));
}

async function places(answer) {
  const known = new Map(answer.passages.map((one) => [one.id, one]));
  const wanted = answer.chains.flatMap((c) => c.triples.flatMap((t) => t.passage_ids.slice(0, 1)));
  await Promise.all([...new Set(wanted)].filter((id) => !known.has(id)).map(async (id) => {
    try {
      known.set(id, await get(`v1/passages/${encodeURIComponent(id)}`));
    } catch { /* it was removed meanwhile: the sentence stands without its document */ }
  }));
  return (id) => known.get(id);
}

export async function showAnswer(answer, about) {
  by("answer").replaceChildren(...verdict(answer).filter(Boolean));
  const place = await places(answer);
  forget();
  by("chain").replaceChildren();
  by("evidence").replaceChildren();
  if (answer.abstained && answer.quote) {
    const where = place(answer.quote.passage_id);
    by("evidence").append(el("h2", {}, "The nearest that was found"),
      el("blockquote", {}, "“", read(answer.quote), "” "),
      where ? el("cite", {}, el("a", { href: documentLink(where.document_id, answer.quote.passage_id) }, where.title)) : "");
  }
  if (answer.subanswers?.length) {
    by("evidence").append(el("h2", {}, "By way of"), el("ul", {}, answer.subanswers.map((step) =>
      el("li", {}, `${step.question} `, el("strong", {}, step.text),
        step.quote ? el("blockquote", {}, `“${step.quote.text}”`) : ""))));
  }
  const chain = answer.abstained ? null : answer.chains[0];
  if (chain?.triples.length) {
    forget = draw(by("chain"), chain, place);
    by("evidence").append(quotes(chain, place));
  } else if (!answer.abstained && answer.quote) {
    by("evidence").append(el("blockquote", {}, "“", read(answer.quote), "”"));
  }
  if (answer.passages.length) {
    by("evidence").append(el("h2", {}, answer.abstained ? "Passages that were read" : "Passages it rests on"),
      el("ul", { class: "cited" }, answer.passages.slice(0, 10).map((one) => el("li", {},
        one.wikidata ? [`${one.title}, ${one.text} `, item(one.wikidata)] : one.document_id
          ? el("a", { href: documentLink(one.document_id, one.id) }, one.title || "untitled")
          : one.title,
        one.wikidata ? "" : el("span", { class: "quiet" }, ` ${one.source}${one.page ? `, page ${one.page}` : ""}`)))));
  }
  const links = [];
  if (!answer.abstained && answer.id) links.push(el("a", { href: `#/answers/${answer.id}` }, "Link to this answer"));
  if (about?.browser && answer.query) {
    links.push(el("a", { href: `${about.browser}?cmd=edit&arg=${encodeURIComponent(answer.query)}`, rel: "noopener", target: "_blank" }, "Open in Neo4j Browser"));
  }
  by("evidence").append(el("p", { class: "share" }, links));
}

function begin(question) {
  document.body.classList.add("working");
  by("asked-before").hidden = true;
  by("work").hidden = false;
  by("work-title").textContent = question;
  forget();
  for (const id of ["answer", "chain", "evidence", "steps"]) by(id).replaceChildren();
  by("how").hidden = false;
  by("how").open = true;
}

function busy(is) {
  by("ask").hidden = is;
  by("stop").hidden = !is;
  by("how-title").classList.toggle("waiting", is);
}

function failed(error) {
  forget();
  by("chain").replaceChildren();
  by("answer").replaceChildren(el("p", { class: "failed" }, error.message));
}

export async function ask(question, about) {
  asking?.abort();
  const mine = (asking = new AbortController());
  begin(question);
  busy(true);
  try {
    const events = stream("v1/ask/stream", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ question }),
      signal: mine.signal,
    });
    let ended = false;
    for await (const [name, said] of events) {
      if (mine.signal.aborted) break;
      if (name === "step") by("steps").append(step(said));
      if (name === "step" && said.beams.length) {
        forget();
        forget = draw(by("chain"), said.beams[0], () => undefined, false);
      }
      if (name === "answer") await showAnswer(said, about);
      if (name === "error") throw new Problem(said, said.status);
      ended ||= name === "answer";
    }
    if (!ended && !mine.signal.aborted) throw new Problem({ detail: "The connection broke off." }, 0);
    by("how").open = !ended || by("steps").children.length < 12;
  } catch (error) {
    if (error.name === "AbortError") failed(new Error("Stopped."));
    else failed(error);
  } finally {
    if (asking === mine) busy(false);
  }
}

export async function recall(id, about) {
  begin("");
  busy(false);
  try {
    const answer = await get(`v1/answers/${encodeURIComponent(id)}`);
    by("work-title").textContent = answer.question;
    by("question").value = answer.question;
    by("steps").replaceChildren(...answer.steps.map((one) => step({ ...one, passages: [], text: one.output })));
    by("how").hidden = !answer.steps.length;
    by("how").open = false;
    await showAnswer(answer, about);
  } catch (error) {
    by("how").hidden = true;
    failed(error);
  }
}

export async function askedBefore() {
  const said = await get("v1/questions?limit=5");
  by("examples").replaceChildren(...said.questions.map((one) =>
    el("li", {}, el("a", { href: `#/answers/${one.id}` }, one.question))));
  by("asked-before").hidden = !said.questions.length || !by("work").hidden;
}

export function listen(about) {
  by("ask-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const question = by("question").value.trim();
    if (!question) return;
    if (location.hash !== "#/" && location.hash !== "") history.pushState(null, "", "#/");
    ask(question, about());
  });
  by("question").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      by("ask-form").requestSubmit();
    }
    if (event.key === "Escape") asking?.abort();
  });
  by("stop").addEventListener("click", () => {
    asking?.abort();
    by("question").focus();
  });
}
