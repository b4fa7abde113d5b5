"""Answers of another kind than what is asked for, by their words alone."""

import pytest

from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader.asked.question import kind_of, take_apart
from hoptrail.reasoning.reader.kinds import contradicts, no_person


@pytest.mark.parametrize(
    ("asked_for", "text"),
    [
        ("date", "Lena Marsh"), ("year", "unknown town"), ("number", "many"), ("person", "1931"),
        ("person", "12 May 1931"), ("person", "novelist"), ("Film director", "yes"),
        ("place", "3.5"), ("city", "No."), ("band", "1999"),
    ],
)  # fmt: skip
def test_another_kind_is_told_by_its_words(asked_for, text):
    assert contradicts(asked_for, text)


@pytest.mark.parametrize(
    ("asked_for", "text"),
    [
        ("date", "19 June 2013"), ("date", "der 3. Mai"), ("date", "1984年"),
        ("date", "the nineteenth century"), ("number", "about 41,000"), ("number", "twelve"),
        ("person", "Björk"), ("person", "周杰伦"), ("person", "Louis XIV"), ("place", "Ulm"),
        ("place", "2nd arrondissement"), ("film", "1984"), ("name", "1931"), ("", "1931"),
        ("occupation", "novelist"), ("thing", "yes"),
    ],
)  # fmt: skip
def test_what_may_be_is_not_refused(asked_for, text):
    assert not contradicts(asked_for, text)


@pytest.mark.parametrize(("noun", "nobody"), [("career", True), ("town", True), ("writer", False)])
def test_where_something_was_is_nobody(pipeline: Pipeline, noun: str, nobody: bool) -> None:
    [doc] = pipeline([f"In which {noun} did Ada Moe find her part?"])
    assert no_person(take_apart(doc.text, doc)) is nobody


@pytest.mark.parametrize(
    ("question", "focus", "kind"),
    [
        ("Which extension has the man who repairs locks?", "extension", "other"),
        ("What did the widow of the man who paid leave?", "", "other"),
        ("Which scientist who lived in Bern won it?", "scientist", "person"),
    ],
)
def test_a_clause_about_somebody_asks_for_nobody(question: str, focus: str, kind: str) -> None:
    assert kind_of(question, focus) == kind


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In which county is the school?", "Hertfordshire"),
        ("In which country is the school?", "England"),
        ("In which town of the country is the school?", "Royston"),
    ],
)
def test_the_county_or_country_is_a_part_of_where_it_is(read, question, answer):
    text = "The Icknield Walk School is in Royston, Hertfordshire, England."
    assert read(question, text).text == answer
