"""The rule for 'the R of the S of E': a path of relations from a named entity, one triple a hop."""

import re
from dataclasses import replace

from ....kg.text.words import STOP, bare_title
from ....kg.types import Statement
from ..asked.names import key
from ..asked.question import Asked
from ..kinds import HOUSES, no_person
from ..pages import Evidence
from .relations import BY_NAME, KINSHIP, RELATIONS, Relation, Step, fits, values
from .rulings import Ruling
from .wording import DIRECTIONS, relation_of

_KINDS = ("choice", "yesno", "number")
_NO_PEOPLE = ("place", "work")  # links lead to people
_CLASS_WORDS = re.compile(
    r"\b(?:film|song|movie|album|single|band|company|person|book|novel|play|opera|name)s?\b"
)
_KINSHIP = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in KINSHIP))
_EXPLAINED = STOP.union(DIRECTIONS)
MAX_HOPS = 3  # relations on the way from the question's entity to the answer
_Hop = tuple[int, Relation]  # characters between where the question says it and the entity


def by_path(evidence: Evidence) -> Ruling | None:
    """Follow the path that a question describes to its end, or return None.

    None too when the question has words that path and entity leave unexplained: a path that
    ignores half of the question ends anywhere. A single such word may itself be a relation
    ("Which river *flows* through Ulm?"); the rule is then called "word".
    """
    if evidence.asked.kind in _KINDS:
        return None
    found = (_from(evidence, name) for name in _starts(evidence))
    return next((ruling for ruling in found if ruling is not None), None)


def _starts(evidence: Evidence) -> list[str]:
    """Where a path may start: the title that the question names, else names that triples have."""
    if evidence.named:
        return [bare_title(evidence.named[0].passage.title)]
    ends = {key(end) for page in evidence.pages for s in page.statements for end in _ends(s)}
    called = sorted(evidence.asked.called, key=len, reverse=True)
    return [name for name in called if key(name) in ends]


def _ends(statement: Statement) -> tuple[str, str]:
    return statement.triple.head, statement.triple.tail


def _from(evidence: Evidence, name: str) -> Ruling | None:
    """Follow the path from one named thing."""
    at, text = _without_name(evidence.asked.text, name)
    hops = _hops(text, at)
    left = _unexplained(text, [relation for _, relation in hops], evidence.asked.focus)
    said = None
    if left:
        said = _said(left, text, at, hops, evidence.asked.kind)
        if said is None:
            return None
        hops = _with(said, abs(text.find(said.name) - at), hops)
    if not 0 < len(hops) <= MAX_HOPS:
        return None
    path = [relation for _, relation in hops]
    if path[-1].link and _not_who(evidence.asked):
        return None
    ruling = _walk(evidence, name, path, said)
    if ruling is None or (evidence.asked.kind == "date" and not fits(ruling.answer, "date")):
        return None
    if evidence.asked.focus in HOUSES and ruling.support[-1].triple.relation.endswith(" in"):
        return None  # of "works in Osaka" that is no museum
    if path[-1].name != "country":
        ruling = replace(ruling, answer=_place(evidence, ruling))
    year = evidence.asked.year_of(ruling.answer)
    return replace(ruling, answer=year) if year else ruling


def _not_who(asked: Asked) -> bool:
    """Tell whether no link answers it, as those lead to people: "In which town was X composed?"."""
    return asked.kind in _NO_PEOPLE or (asked.kind == "other" and no_person(asked))


def _place(evidence: Evidence, ruling: Ruling) -> str:
    """A place with the smaller one before it, where its sentence says both: "Linz, Austria"."""
    last = ruling.support[-1]
    page = next(p for p in evidence.pages if p.id == last.passage_id)
    if evidence.asked.kind != "place" or not page.spans:
        return ruling.answer
    sentence = page.texts[page.sentence_of(last)]
    small = re.search(rf"((?:[A-Z][\w'’-]+ ?){{1,3}}), {re.escape(ruling.answer)}\b", sentence)
    return f"{small.group(1)}, {ruling.answer}" if small else ruling.answer


def _said(left: list[str], text: str, at: int, hops: list[_Hop], kind: str) -> Relation | None:
    """The one word left as a relation of its own."""
    if len(left) > 1 or at == len(text):  # without a place of the title nothing says who does it
        return None
    [word] = left
    outermost = all(distance < abs(text.find(word) - at) for distance, _ in hops)
    return relation_of(word, text, at, "date" if kind == "date" and outermost else "name")


def _with(said: Relation, distance: int, hops: list[_Hop]) -> list[_Hop]:
    """The hops with one more before the first that the question says farther from the entity."""
    before = next((n for n, (further, _) in enumerate(hops) if further > distance), len(hops))
    return [*hops[:before], (distance, said), *hops[before:]]


def _without_name(question: str, name: str) -> tuple[int, str]:
    """Where a name stood, and the question in lower case with blanks in its place."""
    text = question.lower().replace("’", "'")
    low = name.lower().replace("’", "'")
    at = text.find(low)
    if at < 0:
        return len(text), text
    return at, text[:at] + " " * len(low) + text[at + len(low) :]


def _hops(text: str, at: int) -> list[_Hop]:
    """Relations from the entity outwards: links by distance, then what is asked of the last."""
    kin = _KINSHIP.search(text)
    links: list[_Hop] = []
    if kin:
        links = [(abs(kin.start() - at), BY_NAME[name]) for name in KINSHIP[kin.group()]]
        text = text[: kin.start()] + " " * len(kin.group()) + text[kin.end() :]
    found = sorted(
        (abs(match.start() - at), relation.name)
        for relation in RELATIONS
        if relation.link and (match := re.search(relation.asked, text))
    )
    near = [(distance, BY_NAME[name]) for distance, name in found]
    links = near + links  # "the paternal grandfather of the director of …": the director first
    ends = ((re.search(r.asked, text), r) for r in RELATIONS if not r.link)
    last = next(((abs(match.start() - at), r) for match, r in ends if match), None)
    return [*links, last] if last else links


def _unexplained(text: str, hops: list[Relation], focus: str) -> list[str]:
    """Words that neither the hops nor the noun asked for ("Which river …") account for."""
    rest = _CLASS_WORDS.sub(" ", _KINSHIP.sub(" ", text))
    for relation in hops:
        rest = re.sub(relation.accounts_for, " ", rest)
    if focus:
        rest = re.sub(
            rf"\b((?:which|what)\b.{{0,40}}?) {re.escape(focus)}s?\b(?! of\b)", r"\1", rest
        )
    return [w for w in re.findall(r"[^\W\d_]{3,}|\d+", rest) if w not in _EXPLAINED]


def _walk(
    evidence: Evidence, subject: str, hops: list[Relation], said: Relation | None
) -> Ruling | None:
    support = []
    for number, relation in enumerate(hops):
        steps = values(evidence, subject, relation)
        if not steps or (relation is said and not _certain(steps)):
            return None
        last = number == len(hops) - 1
        step = steps[0]
        if last and relation.name == "country":
            step = steps[-1]  # "in Ghent, Belgium": the country comes last
        elif not last:  # prefer a value that has a page of its own: that is where the path goes on
            step = next((s for s in steps if evidence.page_of(s.value)), step)
        support.append(step.statement)
        subject = step.value
    return Ruling(subject, "word" if said else "path", tuple(support))


def _certain(steps: list[Step]) -> bool:
    """Whether a word that is no known relation has one value, by a triple that is no guess."""
    return len(steps) == 1 and not steps[0].statement.triple.tied
