"""Whom "he" and "she" mean in a document that is about no one in particular."""

import pytest

from hoptrail.kg.extraction.topics import parts_of
from hoptrail.kg.extraction.triples import statements, tidy
from hoptrail.models.parser import Pipeline


@pytest.fixture(scope="module")
def read():
    pipeline = Pipeline()

    def read(text, title="Staff"):
        parts = parts_of(text, title, [])
        stated = statements("p", next(iter(pipeline([tidy(text)]))), title, parts)
        return {
            (s.triple.head, s.triple.relation, s.triple.tail) for s in stated if not s.triple.tied
        }

    return read


def heads(facts, *rest):
    return {head for head, *further in facts if tuple(further) == rest}


MARTA = "Marta Quell directs the Observatory since 2019. "
NADIA = (
    "Nadia Rahman joined Brightwell Clinic in 2008. She succeeded Omar Haddad. "
    "He had founded Norwell Hospital."
)


def test_she_is_the_subject_of_the_sentence_before_whatever_a_recogniser_calls_it(read):
    found = heads(read(f"{MARTA}She succeeded Peter Adeyemi."), "succeeded", "Peter Adeyemi")
    assert found == {"Marta Quell"}


def test_she_is_nobody_that_was_he(read):
    facts = read(
        f"{NADIA}\n\nVelta Ozola directs the Archive since 2003. She replaced Janis Berzins."
    )
    assert heads(facts, "replaced", "Janis Berzins") == {"Velta Ozola"}
    assert heads(facts, "founded", "Norwell Hospital") == {"Omar Haddad"}
    assert heads(read(f"{NADIA} She left in 2019."), "left in", "2019") == {"Nadia Rahman"}
    assert not heads(
        read(f"He praised Omar Haddad. {NADIA[75:]} She left in 2019."), "left in", "2019"
    )


def test_she_goes_on_being_the_one_she_was(read):
    facts = read(f"{MARTA}She replaced Bo Ek. She left in 2020. He died in 2021.")
    assert heads(facts, "left in", "2020") == {"Marta Quell"}
    assert heads(facts, "died in", "2021") == {"Bo Ek"}


@pytest.mark.parametrize(
    "before",
    [
        "Harbour Trust runs the port.",
        "Bright Harbour runs the port.",
        "The Observatory opened in 1970.",
        "The office opened in 1970.",
    ],
)
def test_she_is_no_body_place_or_thing(read, before):
    assert not heads(read(f"{before} She succeeded Peter Adeyemi."), "succeeded", "Peter Adeyemi")


def test_she_is_the_one_who_founded_a_firm_and_not_the_firm(read):
    facts = read("Ann Lee founded Brightwell Foods. Brightwell Foods made jam. She left in 1990.")
    assert heads(facts, "left in", "1990") == {"Ann Lee"}


def test_she_is_nobody_of_another_paragraph_but_whom_the_text_is_about(read):
    said = "She succeeded Peter Adeyemi."
    assert not heads(read(f"Ann Lee came in 1990.\n\n{said}"), "succeeded", "Peter Adeyemi")
    about = read(f"Bo Ek came in 1990.\n\n{said}", "Ann Lee")
    assert heads(about, "succeeded", "Peter Adeyemi") == {"Ann Lee"}
    assert not heads(read(said, "Norwell Hospital"), "succeeded", "Peter Adeyemi")


def test_a_name_in_a_line_of_its_own_heads_what_comes_below(read):
    text = "He met Varnish in 2009 when he moved to Ulm."
    facts = read(f"Nils Goroll\n\n{text}\n\nOmar Haddad\n\nHe left in 2010.")
    assert heads(facts, "moved to", "Ulm") == {"Nils Goroll"}
    assert heads(facts, "left in", "2010") == {"Omar Haddad"}


@pytest.mark.parametrize("title", ["Notes", "Harbour Chronicle"])
@pytest.mark.parametrize(
    ("text", "rest", "head"),
    [
        ("Elna Dahl owned the sawmill. It burned in 1931.", ("burned in", "1931"), "sawmill"),
        ("Two brothers bought the mill. It was sold in 1950.", ("was sold in", "1950"), "mill"),
        ("The club owns the quay. It was bought in 1952.", ("was bought in", "1952"), ""),
        ("Ruth Adler and Jan Lind met in Espoo. He was a baker.", ("was", "baker"), ""),
    ],
)
def test_it_is_what_was_spoken_of_last_where_that_is_but_one_thing(read, title, text, rest, head):
    assert heads(read(text, title), *rest) == ({head} if head else set())


def test_she_who_was_sold_is_a_ship(read):
    text = (
        "The ferry Corvina was named after the wife of the shipowner Henrik Salo. In 1944 she was "
        "sold to Rauma."
    )
    assert heads(read(text, "Corvina"), "was sold to", "Rauma") == {"Corvina"}
