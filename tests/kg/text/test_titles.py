"""Which titles a text names."""

import pytest

from hoptrail.kg.text.titles import MAX_TITLE_WORDS, may_link, may_name, named_titles, title_grams
from hoptrail.kg.text.words import normal_title


def named(text: str, *titles: str) -> set[str]:
    known = {normal_title(title) for title in titles}
    return named_titles([text], lambda _: known)[0]


def test_grams_begin_with_a_capital_or_digit_longest_first():
    assert title_grams("saw Salt lantern 3") == [
        (1, "salt lantern 3"),
        (1, "salt lantern"),
        (1, "salt"),
        (3, "3"),
    ]
    assert title_grams("no capitals here") == []


def test_grams_end_at_the_longest_title():
    assert max(gram.count(" ") + 1 for _, gram in title_grams("A " * 30)) == MAX_TITLE_WORDS


@pytest.mark.parametrize(
    "text",
    [
        "She sang at The Salt Lantern.",
        "THE SALT LANTERN!",
        "(The salt-lantern)",
        "the 'Thé Sált Lantern'?",
        "The Sa\u0301lt Lantern",
        "The\nSalt  Lantern",
    ],
)
def test_a_title_is_found_however_it_is_written(text):
    assert named(text, "The Salt Lantern") == {"the salt lantern"}


@pytest.mark.parametrize("text", ["the salt lantern", "The Salt", "The Salted Lantern", "Lantern"])
def test_other_words_are_no_title(text):
    assert named(text, "The Salt Lantern") == set()


def test_a_longer_title_hides_those_inside_it_but_not_those_beside_it():
    titles = ("Salt", "Salt Lantern", "Lantern Society")
    assert named("Salt Lantern Society", *titles) == {"salt lantern"}
    assert named("Salt Lantern and Lantern Society", *titles) == {
        "salt lantern",
        "lantern society",
    }
    assert named("Salt Lantern, Salt", *titles) == {"salt lantern", "salt"}


def test_homonyms_are_named_by_their_bare_title():
    assert named("She feared Lilu.", "Lilu (mythology)") == {"lilu"}


@pytest.mark.parametrize("title", ["It", "The", "Up", "X", ""])
def test_titles_that_are_everywhere_are_not_looked_for(title):
    assert not may_link(normal_title(title))
    assert named("It is The end of Up and X", title) == set()


def test_what_is_known_is_asked_once_for_all_texts():
    asked = []
    named_titles(["One Two", "Three"], lambda grams: asked.append(set(grams)) or ())
    assert asked == [{"one two", "one", "two", "three"}]


@pytest.mark.parametrize(
    "title", ["Introduction", "Chapter 1", "Appendix B", "Part IV", "Section 2.1", "README"]
)
def test_titles_that_any_document_may_have_name_nothing(title):
    assert named(f"As {title} says, the lantern is salt.", title) == set()


@pytest.mark.parametrize("title", ["Introduction to Salt", "Chapter Two Coffee", "Part"])
def test_titles_that_only_look_like_those_still_link(title):
    assert named(f"As {title} says, the lantern is salt.", title) == {normal_title(title)}


@pytest.mark.parametrize(
    "title",
    [
        "report_final.pdf",
        "doc_0001",
        "file_000123.txt",
        "scan 17",
        "IMG-2231",
        "Screenshot 2024-05-01 at 10.22.31",
        "3f2a9c0d1e4b5a69",
    ],
)
def test_names_of_files_name_nothing(title):
    assert named(f"As {title.capitalize()} says, the lantern is salt.", title) == set()


@pytest.mark.parametrize(
    "title",
    [
        "1984",
        "Blink-182",
        "Apollo 13",
        "Fahrenheit 451",
        "Area 51",
        "Report to the Commissioner",
        "File Under Easy Listening",
        "PDF",
        "What's Up, Doc?",
        "Office Open XML",
        "Report 2019 on Salt",
    ],
)
def test_titles_with_numbers_or_of_formats_still_link(title):
    assert named(f"As {title} says, the lantern is salt.", title) == {normal_title(title)}


@pytest.mark.parametrize(
    "text",
    [
        "Salt is old.",
        "the SALT of it",
        "saltSalt",
        "of salt: Salt-Works",
        "Sält",
        "a McSalt lantern",
        "salt",
        "the salt works",
    ],
)
def test_a_text_that_names_a_title_may_name_it(text):
    assert may_name(text, "salt") or not named(text, "Salt")


def test_a_text_without_the_capital_may_not_name_a_title():
    assert not may_name("the salt lantern by the Harbour", "salt lantern")
    assert may_name("made in 1984, say", "1984")
