"""A question taken apart: kind of answer, its own options, the noun, the words to look for."""

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...kg.text.words import terms
from .names import key

if TYPE_CHECKING:
    from spacy.tokens import Doc

KINDS = ("yesno", "choice", "number", "date", "person", "place", "work", "group", "other")

_NOUN = r"\b(?:what|which) (?:[\w'-]+ ){0,4}?"
_PATTERNS = (
    (
        "number",
        r"\bhow (?:many|much|long|old|tall|far|large|big|high|often)\b|\bpopulation\b"
        r"|\bwhat percentage\b|\bwhat (?:is|was) the (?:number|percent|amount|average|total)\b",
    ),
    (
        "date",
        r"^when\b|\bwhen ?\?$|\b(?:what|which) (?:year|date|day|month|century|decade)\b"
        r"|\bdate of (?:birth|death)\b|\bbirthday\b|\b(?:release|publication) date\b",
    ),
    (
        "place",
        r"\bwhere\b|\bplace of (?:birth|death|burial)\b|\bbirthplace\b|\bcountry of\b|"
        + _NOUN
        + r"(?:city|country|county|state|town|village|continent|nation|province|region|district"
        r"|river|island)\b",
    ),
    (
        "person",
        r"\bwho(?:m|se)?\b|"
        + _NOUN
        + r"(?:actor|actress|director|singer|author|writer|player|person|president|king|queen"
        r"|composer|artist|musician|politician|producer|wife|husband|father|mother)\b",
    ),
    (
        "work",
        _NOUN + r"(?:film|movie|song|album|book|novel|series|show|game|magazine|play|opera|poem)\b",
    ),
    (
        "group",
        _NOUN
        + r"(?:company|band|team|university|college|school|organi[sz]ation|party|club|group|network"
        r"|label|studio|league|agency)\b",
    ),
)
_ASKS_YEAR = re.compile(r"\b(?:what|which) year\b", re.IGNORECASE)
_OPENINGS = {"who": "person", "whom": "person", "where": "place", "when": "date"}
_VERDICT = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can)\b", re.IGNORECASE)

_NAME = r"(?:the )?[\"“(]?[A-Z0-9][^,?]*?"
_OPTIONS = (
    re.compile(r"[,:] (?:the )?([^,?]+(?:, [^,?]+)??),? or (?:the )?([^?]+?) ?\?"),
    re.compile(rf"\b(?:[Bb]etween|[Oo]f) ({_NAME}),? and ({_NAME}),? (?:which|who|what)\b"),
    re.compile(
        rf"^(?:Is|Are|Was|Were|Did|Does|Do|Has|Have) ({_NAME}) or ({_NAME})(?: [a-z]+)*\s*\?"
    ),
    re.compile(rf"^({_NAME}) or ({_NAME}),"),
    re.compile(
        r"\b([A-Z][^\s,]*(?: (?:[A-Z0-9(&][^\s,]*|of|the|in|and|de|to|a))*)"
        r" or ([A-Z][^\s,?]*(?: [^?,]+)?) ?\?"
    ),
)
_CLASS_WORD = re.compile(
    r"^(?:both )?(?:the )?(?:film|song|movie|album|book|novel|magazine|band)s? (?=\S)"
)

# Words that say the same in a question and in the passage that answers it.
_ALIKE = (
    "born birth birthplace birthday native",
    "died die death dead killed",
    "married marriage wife husband spouse widow",
    "directed director direct film-maker",
    "wrote written writer author novel",
    "performed performer singer sang artist recorded",
    "composed composer music score",
    "nationality citizenship citizen country",
    "located location country place city town",
    "graduated educated education attended studied university college school alma",
    "founded founder established formed started created began",
    "released published publication premiered release year",
    "won win award received",
    "son daughter child father mother parent",
    "works worked employer employed professor",
    "buried burial interred",
    "based headquarters headquartered",
    "owned owner acquired",
    "holds office position served elected",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart.

    Args:
        kind: of the answer, one of KINDS.
        options: the two things a comparison puts up, as the question spells them; else empty.
        focus: lemma of the noun asked for ("city" in "Which city …"), or "".
        stems: of its words without stop words.
        wanted: stems, and those of words that say the same.
        key: see `names.key`.
    """

    text: str
    kind: str
    options: tuple[str, ...]
    focus: str
    stems: frozenset[str]
    wanted: frozenset[str]
    key: str

    def year_of(self, text: str) -> str:
        """Return the year in a text, where the question asks for a year alone; else ""."""
        if not _ASKS_YEAR.search(self.text):
            return ""
        year = re.search(r"\b\d{4}\b", text)
        return year.group() if year else ""


def take_apart(text: str, doc: "Doc") -> Asked:
    """Take a question apart, by its text and its parse."""
    stems = frozenset(terms(text))
    kind = kind_of(text)
    wanted = stems.union(*(_alike().get(stem, ()) for stem in stems))
    if kind == "place":
        wanted |= frozenset(terms("located born"))
    return Asked(
        text=text,
        kind=kind,
        options=options_of(text) if kind == "choice" else (),
        focus=_focus(doc),
        stems=stems,
        wanted=wanted,
        key=key(text),
    )


def kind_of(question: str) -> str:
    """Tell the kind of answer, one of KINDS, by the question's words."""
    question = question.strip()
    if _VERDICT.match(question) and " or " not in question:
        return "yesno"
    if options_of(question):
        return "choice"
    low = question.lower()
    opening = _OPENINGS.get(low.partition(" ")[0])
    if opening:
        return opening
    return next((kind for kind, pattern in _PATTERNS if re.search(pattern, low)), "other")


def options_of(question: str) -> tuple[str, ...]:
    """Return the two things to choose from ("…, A or B?", "Between A and B, …"), else ()."""
    for pattern in _OPTIONS:
        found = pattern.search(question)
        if found:
            return tuple(_option(group) for group in found.groups())
    return ()


def _option(text: str) -> str:
    bare = _CLASS_WORD.sub("", text.strip()).strip(' "“”')
    return bare or text.strip()


def _focus(doc: "Doc") -> str:
    """The noun in the phrase of the question word, or the subject or attribute beside it."""
    asking = next((t for t in doc if t.tag_ in ("WDT", "WP", "WRB")), None)
    if asking is None:
        return ""
    for chunk in doc.noun_chunks:
        if chunk.start <= asking.i < chunk.end and chunk.root.i != asking.i:
            return chunk.root.lemma_.lower()
    beside = (t for t in asking.head.children if t.dep_ in ("nsubj", "attr") and t.pos_ == "NOUN")
    return next((t.lemma_.lower() for t in beside), "")


@functools.cache
def _alike() -> dict[str, frozenset[str]]:
    groups = [frozenset(terms(line)) for line in _ALIKE]
    alike: dict[str, frozenset[str]] = {}
    for group in groups:
        for stem in group:
            alike[stem] = alike.get(stem, frozenset()) | group
    return alike
