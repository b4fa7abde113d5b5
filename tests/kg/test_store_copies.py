"""The same text in several documents, on every store."""

from dataclasses import replace

import pytest
from support.building import WAYS, WORDS, batch, content, page

from hoptrail.kg.store import MAX_COPIES

BORN = "Runa Eide was born in Vaagur."
ONE = page("Runa Eide", BORN, mentions=("Runa Eide", "Vaagur"))
EXPORT = page("export 7", "Runa  EIDE was\nborn in Vaagur.", mentions=("Vaagur",))
OTHER = page("Vaagur", "Vaagur lies on Suðuroy. Runa Eide left it.", mentions=("Vaagur",))


def ids(*pages):
    return [passage.id for one in pages for passage in one.passages]


def test_copies_differ_in_white_space_case_title_and_document(store):
    store.add(batch(ONE, EXPORT, OTHER))
    [one, export, other] = ids(ONE, EXPORT, OTHER)
    both = sorted([one, export])
    assert store.copies([other, one, "unknown"]) == {other: [other], one: both}
    assert store.copies([]) == {}


def test_a_removed_copy_leaves_the_others_as_if_it_had_never_been(store):
    store.add(batch(ONE, OTHER))
    before = content(store)
    store.add(batch(EXPORT))
    assert store.remove([EXPORT.document.id]) == 1
    assert content(store) == before
    assert store.copies(ids(ONE)) == {ids(ONE)[0]: ids(ONE)}


def test_of_boilerplate_the_first_are_given(store):
    pages = [page(f"Page {n}", "All rights reserved.") for n in range(MAX_COPIES + 5)]
    store.add(batch(*pages))
    found = store.copies(ids(pages[0], pages[1]))
    assert list(found.values()) == [sorted(ids(*pages))[:MAX_COPIES]] * 2


def test_a_copy_hears_nothing_of_what_it_is_a_copy_of(store):
    store.add(batch(ONE, EXPORT, OTHER))
    [one, export, other] = ids(ONE, EXPORT, OTHER)
    vector = WORDS.encode_queries(["born"])[0]
    heard = store.propagate({one: 0.1}, [one], 0.5, vector, ["SHARES_KEYWORD"])
    assert (other in heard, export in heard) == (True, False)


def test_a_candidate_knows_its_copies(store):
    store.add(batch(ONE, EXPORT, OTHER))
    vector = WORDS.encode_queries(["born"])[0]
    found = store.candidates(vector, "born", [], ["born"], 10)
    keys = {candidate.id: candidate.text_key for candidate in found.found}
    [one, export, other] = ids(ONE, EXPORT, OTHER)
    assert keys[one] == keys[export] != keys[other]
    inside = store.candidates(vector, "born", [], ["born"], 10, [one])
    assert [candidate.text_key for candidate in inside.found] == [keys[one]]
    [bridge, *_] = store.bridges({other: 1.0}, vector, [], WAYS, {})
    assert bridge.target.text_key == keys[one]


@pytest.mark.parametrize("text", ["", " "])
def test_a_changed_text_is_no_copy_any_more(store, text):
    store.add(batch(ONE, EXPORT))
    store.add(batch(replace(EXPORT, texts=(BORN + text + " She drew.",))))
    assert store.copies(ids(ONE)) == {ids(ONE)[0]: ids(ONE)}
