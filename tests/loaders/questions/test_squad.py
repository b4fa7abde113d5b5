"""SQuAD's layout: articles with questions on their paragraphs."""

import json

import pytest

from hoptrail.kg.errors import SourceError
from hoptrail.loaders.questions.files import read_questions

FIRST, SECOND = "Umeå lies on the Ume River.", "The town has a museum of navigation."


def article(**changes):
    answer = {"text": "Ume River", "answer_start": FIRST.index("Ume River")} | changes
    asked = {"id": "a", "question": " Where is it? ", "answers": [answer, answer]}
    none = {"id": "b", "question": "Who rules it?", "answers": [], "is_impossible": True}
    paragraphs = [{"context": FIRST, "qas": [asked]}, {"context": SECOND, "qas": [none]}]
    return {"title": "Umeå_(town)", "paragraphs": paragraphs}


@pytest.mark.parametrize("whole", [True, False], ids=["file", "lines"])
def test_questions_have_their_paragraph_first_and_the_article_s_others(tmp_path, whole):
    path = tmp_path / "squad.json"
    path.write_text(json.dumps({"version": "2.0", "data": [article()]} if whole else article()))
    where, who = read_questions(path)
    assert (where.question, where.answer, where.aliases) == ("Where is it?", "Ume River", ())
    assert [p.text for p in where.paragraphs if p.is_supporting] == [FIRST]
    assert [(p.title, p.text) for p in who.paragraphs] == [
        ("Umeå (town)", SECOND),
        ("Umeå (town)", FIRST),
    ]
    [number, start, end] = where.places[0]
    assert where.paragraphs[number].text[start:end] == "Ume River"
    assert who.answerable is False
    assert who.answer == ""


def test_an_answer_that_stands_elsewhere_is_named(tmp_path):
    path = tmp_path / "squad.json"
    path.write_text(json.dumps({"data": [article(answer_start=3)]}))
    with pytest.raises(SourceError, match=r"data\[0\].*answers\[0\].*answer_start"):
        list(read_questions(path))


def test_a_broken_answer_is_named(tmp_path):
    path = tmp_path / "squad.json"
    path.write_text(json.dumps({"data": [article(text=["Ume"])]}))
    with pytest.raises(SourceError, match=r"data\[0\].*answers\[0\].*'text' must hold text"):
        list(read_questions(path))
