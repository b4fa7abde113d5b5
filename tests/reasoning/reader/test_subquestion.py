"""What a question describes, as a question of its own: by its grammar."""

import pytest

from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader.asked.subquestion import subquestions


@pytest.mark.parametrize(
    ("question", "first", "then"),
    [
        (
            "What is the number of the woman who mends the lift?",
            "Who mends the lift?",
            "What is the number of Ida?",
        ),
        (
            "On which weekday does the firm that gives the prizes deliver?",
            "Which firm gives the prizes?",
            "On which weekday does Ida deliver?",
        ),
        (
            "What is the serial number of the hoist that Kestrel examined?",
            "Which hoist did Kestrel examine?",
            "What is the serial number of Ida?",
        ),
        (
            "How many people fit in the room where Ines Berg teaches?",
            "In which room does Ines Berg teach?",
            "How many people fit in Ida?",
        ),
        (
            "What is the phone number of the person I must tell when the pump fails?",
            "Who must I tell when the pump fails?",
            "What is the phone number of Ida?",
        ),
        (
            "What extension do I dial for whoever is treating the osmosis on Blue Gannet?",
            "Who is treating the osmosis on Blue Gannet?",
            "What extension do I dial for Ida?",
        ),
        (
            "What is the hourly charge for the person doing the rigging on Solveig?",
            "Who is doing the rigging on Solveig?",
            "What is the hourly charge for Ida?",
        ),
        (
            "When did the man in charge of the pressure washer join the yard?",
            "Who is in charge of the pressure washer?",
            "When did Ida join the yard?",
        ),
        (
            "Which days is the deputy safeguarding lead here?",
            "Who is the deputy safeguarding lead?",
            "Which days is Ida here?",
        ),
        (
            "Which days is the regatta's race officer in the yard?",
            "Who is the regatta's race officer?",
            "Which days is Ida in the yard?",
        ),
        (
            "Where was the founder of Skywave Weekly born?",
            "Who is the founder of Skywave Weekly?",
            "Where was Ida born?",
        ),
        (
            "What county is Erik Hort's birthplace a part of?",
            "What is Erik Hort's birthplace?",
            "What county is Ida a part of?",
        ),
        (
            "Who is the father of the person that Crockett County is named after?",
            "Who is Crockett County named after?",
            "Who is the father of Ida?",
        ),
        (
            "Who said that one of the boldest bridges was the work of the man who built the weir?",
            "Who built the weir?",
            "Who said that one of the boldest bridges was the work of Ida?",
        ),
        (
            "When was the mill that Ann Lee built opened?",
            "Which mill did Ann Lee build?",
            "When was Ida opened?",
        ),
        (
            "Who wrote a book with the singer of I Will Always Love You?",
            "Who is the singer of I Will Always Love You?",
            "Who wrote a book with Ida?",
        ),
    ],
)
def test_a_description_is_asked_for_first(
    pipeline: Pipeline, question: str, first: str, then: str
) -> None:
    [doc] = pipeline([question])
    step = subquestions(doc)[0]
    assert (step.text, step.asked_of("Ida")) == (first, then)


def test_the_shortest_description_comes_first(pipeline: Pipeline) -> None:
    [doc] = pipeline(["Which band did the brother of the singer of Hello play in?"])
    assert [step.text for step in subquestions(doc)] == [
        "Who is the singer of Hello?",
        "Who is the brother of the singer of Hello?",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the owner of Skywave Weekly?",  # asks for nobody else
        "What is the name of the man who mends the lift?",
        "Who mends the lift?",
        "Who contributed the spelling checker?",  # a thing, whatever it ends in
        "What is the capital of the state of Victoria?",
        "When does the office open?",
        "In which programming language is the svg exporter written?",
        "Does the man who mends the lift live here?",  # has no question word
        "",
    ],
)
def test_what_describes_nothing_else_is_no_question_of_its_own(
    pipeline: Pipeline, question: str
) -> None:
    [doc] = pipeline([question])
    assert not subquestions(doc)
