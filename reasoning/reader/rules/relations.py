"""Relations that a question asks for by name, and how passages state them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ....kg.types import Statement
from ..asked.names import key, same_name
from ..pages import Evidence, Page

Ends = Literal["name", "date", "any"]


@dataclass(frozen=True)
class Relation:
    """A relation by its name, with the words that ask for it and that state it.

    Args:
        asked: how a question says it, in lower case.
        states: how a triple about the subject says it.
        reverse: how a triple whose tail is the subject says it, or "".
        ends: what its value must look like.
        link: whether a question goes on from its value ("the mother of the director of …").
        words: those of `asked`, where its pattern spans others ("where … born").
    """

    name: str
    asked: str
    states: str
    reverse: str = ""
    ends: Ends = "name"
    link: bool = False
    words: str = ""

    @property
    def accounts_for(self) -> str:
        """A pattern of the question's words that this relation explains."""
        return self.words or self.asked


_CHILD_OF = r"\b(?:son|daughter|child)\b.* of\b|born to\b"
_WOMAN = re.compile(
    r"\b(?:Archduchess|Baroness|Countess|Dame|Duchess|Empress|Lady|Mrs|Princess|Queen)\b"
)
_MAN = re.compile(r"\b(?:Archduke|Baron|Count|Duke|Earl|Emperor|King|Lord|Mr|Prince|Sir)\b")
_NO_PERSON = re.compile(r"\b(?:after|at|before|during|in|near|on|since|until)$")
"""Relations that end in a place or a date, whatever verb they begin with: "married in"."""

RELATIONS = (
    Relation(
        "director", r"\bdirect(?:ed|or|s)\b", r"direct", r"^directed?\b|director of", link=True
    ),
    Relation(
        "performer",
        r"\b(?:performer|singer|performed|performs|sang|sung)\b",
        r"\bby\b|perform|sung|singer|record|\bfrom\b",
        r"^(?:perform|record|sang|released)",
        link=True,
    ),
    Relation("composer", r"\bcompose[rd]?\b", r"compos|music|score", r"compos", link=True),
    Relation(
        "author",
        r"\b(?:author|wrote|written|writer)\b",
        r"\bwrit|wrote|author|\bby$",
        r"^(?:wrote|writ)|author of",
        link=True,
    ),
    Relation("producer", r"\bproduce[rd]\b", r"produce", r"produced", link=True),
    Relation(
        "founder",
        r"\bfound(?:er|ed)\b",
        r"found|establish|creat(?:ed|or)\b",  # whose "creation was sponsored by" is no founder
        r"^found|founder of",
        link=True,
    ),
    Relation(
        "father",
        r"\bfather\b",
        rf"\bfather\b|{_CHILD_OF}",
        r"father of|has (?:son|daughter)",
        link=True,
    ),
    Relation(
        "mother",
        r"\bmother\b",
        rf"\bmother\b|{_CHILD_OF}",
        r"mother of|has (?:son|daughter)",
        link=True,
    ),
    Relation(
        "spouse",
        r"\b(?:spouse|husband|wife|married)\b",
        r"marri|wife|husband|spouse|widow|consort",
        r"marri|(?:wife|husband|widow|consort) of",
        link=True,
    ),
    Relation(
        "child",
        r"\b(?:child|son|daughter)\b",
        r"^(?:has )?(?:son|daughter|child)|father of|mother of",
        r"(?:son|daughter) of",
        link=True,
    ),
    Relation(
        "sibling",
        r"\b(?:sibling|brother|sister)\b",
        r"brother|sister|sibling",
        r"(?:brother|sister) of",
        link=True,
    ),
    Relation(
        "birthplace",
        r"\b(?:where|place|city|town|village)\b.*\bborn\b|\bplace of birth\b|\bbirthplace\b"
        r"|\bborn in (?:what|which)\b",
        r"\bborn\b.* (?:in|at|near)$|birthplace|native of",
        words=r"\b(?:born|birth(?:place)?|place|city|town|village)\b",
    ),
    Relation(
        "place of death",
        r"\b(?:where|place|city|town|village)\b.*\bdied?\b|\bplace of death\b",
        r"\bdied\b.* (?:in|at|near)$|death (?:in|at)",
        words=r"\b(?:died?|death|place|city|town|village)\b",
    ),
    Relation(
        "birth date",
        r"\b(?:when|year|date|day)\b.*\bborn\b|\bdate of birth\b|\bbirthday\b|\bbirth date\b"
        r"|\bborn on (?:what|which)\b",
        r"\bborn\b",
        ends="date",
        words=r"\b(?:born|birth(?:day)?|date|year|day)\b",
    ),
    Relation(
        "death date",
        r"\b(?:when|year|date|day)\b.*\b(?:die|died|death)\b|\bdate of death\b|\bdeath date\b"
        r"|\bdied? on (?:what|which)\b",
        r"\bdied\b|\bdeath\b",
        ends="date",
        words=r"\b(?:died?|death|date|year|day)\b",
    ),
    Relation(
        "burial",
        r"\bwhere\b.*\bburied\b|\b(?:place of burial|burial place|buried)\b",
        r"buri|interred|entomb",
        words=r"\b(?:buried|burial|place)\b",
    ),
    Relation(
        "nationality",
        r"\bnationality\b|\bcitizen(?:ship)?\b|\b(?:what|which) country\b.*\bfrom\b",
        r"nationality|country of origin|citizen",
        words=r"\b(?:nationality|citizen(?:ship)?|country)\b",
    ),
    Relation(
        "country",
        r"\bcountry of origin\b|\b(?:what|which) country\b|\bcountry\b",
        r"country|located in|nationality",
        words=r"\b(?:country|origin)\b",
    ),
    Relation(
        "year",
        r"\b(?:publication|release) date\b|\bwhen\b.*\b(?:released|published)\b",
        r"year|releas|publish|premier",
        ends="date",
        words=r"\b(?:publication|published|released?|date|year)\b",
    ),
    Relation(
        "school",
        r"\b(?:study|studied|graduated?|educated|attend(?:ed)?|alma mater|university)\b",
        r"graduat|educat|attend|studied|\balma\b",
    ),
    Relation(
        "award",
        r"\bawards?\b(?:.*\b(?:won|win|got|received?))?",
        r"\bwon|award|receiv",
        words=r"\b(?:awards?|won|win|got|received?)\b",
    ),
    Relation(
        "employer",
        r"\bworks? at\b|\bworked at\b|\bemploy(?:er|ed)\b",
        r"\bwork|professor|taught|employ",
    ),
    Relation(
        "cause of death",
        r"\bcause of death\b|\bwhy did\b.*\bdie\b",
        r"died (?:of|from)$|cause",
        ends="any",
        words=r"\b(?:cause|died?|death)\b",
    ),
)
BY_NAME = {relation.name: relation for relation in RELATIONS}

KINSHIP = {
    "paternal grandfather": ("father", "father"),
    "paternal grandmother": ("father", "mother"),
    "maternal grandfather": ("mother", "father"),
    "maternal grandmother": ("mother", "mother"),
    "father-in-law": ("spouse", "father"),
    "mother-in-law": ("spouse", "mother"),
    "brother-in-law": ("spouse", "sibling"),
    "sister-in-law": ("spouse", "sibling"),
    "sibling-in-law": ("sibling", "spouse"),
    "child-in-law": ("child", "spouse"),
    "stepfather": ("mother", "spouse"),
    "stepmother": ("father", "spouse"),
    "stepchild": ("spouse", "child"),
    "co-husband": ("spouse", "spouse"),
    "grandchild": ("child", "child"),
    "uncle": ("father", "sibling"),
    "aunt": ("father", "sibling"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A value of a relation and the statement that gives it."""

    value: str
    statement: Statement


def values(evidence: Evidence, subject: str, relation: Relation) -> list[Step]:
    """Collect what the pages state as a relation of a subject, its own page first."""
    steps = list(_stated(evidence, subject, relation))
    if relation.name in ("mother", "father"):
        steps = _parents(evidence, steps, relation.name)
    return list({key(step.value): step for step in reversed(steps)}.values())[::-1]


def _stated(evidence: Evidence, subject: str, relation: Relation) -> Iterator[Step]:
    name = key(subject)
    own = evidence.page_of(subject)
    for page in sorted(evidence.pages, key=lambda page: page is not own):
        for statement in page.statements:
            value = _value(statement, name, relation, page)
            if value and fits(value, relation.ends):
                yield Step(value, statement)


def _value(statement: Statement, name: str, relation: Relation, page: Page) -> str:
    triple = statement.triple
    words = triple.relation.lower()
    about, of = same_name(key(triple.head), name), same_name(key(triple.tail), name)
    if about == of or (relation.link and _NO_PERSON.search(words)):
        return ""
    if about:
        return triple.tail if re.search(relation.states, words) else ""
    return triple.head if relation.reverse and re.search(relation.reverse, words) else ""


def _parents(evidence: Evidence, steps: list[Step], which: str) -> list[Step]:
    """Where no triple says "mother" or "father": of "the son of A and B" B and A, or by titles."""
    said = [s for s in steps if which in s.statement.triple.relation.lower()]
    born = [s for s in steps if re.search(_CHILD_OF, s.statement.triple.relation.lower())]
    if said or not born:
        return said or steps
    women = [s for s in born if _WOMAN.search(_titled(evidence, s))]
    men = [s for s in born if _MAN.search(_titled(evidence, s))]
    if which == "mother":
        return women or [s for s in born[1:2] if s not in men]
    return men or [s for s in born if s not in women][:1]


def _titled(evidence: Evidence, step: Step) -> str:
    """A value with the word before it, which names leave out: "Princess Madeleine"."""
    page = next(p for p in evidence.pages if p.id == step.statement.passage_id)
    found = re.search(rf"(?:\w+ )?{re.escape(step.value)}", page.passage.text)
    return found.group() if found else step.value


def fits(value: str, ends: Ends) -> bool:
    """Tell whether a value looks as the relation's must: capitalised name, date with a year."""
    if ends == "date":
        return bool(re.search(r"\d{3,4}", value))
    return ends == "any" or (value[:1].isupper() and not re.search(r"\d{4}", value))
