"""Passages ingested several times take one place in every ranking, on every store."""

import logging

import pytest
from support.building import WORDS, batch, page, titles

from hoptrail.kg.answers import Citation
from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.retrieval import BM25, Dense, GnnRet, Hop, Hybrid
from hoptrail.reasoning.session.copies import cited_once

pytestmark = pytest.mark.one_release

ASKED = "Who designed the theatre where the Salt Lantern opened?"
TOPICS = ("lantern", "theatre", "Thorkil", "harbour", "opera", "winter")
PAGES = [
    page(
        f"Of {topic}",
        f"The Salt Lantern and its {topic} opened at the theatre that Jens designed, night {n}.",
        mentions=("Jens", "Salt Lantern"),
    )
    for n, topic in enumerate(TOPICS)
]
COPIES = [
    page(f"{one.title}, export {n}", one.texts[0].upper(), mentions=("JENS",))
    for one in PAGES[:3]
    for n in range(12)
]
RETRIEVERS = [Dense, BM25, Hybrid, Hop, GnnRet]


@pytest.fixture(params=RETRIEVERS, ids=lambda kind: kind.name)
def kind(request):
    return request.param


def of(title: str) -> str:
    return title.partition(",")[0]


def test_five_different_passages_come_back(store, kind, caplog):
    store.add(batch(*PAGES, *COPIES))
    caplog.set_level(logging.DEBUG, "hoptrail.kg.neo4j.statements")
    found = kind(store, WORDS).search(ASKED, 5)
    assert len({of(title) for title in titles(store, [one.id for one in found])}) == 5
    asked = [r for r in caplog.records if r.name.endswith("neo4j.statements")]
    assert len(asked) <= 8


def test_with_all_ingested_twice_the_ranking_is_as_with_one(new_store, kind):
    with new_store() as once, new_store() as twice:
        for one in (once, twice):
            one.prepare(WORDS.fingerprint)
            one.add(batch(*PAGES))
        copies = [page(p.title, *p.texts, id=f"copy of {p.title}") for p in PAGES]
        alone = titles(once, [s.id for s in kind(once, WORDS).search(ASKED, 5)])
        twice.add(batch(*copies))
        found = titles(twice, [s.id for s in kind(twice, WORDS).search(ASKED, 5)])
    assert set(found) == set(alone)


def test_near_copies_are_one_where_asked_for(store):
    text = "Jens Thorkil designed the old theatre of Vaagur in 1911, and a school in Sandur later."
    near = page("Near", text + " Printed in 2020.")
    store.add(batch(page("One", text), near, page("Two", "The theatre of Sandur burned.")))
    for kind in (Dense, BM25, Hybrid, Hop):
        apart = kind(store, WORDS).search("Who designed the theatre?", 3)
        assert len(apart) == 3
        found = kind(store, WORDS, near=0.7).search("Who designed the theatre?", 3)
        assert len(found) == 2
        assert sum(len(one.also) for one in found) == 1
    with pytest.raises(BadRequest, match="near"):
        Hop(store, WORDS, near=0)


def test_a_passage_has_the_most_votes_that_one_of_its_copies_has(store):
    store.add(batch(*(page(title, "Ulm lies on the Danube.") for title in ("Once", "Again"))))
    ids = sorted(store.passages_of(list(store.documents())))
    citations = [Citation(id_, "", "", votes, 0.5) for id_, votes in zip(ids, (1, 3), strict=True)]
    for order in (citations, citations[::-1]):
        [cited] = cited_once(store, order, {})
        assert (cited.passage_id, cited.votes) == (order[0].passage_id, 3)
        assert [copy.passage_id for copy in cited.also] == [order[1].passage_id]
