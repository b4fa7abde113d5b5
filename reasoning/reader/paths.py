"""The rule for 'the R of the S of E': a path of relations from a named entity, one triple a hop."""

import re
from dataclasses import replace

from ...kg.text import STOP, bare_title, terms
from .pages import Evidence, Page
from .relations import BY_NAME, KINSHIP, RELATIONS, Relation, fits, values
from .rulings import Ruling

_KINDS = ("choice", "yesno", "number")
_CLASS_WORDS = re.compile(
    r"\b(?:film|song|movie|album|single|band|company|person|book|novel|play|opera|name)s?\b"
)
_KINSHIP = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in KINSHIP))
_DIRECTIONS = frozenset({"through", "across", "over", "along", "near", "past"})
MOST_HOPS = 3
STEM = 6  # letters: "flow", "design", "capita"; a triple may inflect the word otherwise


def by_path(evidence: Evidence) -> Ruling | None:
    """The end of the path a question describes, or None.

    None too when the question has words that path and entity leave unexplained: a path that
    ignores half of the question ends anywhere. A single such word may itself be the last relation
    ("Which river *flows* through Ulm?"); the rule is then called "word".
    """
    if evidence.asked.kind in _KINDS or not evidence.named:
        return None
    start = evidence.named[0]
    at, text = _without_title(evidence.asked.text, start)
    hops = _hops(text, at)
    left = _unexplained(text, hops, evidence.asked.focus)
    rule = "path"
    if len(left) == 1 and len(hops) < MOST_HOPS:
        rule, hops = "word", [*hops, _said(left[0], evidence.asked.kind)]
    elif left or not hops:
        return None
    ruling = _walk(evidence, bare_title(start.passage.title), hops, rule)
    if ruling is None or (evidence.asked.kind == "date" and not fits(ruling.answer, "date")):
        return None
    year = evidence.asked.year_of(ruling.answer)
    return replace(ruling, answer=year) if year else ruling


def _said(word: str, kind: str) -> Relation:
    """The relation that triples word as the question does, in either direction."""
    [stem] = terms(word)
    said = rf"\b{re.escape(stem[:STEM])}"
    return Relation(word, word, said, said, "date" if kind == "date" else "name")


def _without_title(question: str, page: Page) -> tuple[int, str]:
    """Where the title stood, and the question in lower case with blanks in its place."""
    text = question.lower().replace("’", "'")
    title = bare_title(page.passage.title).lower()
    at = text.find(title)
    if at < 0:
        return len(text), text
    return at, text[:at] + " " * len(title) + text[at + len(title) :]


def _hops(text: str, at: int) -> list[Relation]:
    """Relations from the entity outwards: links by distance, then what is asked of the last."""
    kin = _KINSHIP.search(text)
    links: list[Relation] = []
    if kin:
        links = [BY_NAME[name] for name in KINSHIP[kin.group()]]
        text = text[: kin.start()] + " " * len(kin.group()) + text[kin.end() :]
    found = sorted(
        (abs(match.start() - at), relation.name)
        for relation in RELATIONS
        if relation.link and (match := re.search(relation.asked, text))
    )
    near = [BY_NAME[name] for _, name in found]
    links = near + links  # "the paternal grandfather of the director of …": the director first
    last = next((r for r in RELATIONS if not r.link and re.search(r.asked, text)), None)
    hops = [*links, last] if last else links
    return hops if len(hops) <= MOST_HOPS else []


def _unexplained(text: str, hops: list[Relation], focus: str) -> list[str]:
    """Words that neither the hops nor the noun asked for account for."""
    rest = _CLASS_WORDS.sub(" ", _KINSHIP.sub(" ", text))
    for relation in hops:
        rest = re.sub(relation.accounts_for, " ", rest)
    said = re.findall(r"[^\W\d_]{3,}|\d+", rest)
    return [word for word in said if word not in STOP | _DIRECTIONS and word != focus]


def _walk(evidence: Evidence, subject: str, hops: list[Relation], rule: str) -> Ruling | None:
    support = []
    for number, relation in enumerate(hops):
        steps = values(evidence, subject, relation)
        last = number == len(hops) - 1
        if not steps or (last and rule == "word" and len(steps) > 1):
            return None  # a word that several things answer to is no relation
        step = steps[0]
        if last and relation.name == "country":
            step = steps[-1]  # "in Ghent, Belgium": the country comes last
        elif not last:  # prefer a value that has a page of its own: that is where the path goes on
            step = next((s for s in steps if evidence.page_of(s.value)), step)
        support.append(step.statement)
        subject = step.value
    return Ruling(subject, rule, tuple(support))
