"""Questions of one step, and questions without an answer, made of labelled multi-hop questions.

People ask their documents simple things more often than multi-hop ones, of documents whose titles
name nothing that the question does, and things that the documents do not say. The benchmarks hold
what such questions can be made of: MuSiQue's decompositions, 2WikiMultihopQA's triples, and any
question whose supporting paragraphs are taken away.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from ...kg.text.words import fold
from ...loaders.questions.question import Paragraph, Question

UNTITLED = "Document"
"""The title of paragraphs that stand for parts of one document."""
_WORDED = {  # relations of 2WikiMultihopQA and of MuSiQue's "X >> relation", as people ask
    "director": "Who directed {}?",
    "performer": "Who performed {}?",
    "composer": "Who composed {}?",
    "producer": "Who produced {}?",
    "author": "Who wrote {}?",
    "screenwriter": "Who wrote {}?",
    "founded by": "Who founded {}?",
    "father": "Who is the father of {}?",
    "mother": "Who is the mother of {}?",
    "spouse": "Who is {} married to?",
    "child": "Who is the child of {}?",
    "sibling": "Who is the sibling of {}?",
    "country of citizenship": "Which country is {} from?",
    "country": "In which country is {}?",
    "country of origin": "Which country does {} come from?",
    "date of birth": "When was {} born?",
    "date of death": "When did {} die?",
    "place of birth": "Where was {} born?",
    "place of death": "Where did {} die?",
    "publication date": "When was {} released?",
    "inception": "When was {} founded?",
    "cause of death": "What did {} die of?",
    "award received": "Which award did {} receive?",
    "educated at": "Where did {} study?",
    "employer": "Who did {} work for?",
    "publisher": "Who published {}?",
    "record label": "Which label released {}?",
    "manufacturer": "Who makes {}?",
    "developer": "Who developed {}?",
    "owned by": "Who owns {}?",
    "headquarters location": "Where are the headquarters of {}?",
    "located in the administrative territorial entity": "Where is {} located?",
    "notable work": "What is {} known for?",
    "part of": "What is {} part of?",
    "genre": "What is the genre of {}?",
    "position held": "Which position did {} hold?",
}
_MADE = "\x1f"  # between a question's id and what was made of it
_ASKED_BY = " >> "  # MuSiQue's way to write a step


def simple_questions(question: Question) -> list[Question]:
    """Make the questions of one step that a question's decomposition or triples hold.

    Their paragraphs are the question's, untitled; those that support are the supporting ones that
    contain the answer.
    """
    made = []
    for number, (asked, answer) in enumerate(_steps(question)):
        support = [p.is_supporting and fold(answer) in fold(p.text) for p in question.paragraphs]
        if answer and any(support):
            paragraphs = tuple(
                Paragraph(UNTITLED, p.text, s)
                for p, s in zip(question.paragraphs, support, strict=True)
            )
            made.append(
                replace(
                    question,
                    id=f"{question.id}{_MADE}{number}",
                    question=asked,
                    answer=answer,
                    aliases=(),
                    hops=1,
                    paragraphs=paragraphs,
                    subquestions=(),
                    subanswers=(),
                    evidences=(),
                    evidence_names=(),
                    supporting_facts=(),
                )
            )
    return made


def without_answer(question: Question) -> Question:
    """Take the supporting paragraphs away, so that the right reaction is to abstain."""
    left = tuple(p for p in question.paragraphs if not p.is_supporting)
    return replace(question, id=f"{question.id}{_MADE}-", answerable=False, paragraphs=left)


def origin(question: Question) -> str:
    """The id of the question that this one was made of, or its own."""
    return question.id.partition(_MADE)[0]


def drawn(text: str, of: int) -> bool:
    """Choose one of so many, always the same."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % of == 0


def _steps(question: Question) -> Iterator[tuple[str, str]]:
    """(question, answer) of each step that can be asked by itself."""
    for asked, answer in zip(question.subquestions, question.subanswers, strict=True):
        subject, said, relation = asked.partition(_ASKED_BY)
        if not said:
            yield asked, answer
        elif relation in _WORDED:
            yield _WORDED[relation].format(subject), answer
    for head, relation, tail in question.evidences:
        if relation in _WORDED and head != tail:
            yield _WORDED[relation].format(head), tail
