import pytest

from hoptrail.kg.extraction.keywords import clean_name, keywords
from hoptrail.kg.text.words import normal_form
from hoptrail.models.parser import Pipeline


@pytest.fixture(scope="module")
def parse():
    pipeline = Pipeline()
    return lambda text: next(iter(pipeline([text])))


def surfaces(parse, text, title):
    return [mention.surface for mention in keywords("p1", parse(text), title)]


def test_names_and_title_are_keywords_once_each(parse):
    found = surfaces(
        parse,
        "Marie Curie was born in Warsaw. She met Pierre Curie in Paris; Marie Curie died in Passy.",
        "Marie Curie (physicist)",
    )
    assert found[0] == "Marie Curie"
    assert {"Warsaw", "Paris", "Pierre Curie", "Passy"} <= set(found)
    assert len({normal_form(name) for name in found}) == len(found)


@pytest.mark.parametrize("title", ["Chapter 1", "Introduction", "scan 17", "report.pdf"])
def test_a_title_that_any_document_may_have_is_no_keyword(parse, title):
    assert surfaces(parse, "Oslo is the capital of Norway.", title) == ["Oslo", "Norway"]


def test_the_first_spelling_counts_but_the_title_spells_itself(parse):
    found = surfaces(
        parse, "AMSTERDAM is old. Berlin and BERLIN differ from Amsterdam.", "Amsterdam"
    )
    assert found[0] == "Amsterdam"
    assert [name for name in found if normal_form(name) == "berlin"] == ["Berlin"]
    assert "AMSTERDAM" not in found


def test_amounts_and_counts_are_no_keywords(parse):
    found = surfaces(
        parse, "Norway paid $30 million for three ships, 20 percent of them in the second year.", ""
    )
    assert "Norway" in found
    assert not any(name[0].isdigit() or "million" in name or name == "three" for name in found)


@pytest.mark.parametrize("aside", ["e.g.", "i.e.", "e. g.", "E.g."])
def test_what_introduces_a_name_is_none(parse, aside):
    text = f"Several programs, {aside} Kodi, can run beside it."
    assert aside.strip(".") not in {name.strip(".") for name in surfaces(parse, text, "")}


def test_articles_and_possessives_are_not_part_of_a_name(parse):
    found = surfaces(parse, "The Beatles's manager left the United States' embassy in London.", "")
    assert "United States" in found
    assert not any(name.lower().startswith("the ") or name.endswith(("'", "'s")) for name in found)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("the Danube's", "Danube"),
        ("“Holy Wood”,", "Holy Wood"),
        ("An  Inspector\nCalls", "Inspector Calls"),
        ("Gene Fowler Jr.", "Gene Fowler Jr."),
        ("U.S.", "U.S."),
        ("Oslo.", "Oslo"),
        ("(Bergen)", "Bergen"),
        ("the", "the"),
        ("...", ""),
    ],
)
def test_clean_name(name, clean):
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00\x07\x1b",
        "x" * 10_000,
        "X" * 10_000,
        "東京は日本の首都です。",
        "- - -",
        "a\n\n\n\tb",
        "🙂 🙂",
    ],
)
@pytest.mark.parametrize("title", ["", "東京", "A title that is much longer than its text", "(…)"])
def test_hostile_text_yields_sane_keywords(parse, text, title):
    for mention in keywords("p1", parse(text), title):
        assert mention.passage_id == "p1"
        assert 2 < len(mention.entity_id) <= 200
        assert mention.surface == mention.surface.strip()


def test_names_are_as_short_as_three_letters(parse):
    assert "IBM" in surfaces(parse, "She worked for IBM in Oslo.", "Work")


@pytest.mark.parametrize(("letters", "kept"), [(110, True), (130, False)])
def test_what_is_longer_than_a_name_is_none(parse, letters, kept):
    name = "Mc" + "Donald" * 30
    found = surfaces(parse, f"She worked for {name[:letters]} in Oslo.", "Work")
    assert (name[:letters] in found, "Oslo" in found) == (kept, True)


def test_a_run_of_capitals_is_no_name(parse):
    def named(words):
        text = f"de er {' '.join(['Fjell', 'Dal'] * words)} her"
        return [m.surface for m in keywords("p1", parse(text), "", language="nb")]

    assert named(2) == ["Fjell Dal Fjell Dal"]
    assert named(20) == []
