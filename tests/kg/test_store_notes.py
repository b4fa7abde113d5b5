"""What is computed of passages and kept beside the graph, on every store."""

from support.building import batch, content, page

LANTERN = page("The Salt Lantern", "It opened in Vaagur.", "It closed in 1950.")
THEATRE = page("Vaagur Theatre", "It was designed by Jens Thorkil.")


def test_a_note_is_read_by_its_maker_alone_and_goes_with_its_passage(store):
    store.add(batch(LANTERN, THEATRE))
    first, second = (passage.id for passage in LANTERN.passages)
    before = content(store)
    store.note("parse", "spaCy 1", {first: b"\x00one", second: b"two", "unknown": b"-"})
    assert store.noted("parse", "spaCy 1", [second, "unknown", first]) == {
        first: b"\x00one",
        second: b"two",
    }
    assert store.noted("parse", "spaCy 2", [first]) == {}
    assert content(store) == before  # it is no part of the graph
    store.note("parse", "spaCy 2", {first: b"new"})
    assert store.noted("parse", "spaCy 1", [first, second]) == {second: b"two"}
    store.remove([LANTERN.document.id])
    store.add(batch(LANTERN))
    assert store.noted("parse", "spaCy 2", [first]) == {}
