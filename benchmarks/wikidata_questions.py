"""2WikiMultihopQA's questions as `benchmarks/wikidata.py` asks them: heads, triples, chains."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from triples import alike, lines

from hoptrail.kg.text.words import bare_title
from hoptrail.kg.types import Triple
from hoptrail.kg.wikidata.knowledge import Tail
from hoptrail.kg.wikidata.names import likeness, name_key
from hoptrail.kg.wikidata.properties import Wants
from hoptrail.reasoning.matching import normalise_answer
from hoptrail.reasoning.reader.rules.dates import Date, read_date

DEV = ("2wiki_dev.jsonl", "2wiki_dev_open.jsonl")
_PIECE = re.compile(r"\S+")
_NAMING = re.compile(r"[A-Z(0-9]|(?:of|de|von|van|the|and) ")
_NOTHING = ("is", "was", "are", "were", "has", "had", "of")
_ISO = re.compile(r"[+-]?(\d{4,})-(\d\d)-(\d\d)T")
_LATE = re.compile(r"\b(?:later|younger|last|latest|(?:more|most) recent(?:ly)?|newer)\b", re.I)
_WHEN = re.compile(
    r"\W*when\b|.*\b(?:what|which) (?:is the )?(?:date|year|day)\b|.*\bdate of\b", re.I
)
_WHERE = re.compile(r"\W*(?:where|who|whose|whom)\b|.*\bplace\b", re.I)


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold triple.

    Args:
        head: as 2Wiki writes it.
        id: the head's QID.
        pid: of the property.
        after: the place of the triple whose tail is the head; None where the question names it.
        asked: the head as the question words it, where it does.
    """

    head: str
    id: str
    relation: str
    tail: str
    pid: str
    after: int | None
    asked: str

    @property
    def first(self) -> bool:
        """Whether the question names the head."""
        return self.after is None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold chain."""

    text: str
    type: str
    answer: str
    aliases: tuple[str, ...]
    gold: tuple[Gold, ...]
    passages: tuple[tuple[str, str], ...]

    @property
    def wants(self) -> Wants | None:
        """The type of the answer, where the question's words tell."""
        if _WHEN.match(self.text):
            return "Time"
        return "WikibaseItem" if _WHERE.match(self.text) else None

    def context(self, head: str) -> str:
        """The passages that name a head."""
        key = name_key(bare_title(head))
        return "\n".join(f"{t}. {x}" for t, x in self.passages if key in name_key(f"{t} {x}"))


def questions(files: Iterable[Path]) -> list[Question]:
    """Read those whose heads have ids."""
    return [one for file in files for record in lines(file) if (one := _question(record))]


def _question(record: dict) -> Question | None:
    heads = list(dict.fromkeys(head for head, _, _ in record["evidences"]))
    if len(heads) != len(record.get("entity_ids", ())) or not record.get("evidence_pids"):
        return None
    ids = dict(zip(heads, record["entity_ids"], strict=True))
    alone = record["type"] in ("compositional", "inference")
    triples, gold = record["evidences"], []
    for place, ((h, r, t), pid) in enumerate(zip(triples, record["evidence_pids"], strict=True)):
        after = _leading(record, place, ids[h])
        asked = worded(record["question"], h, alone) if after is None else ""
        gold.append(Gold(h, ids[h], r, t, pid, after, asked))
    passages = tuple((p["title"], p["text"]) for p in record["paragraphs"] if p["is_supporting"])
    aliases = tuple(record.get("answer_aliases") or ())
    return Question(
        record["question"], record["type"], record["answer"], aliases, tuple(gold), passages
    )


def _leading(record: dict, place: int, qid: str) -> int | None:
    """The gold triple before whose tail is the head of this one; spelled otherwise at times."""
    head, before = record["evidences"][place][0], record["evidences"][:place]
    ids = [tail for _, _, tail in record.get("evidences_id", ())]
    for same in (
        lambda at, tail: at < len(ids) and ids[at] == qid,
        lambda at, tail: name_key(bare_title(tail)) == name_key(bare_title(head)),
        lambda at, tail: alike(bare_title(tail), bare_title(head)),
    ):
        for at, (_, _, tail) in enumerate(before):
            if same(at, tail):
                return at
    if place and record["type"] in ("compositional", "inference"):
        return place - 1 if head != before[-1][0] else None
    return None


def worded(question: str, head: str, alone: bool) -> str:
    """Find the words of a question that name a head: the run of words most like it.

    Where it is the only name it goes on over all that has a capital ("…, 9Th Baron …").
    """
    pieces = list(_PIECE.finditer(question))
    keys = {name_key(head), name_key(bare_title(head))}
    longest = max(len(key.split()) for key in keys) + 4
    best, run = -1.0, (0, 0)
    for a in range(len(pieces)):
        for b in range(a, min(len(pieces), a + longest)):
            key = name_key(question[pieces[a].start() : pieces[b].end()])
            like = max(likeness(key, one) for one in keys)
            if (like, b - a) > (best, run[1] - run[0]) and key:
                best, run = like, (a, b)
    first, last = run
    if alone:
        while last + 1 < len(pieces) and _NAMING.match(pieces[last + 1][0]):
            last += 1
    while first < last and pieces[first][0][0].islower() and head[0].isupper():
        first += 1
    found = question[pieces[first].start() : pieces[last].end()].strip(",?.;: ")
    for ending in ("'s", "’s"):
        found = found.removesuffix(ending) if not head.endswith(ending) else found
    return found


def same_value(gold: str, tail: Tail) -> bool:
    """Whether a tail is the gold one: a name of it, or the same date."""
    if normalise_answer(gold) in map(normalise_answer, tail.names):
        return True
    one, other = when(gold), when(tail.text)
    return one is not None and one == other and tail.id is None


def when(text: str) -> Date | None:
    """Read a date, also Wikidata's; 1 January may be a year alone there."""
    if iso := _ISO.match(text):
        year, month, day = map(int, iso.groups())
        return Date(year) if (month, day) in ((1, 1), (0, 0)) else Date(year, month, day)
    return read_date(text)


def compared(
    question: str, options: tuple[str, str], first: tuple[Tail, ...], second: tuple[Tail, ...]
) -> str | None:
    """Decide between two options by their values; None where these leave it open."""
    one = [d for tail in first if not tail.id and (d := when(tail.text))]
    two = [d for tail in second if not tail.id and (d := when(tail.text))]
    if one and two:
        earlier = min(one, key=lambda d: d.number).before(min(two, key=lambda d: d.number))
        for option in options:  # "Last Tango In Paris" asks for nothing last
            question = question.replace(option, " ")
        return None if earlier is None else options[earlier == bool(_LATE.search(question))]
    if not first or not second:
        return None
    own, theirs = ({t.id or normalise_answer(t.text) for t in some} for some in (first, second))
    return "yes" if own & theirs else "no"


def phrases(gold: Gold, triples: Iterable[Triple]) -> Iterator[str]:
    """The relations of extracted triples whose ends are those of a gold triple.

    What says nothing ("is") comes last, as what is merely tied does.
    """
    ends = [t for t in triples if alike(gold.head, t.head) and alike(gold.tail, t.tail)]
    return (t.relation for t in sorted(ends, key=lambda t: (t.tied, t.relation in _NOTHING)))
