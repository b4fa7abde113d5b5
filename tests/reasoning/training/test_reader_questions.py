from dataclasses import replace

from hoptrail.loaders.questions.question import Paragraph, Question
from hoptrail.reasoning.training.reader_questions import origin, simple_questions, without_answer

FILM = Question(
    id="q1",
    question="Where was the director of Low Tide born?",
    answer="Bergen",
    aliases=("Bergen, Norway",),
    type="",
    hops=2,
    paragraphs=(
        Paragraph("Low Tide", "Low Tide is a film by Ida Holm.", True),
        Paragraph("Ida Holm", "Ida Holm was born in Bergen.", True),
        Paragraph("Bergen", "Bergen is a town by the sea.", False),
    ),
    evidences=(("Low Tide", "director", "Ida Holm"), ("Ida Holm", "place of birth", "Bergen")),
)


def test_a_triple_is_asked_for_by_itself() -> None:
    first, second = simple_questions(FILM)
    assert (first.question, first.answer) == ("Who directed Low Tide?", "Ida Holm")
    assert (second.question, second.answer) == ("Where was Ida Holm born?", "Bergen")
    assert [p.is_supporting for p in second.paragraphs] == [False, True, False]
    assert len({p.title for p in second.paragraphs}) == 1
    assert second.aliases == ()
    assert origin(second) == FILM.id


def test_a_step_is_asked_as_it_stands() -> None:
    steps = ("Low Tide >> director", "In which town was Ida Holm born?", "Who is Jens Moe?")
    asked = replace(
        FILM, evidences=(), subquestions=steps, subanswers=("Ida Holm", "Bergen", "a painter")
    )
    assert [one.question for one in simple_questions(asked)] == [
        "Who directed Low Tide?",
        "In which town was Ida Holm born?",
    ]


def test_without_what_supports_it_there_is_no_answer() -> None:
    question = without_answer(FILM)
    assert not question.answerable
    assert [p.title for p in question.paragraphs] == ["Bergen"]
    assert origin(question) == FILM.id
