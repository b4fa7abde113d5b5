"""This project's layout, and any record that holds a question.

id, question, answer, answer_aliases, answerable, type, hops, dataset, options [text],
paragraphs [{title, text, is_supporting, sent_starts [character]}],
supporting_facts [[title, sentence number]], evidences [[head, relation, tail]],
decomposition [{question, answer}]; and as 2WikiMultihopQA has them: answer_id, evidences_id.
"""

from ..records import Record
from . import hotpotqa, parts
from .aliases import Aliases
from .question import Question


def question(record: Record, aliases: Aliases) -> Question:
    """Read a record of this project's layout; only the question's text is required.

    Raises:
        SourceError: a field is of the wrong kind, or there is nothing to choose from.
    """
    answer, options = record.text("answer", ""), record.texts("options")
    if len(options) == 1:
        raise record.error("field 'options' must hold what there is to choose from")
    if options and answer and answer not in options:
        raise record.error("field 'answer' must be one of the options")
    steps = list(parts.subquestions(record, "decomposition"))
    return Question(
        id=record.text("id", "") or record.text("_id", "") or record.place,
        question=record.text("question"),
        answer=answer,
        aliases=hotpotqa.other_answers(record, aliases),
        type=record.text("type", ""),
        hops=parts.hops(record, "decomposition"),
        paragraphs=tuple(parts.paragraphs(record)),
        evidences=tuple(parts.triples(record, "evidences")),
        answerable=parts.flag(record, "answerable", record.data.get("answer", "") is not None),
        subquestions=tuple(asked for asked, _ in steps),
        subanswers=tuple(answer for _, answer in steps),
        dataset=record.text("dataset", ""),
        options=options,
        supporting_facts=tuple(parts.facts(record)),
        evidence_names=hotpotqa.evidence_names(record, aliases),
    )
