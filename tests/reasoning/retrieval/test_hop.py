"""The hop retriever finds what no passage of the question's own words would."""

import pytest
from support.building import batch, page, titles

from hoptrail.reasoning.retrieval import Hop

pytestmark = pytest.mark.one_release

FILM = page(
    "The Salt Lantern",
    "The Salt Lantern opened at the Vaagur Theatre.",
    mentions=("The Salt Lantern", "Vaagur Theatre"),
)
THEATRE = page(
    "Vaagur Theatre",
    "The Vaagur Theatre was designed by Jens Thorkil.",
    mentions=("Vaagur Theatre", "Jens Thorkil"),
)
ARCHITECT = page(
    "Jens Thorkil", "Jens Thorkil was born in Sandur.", mentions=("Jens Thorkil", "Sandur")
)
LOOKALIKES = [
    page("Salt Lamp", "The Salt Lamp is a novel about theatre.", mentions=("Salt Lamp",)),
    page("Lantern", "A lantern is a lamp that opened the night.", mentions=("Lantern",)),
    page("Theatre design", "Who designed theatres opened a profession.", mentions=("Profession",)),
]


@pytest.fixture
def graph(store):
    store.add(batch(FILM, THEATRE, ARCHITECT, *LOOKALIKES))
    return store


def test_the_second_hop_outranks_a_lookalike(graph, encoder):
    question = "Who designed the theatre where The Salt Lantern opened?"
    found = Hop(graph, encoder).search(question, 6)
    assert set(titles(graph, [f.id for f in found[:2]])) == {"The Salt Lantern", "Vaagur Theatre"}
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


def test_what_the_question_finds_by_itself_gains_nothing_by_its_ties(graph, encoder):
    look = Hop(graph, encoder).look("Who designed the theatre where The Salt Lantern opened?")
    scores, (film, theatre) = look.scores(), (p.passages[0].id for p in (FILM, THEATRE))
    assert film in {message.bridge.target.id for message in look.messages}
    assert scores[film] == look.seeds[film] > 1
    assert scores[theatre] > look.seeds[theatre]


def test_without_links_it_is_hybrid_with_named_titles(graph, encoder):
    question = "Who designed the theatre where The Salt Lantern opened?"
    deaf = Hop(graph, encoder, names=0, named=0, shares=0)
    linked = Hop(graph, encoder)
    place = {f.id: n for n, f in enumerate(deaf.search(question, 6))}
    heard = {f.id: n for n, f in enumerate(linked.search(question, 6))}
    theatre = THEATRE.passages[0].id
    assert heard[theatre] < place[theatre]
    assert titles(graph, [next(iter(place))]) == ["The Salt Lantern"]


def test_within_keeps_to_the_given_passages(graph, encoder):
    own = [FILM.passages[0].id, ARCHITECT.passages[0].id]
    found = Hop(graph, encoder).search("Who designed the Vaagur Theatre?", 6, own)
    assert {f.id for f in found} == set(own)


def test_one_passage_is_found(store, encoder):
    store.add(batch(THEATRE))
    assert len(Hop(store, encoder).search("Who designed the Vaagur Theatre?", 5)) == 1


def test_a_question_without_words_still_ranks(graph, encoder):
    assert len(Hop(graph, encoder).search("?!", 6)) == 6


def test_of_those_that_do_not_take_turns_no_more_come_than_were_asked_for(graph, encoder):
    hop = Hop(graph, encoder, chosen=1)
    assert [len(hop.search("Who designed the theatre?", limit)) for limit in (1, 3, 9)] == [1, 3, 6]


def test_a_chapter_that_goes_on_about_it_does_not_hide_what_says_it(store, encoder):
    places = ("a shelf", "a shelf", "a rack", "a rack", "a rack")
    chapter = page(
        "Storage",
        "RAID means Redundant Array.",
        *(
            f"Disk {n} of a RAID may also be put on {place} in the cellar."
            for n, place in enumerate(places)
        ),
        mentions=("RAID", "a shelf", "a rack"),
    )
    store.add(batch(chapter, *LOOKALIKES))
    found = Hop(store, encoder).search("What is a RAID?", 2)
    assert chapter.passages[0].id == found[0].id
