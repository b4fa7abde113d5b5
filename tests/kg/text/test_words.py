"""Keys under which words, names and titles are compared."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoptrail.kg.text.words import (
    KEY_LIMIT,
    bare_title,
    fold,
    normal_form,
    normal_title,
    stable_id,
    terms,
    words,
)


@pytest.mark.parametrize("name", ["Björk", "the Bjork", "BJÖRK’s", "Bjo\u0308rk's", " björk, "])
def test_spellings_of_a_name_are_one_key(name):
    assert normal_form(name) == "bjork"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("The Who", "who"),
        ("Theodor", "theodor"),
        ("A. A. Milne", "a. a. milne"),
        ("Jean-Luc  Godard", "jean-luc godard"),
        ("James's", "james"),
        ("James", "james"),
        ("Straße", "strasse"),
        ("ﬁlm", "film"),
        ("東京", "東京"),
        ("...", ""),
    ],
)
def test_normal_forms(name, key):
    assert normal_form(name) == key


def test_a_long_key_stays_short_and_unique():
    one, two = normal_form("word " * 500 + "one"), normal_form("word " * 500 + "two")
    assert len(one) <= KEY_LIMIT
    assert one != two
    assert one.startswith("word word")


def test_titles_lose_what_tells_homonyms_apart():
    assert bare_title("Lilu (mythology)") == "Lilu"
    assert bare_title("(What's the Story) Morning Glory") == "(What's the Story) Morning Glory"
    assert normal_title("Salt–Lantern, The (1911 film)") == "salt lantern the"


def test_words_and_terms():
    assert words("Ærø's BRÜCKEN, 3rd-best_of") == ["ærø", "s", "brucken", "3rd", "best", "of"]
    assert terms("The designer designed designs of rivers and a river") == ["design", "river"]
    assert terms("who is it") == []


def test_ids_depend_on_where_a_part_ends():
    assert stable_id("ab", "c") != stable_id("a", "bc") != stable_id("a\x1fbc")
    assert stable_id("a", "\x1f") != stable_id("a\x1f", "")
    assert stable_id("a", 1) == stable_id("a", 1)
    assert len(stable_id("\ud800")) == 24


@given(st.text())
def test_folding_twice_is_folding_once(text):
    assert words(fold(text)) == words(text)


@given(st.text(min_size=1), st.text(min_size=1))
def test_words_of_texts_side_by_side_are_the_words_of_both(one, two):
    assert words(f"{one} {two}") == words(one) + words(two)


def test_threads_may_stem_at_the_same_time():
    texts = [f"relational{n} nationally{n} organizers{n} generalizations{n}" for n in range(999)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(terms, texts))
    finally:
        sys.setswitchinterval(before)
    assert found == [terms(text) for text in texts]
