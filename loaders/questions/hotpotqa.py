"""HotpotQA (distractor and full wiki) and 2WikiMultihopQA.

HotpotQA: _id, question, answer, type, context [[title, [sentence]]],
supporting_facts [[title, sentence number]]. In the full-wiki files the context is what a retriever
found, which need not hold the supporting facts.

2WikiMultihopQA: the same, and evidences [[head, relation, tail]]; with ids also answer_id and
evidences_id, whose other names are in id_aliases.json beside the file.
"""

from collections.abc import Iterator

from ...kg.text.words import clean
from ..fields import joined
from ..records import Record
from . import parts
from .aliases import Aliases
from .question import Paragraph, Question

_HOPS = {"bridge_comparison": 4}  # two bridges, then the comparison; every other type takes 2


def question(record: Record, aliases: Aliases) -> Question:
    """Read a record of HotpotQA or 2WikiMultihopQA.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    kind = record.text("type", "")
    facts = tuple(parts.facts(record))
    supporting = {title for title, _ in facts}
    return Question(
        id=record.text("_id", "") or record.text("id", "") or record.place,
        question=record.text("question"),
        answer=record.text("answer", ""),
        aliases=other_answers(record, aliases),
        type=kind,
        hops=_HOPS.get(kind, 2),
        paragraphs=tuple(_context(record, supporting)),
        evidences=tuple(parts.triples(record, "evidences")),
        answerable=parts.flag(record, "answerable", record.data.get("answer", "") is not None),
        dataset="2wikimultihopqa" if "evidences" in record.data else "hotpotqa",
        supporting_facts=facts,
        evidence_names=evidence_names(record, aliases),
    )


def other_answers(record: Record, aliases: Aliases) -> tuple[str, ...]:
    """Return the record's other answers, then the names of the entity that the answer is."""
    known = aliases.of(record.text("answer_id", ""))
    return tuple(dict.fromkeys((*record.texts("answer_aliases"), *known)))


def evidence_names(
    record: Record, aliases: Aliases
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Collect names of the evidence's entities; see `Question.evidence_names`.

    Raises:
        SourceError: there are ids, but not one triple of ids for each evidence.
    """
    ids = tuple(parts.triples(record, "evidences_id"))
    if ids and len(ids) != len(record.items("evidences")):
        counts = f"{len(ids)} for {len(record.items('evidences'))} evidences"
        raise record.error(
            f"field 'evidences_id' must hold a triple for each evidence, not {counts}"
        )
    names = tuple((aliases.of(head), aliases.of(tail)) for head, _, tail in ids)
    return names if any(head or tail for head, tail in names) else ()


def _context(record: Record, supporting: set[str]) -> Iterator[Paragraph]:
    for number, pair in enumerate(record.items("context")):
        match pair:
            case [str(title), [*sentences]] if all(isinstance(s, str) for s in sentences):
                title = clean(title)
                text, starts = joined(sentences)
                yield Paragraph(title, clean(text), title in supporting, starts)
            case _:
                raise record.error(f"field 'context[{number}]' must be [title, [sentence, …]]")
