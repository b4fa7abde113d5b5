"""Answers of another kind than what is asked for, by their words alone."""

import pytest

from hoptrail.reasoning.reader.kinds import contradicts


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
