"""This project's layout, and any record that holds a question.

id, question, answer, answer_aliases, answerable, type, hops, dataset, options [text],
paragraphs [{title, text, is_supporting, sent_starts [character]}],
supporting_facts [[title, sentence number]], evidences [[head, relation, tail]],
decomposition [{question, answer}]; as 2WikiMultihopQA has them: answer_id, evidences_id; and as
Natural Questions and many other sets have it: answers [text], each of which is right.
"""

from difflib import get_close_matches

from ..records import Record
from . import hotpotqa, parts
from .aliases import Aliases
from .question import Question

_FIELDS = ("answer", "answer_aliases", "answerable", "options", "paragraphs", "supporting_facts")
_LIKE = 0.82  # a field's name to one of these, to be it misspelt


def question(record: Record, aliases: Aliases) -> Question:
    """Read a record of this project's layout; only the question's text is required.

    Raises:
        SourceError: a field is of the wrong kind, or its name is misspelt, or there is nothing to
            choose from.
    """
    _check_names(record)
    answers = () if "answer" in record.data else record.texts("answers")
    answer, options = record.text("answer", "".join(answers[:1])), record.texts("options")
    told = record.data.get("answer", "") is not None and record.data.get("answers") != []
    if len(options) == 1:
        raise record.error("field 'options' must hold what there is to choose from")
    if options and answer and answer not in options:
        raise record.error("field 'answer' must be one of the options")
    steps = list(parts.subquestions(record, "decomposition"))
    return Question(
        id=record.text("id", "") or record.text("_id", "") or record.place,
        question=record.text("question"),
        answer=answer,
        aliases=(*answers[1:], *hotpotqa.other_answers(record, aliases)),
        type=record.text("type", ""),
        hops=parts.hops(record, "decomposition"),
        paragraphs=tuple(parts.paragraphs(record)),
        evidences=tuple(parts.triples(record, "evidences")),
        answerable=parts.flag(record, "answerable", told),
        subquestions=tuple(asked for asked, _ in steps),
        subanswers=tuple(answer for _, answer in steps),
        dataset=record.text("dataset", ""),
        options=options,
        supporting_facts=tuple(parts.facts(record)),
        evidence_names=hotpotqa.evidence_names(record, aliases),
    )


def _check_names(record: Record) -> None:
    """Refuse "anwser": without an answer every one that is given would count as wrong."""
    for name in record.data:
        meant = get_close_matches(name.casefold(), _FIELDS, 1, _LIKE)
        if name != "answers" and meant and meant[0] not in record.data:
            raise record.error(f"field {name!r} is not known; is {meant[0]!r} meant?")
