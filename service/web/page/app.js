// The page: which view an address means. Addresses are fragments, so any prefix will do.

import { get } from "./api.js";
import * as asking from "./ask.js";
import * as documents from "./documents.js";
import { by, el } from "./dom.js";

let about = null;

function show(view, current = view) {
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== `view-${view}`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

async function route() {
  const [kind, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  try {
    if (kind === "answers" && rest[0]) {
      show("ask");
      await asking.recall(rest[0], about);
    } else if (kind === "documents" && rest[0]) {
      show("document", "documents");
      const span = /^(\d+)-(\d+)$/.exec(rest[2] || "");
      await documents.read(rest[0], rest[1], span && [Number(span[1]), Number(span[2])]);
    } else if (kind === "documents") {
      show("documents");
      await documents.list();
    } else if (kind === "entities" && rest[0]) {
      show("entity", "");
      await documents.entity(rest[0]);
    } else if (kind === "" || kind === "main") {
      show("ask");
      if (by("work").hidden) {
        by("question").focus();
        await asking.askedBefore();
      }
    } else show("ask");
  } catch (error) {
    const open = document.querySelector("main > section:not([hidden])");
    open.append(el("p", { class: "failed" }, error.message));
  }
}

async function counts() {
  const [said, stats] = await Promise.all([get("v1/about"), get("v1/stats")]);
  about = said;
  const number = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
  by("counts").textContent = `${number(stats.documents, "document")}${said.model ? ` · ${said.model}` : ""}`;
}

asking.listen(() => about);
documents.listen();
addEventListener("hashchange", route);
counts().catch(() => {}).finally(route);
