"""Questions as chains of triples with masks, and what such a chain tells once it is filled."""

import re

from .joining import UNKNOWN, Judge, concluded
from .prompted import Prompt
from .wording import LABELS
from .world import Fact

_OF_LABEL = {label: relation for relation, labels in LABELS.items() for label in labels}
_RELATIONS = list(LABELS)


def chain(prompt: Prompt, judge: Judge) -> str:
    """The question's relations, one triple each; it errs by a wrong one, or by a wrong number."""
    query = prompt.query()
    if query is None:
        return "x >> is >> #1; final answer: #1"
    said, number = [], 0
    for name, path in query.branches:
        head = name
        for relation in path:
            number += 1
            said.append(f"{head} >> {_worded(relation, number, judge)} >> #{number}")
            head = f"#{number}"
    if judge.errs("number", number, query):
        said[-1] = said[-1].replace(f">> #{number}", f">> #{number + 1}")
    final = "#answer" if query.verdict else f"#{number}"
    return "; ".join([*said, f"final answer: {final}"])


def _worded(relation: str, number: int, judge: Judge) -> str:
    if judge.errs("relation", relation, number):
        others = [other for other in _RELATIONS if other != relation]
        relation = others[int(judge.lot("other", number) * len(others))]
    return LABELS[relation][0]


def ask_single(prompt: Prompt, judge: Judge) -> str:
    """The question for a triple's tail; it knows none for a head."""
    head, label, _ = prompt.section("Triple").split(" >> ")
    relation = _OF_LABEL.get(label, "")
    forms = prompt.questions(relation, head) if head != "?" else []
    return forms[0] if forms else "none"


def fill(prompt: Prompt, judge: Judge) -> str:
    """The chain as it is, with what follows from it: it knows nothing of its own."""
    text, query = prompt.section("Chain"), prompt.query()
    triples = [part.split(" >> ") for part in text.split("; ")[:-1]]
    facts = [
        Fact(head, _OF_LABEL[label], tail)
        for head, label, tail in triples
        if label in _OF_LABEL and not re.search(r"#\d", head + tail)
    ]
    end = concluded(query, facts, judge) if query else UNKNOWN
    return "; ".join([*text.split("; ")[:-1], f"final answer: {end}"])
