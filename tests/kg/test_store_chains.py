"""Where chains of triples go on, on every store."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.building import WORDS, batch, page
from support.lantern import (
    BIRTH,
    BORN,
    DESIGN,
    DESIGNED,
    LANTERN,
    OPENED,
    OPENING,
    THEATRE,
    THORKIL,
)

from hoptrail.kg.candidates import Taken, may_chain
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Batch, Document, Passage, Statement, Triple, Vector


@pytest.fixture
def graph(store):
    store.add(batch(LANTERN, THEATRE, THORKIL))
    return store


def queries(*texts: str) -> Vector:
    return WORDS.encode_queries(texts)


def ranked(graph, chain, passages, text, limit=5, **more) -> list[str]:
    found = graph.rank_triples([chain], passages, queries(text), limit, **more)
    return [one.triple.id for one in found.chains[0]]


def test_an_empty_chain_begins_with_what_the_passages_state(graph):
    assert ranked(graph, [], [OPENING], "opened") == [OPENED.id]
    assert ranked(graph, [], [OPENING, BIRTH], "born in") == [BORN.id, OPENED.id]
    assert ranked(graph, [], [], "born in") == []


def test_a_chain_goes_on_over_a_shared_entity_in_both_directions(graph):
    assert ranked(graph, [DESIGNED], [], "born in") == [BORN.id, OPENED.id]
    assert ranked(graph, [OPENED], [], "anything") == [DESIGNED.id]
    assert ranked(graph, [DESIGNED], [], "born in", limit=1) == [BORN.id]
    assert ranked(graph, [DESIGNED], [], "x", within=[OPENING]) == [OPENED.id]
    assert ranked(graph, [DESIGNED], [], "x", within=[]) == []
    assert ranked(graph, [OPENED, DESIGNED], [], "x") == [BORN.id]
    assert ranked(graph, [DESIGNED], [], "x", limit=0) == []


def test_what_lies_beyond_competes_with_what_the_passages_state(graph):
    assert ranked(graph, [DESIGNED], [OPENING], "born in", limit=2) == [BORN.id, OPENED.id]
    assert ranked(graph, [DESIGNED], [OPENING], "born in", beyond=False) == [OPENED.id]


def test_every_chain_has_its_own_candidates_in_one_look(graph):
    chains = [[], [OPENED], [DESIGNED]]
    found = graph.rank_triples(chains, [OPENING], queries("opened", "designed", "born in"), 5)
    ids = [[one.triple.id for one in of_chain] for of_chain in found.chains]
    assert ids == [[OPENED.id], [DESIGNED.id], [BORN.id, OPENED.id]]
    cosine = float(WORDS.encode_passages([BORN.text])[0] @ queries("born in")[0])
    assert found.chains[2][0].similarity == pytest.approx(cosine, abs=1e-5)


def test_passages_that_were_not_asked_about_come_along(graph):
    found = graph.rank_triples([[DESIGNED]], [OPENING], queries("born in"), 5)
    born, opened = found.chains[0]
    assert [s.passage_id for s in born.statements] == [BIRTH]
    assert [s.passage_id for s in opened.statements] == [OPENING]
    assert list(found.passages) == [BIRTH]
    assert found.passages == graph.passages([BIRTH])
    held = {s.triple: s for s in graph.triples_of([OPENING, BIRTH])}
    assert [*born.statements, *opened.statements] == [held[BORN], held[OPENED]]


def test_a_triple_without_a_vector_comes_after_those_that_have_one(store):
    store.add(batch(LANTERN, THEATRE, THORKIL, embedded=False))
    found = store.rank_triples([[DESIGNED]], [DESIGN], queries("born in"), 1)
    assert {(one.triple.id, one.similarity) for one in found.chains[0]} == {
        (BORN.id, None),
        (OPENED.id, None),
    }
    store.set_triple_embeddings({OPENED.id: queries(OPENED.text)[0]})
    found = store.rank_triples([[DESIGNED]], [DESIGN], queries("born in"), 1)
    assert [one.triple.id for one in found.chains[0]] == [OPENED.id, BORN.id]
    assert [one.similarity is None for one in found.chains[0]] == [False, True]


NAMES = st.sampled_from(["Salt", "salt", "the Salt", "rain", "Vaagur", "Runa Eide", "x 1"])
RELATIONS = st.sampled_from(
    ["born in", "of", "a b c d e f", "a b c d e f g", "a\u00a0b\u3000c d\u001fe f\u2003g", " in "]
)
EXTRACTORS = st.sampled_from(["spacy", "spacy-tied", "qwen 0a1b2c"])
TRIPLES = st.builds(Triple, NAMES, RELATIONS, NAMES, EXTRACTORS)


def expected(
    stated: Sequence[Sequence[Triple]],
    chain: Sequence[Triple],
    asked: Sequence[int],
    query: Vector,
    inside: Sequence[int],
) -> list[str]:
    """The same in memory: all candidates, in order."""
    ends = {end for triple in chain for end in (triple.head_id, triple.tail_id)}
    own = list(dict.fromkeys(t.id for number in asked for t in sorted(stated[number], key=by_id)))
    known = {triple.id for of_passage in stated for triple in of_passage}
    at = {t.id: t for number in inside for t in stated[number] if {t.head_id, t.tail_id} & ends}
    every = {t.id: t for of_passage in stated for t in of_passage if t.id in own}
    if any(triple.id in known for triple in chain):
        every |= at
    taken = Taken(chain)
    left = [t for t in every.values() if may_chain(t) and taken.leaves(t)]
    texts = [triple.text for triple in left]
    cosines = WORDS.encode_passages(texts).astype(np.float64) @ query.astype(np.float64)
    scores = dict(zip([t.id for t in left], np.round(cosines, 5), strict=True))
    place = {id_: number for number, id_ in enumerate(own)}
    return sorted(scores, key=lambda id_: (-scores[id_], place.get(id_, len(own)), id_))


def by_id(triple: Triple) -> str:
    return triple.id


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_it_finds_what_a_comparison_in_memory_finds(store: GraphStore, data):
    """Whatever the chain: the same ends, the same text, relations of many words, no capital."""
    stated = data.draw(st.lists(st.lists(TRIPLES, max_size=4, unique_by=by_id), max_size=4))
    fill(store, stated)
    every = [triple for of_passage in stated for triple in of_passage]
    chain = (
        data.draw(st.lists(st.sampled_from(every), max_size=2, unique_by=by_id)) if every else []
    )
    numbers = st.lists(st.sampled_from(range(len(stated))), unique=True) if stated else st.just([])
    asked = data.draw(numbers)
    inside = sorted({*asked, *data.draw(numbers)})
    limit = data.draw(st.integers(1, 6))
    passages = [passage_of(number).id for number in range(len(stated))]
    own = [passages[number] for number in asked]
    query = queries(" ".join(["Salt born", *(triple.text for triple in chain)]))
    for within in (range(len(stated)), inside):
        held = None if within != inside else [passages[number] for number in inside]
        found = store.rank_triples([chain, chain], own, np.repeat(query, 2, 0), limit, held)
        first, second = ([one.triple.id for one in of_chain] for of_chain in found.chains)
        assert first == second == expected(stated, chain, asked, query[0], list(within))[:limit]


def passage_of(number: int) -> Passage:
    return Passage(f"d{number}", 0, f"Page {number}", "Text.")


def fill(store: GraphStore, stated: Sequence[Sequence[Triple]]) -> None:
    """Passage number n alone in its document, stating these; nothing else."""
    store.remove(list(store.documents()))
    passages = [passage_of(number) for number in range(len(stated))]
    every = {triple.id: triple for of_passage in stated for triple in of_passage}
    if passages:
        vectors = WORDS.encode_passages([triple.text for triple in every.values()])
        store.add(
            Batch(
                [Document(p.document_id, p.title, p.text, p.title) for p in passages],
                passages,
                WORDS.encode_passages([p.text for p in passages]),
                (),
                [Statement(p.id, t) for p, own in zip(passages, stated, strict=True) for t in own],
                dict(zip(every, vectors, strict=True)),
            )
        )


@pytest.mark.parametrize(
    "slots",
    [
        ("Hamlet", "was first performed by the company of", "Kemp"),
        ("the play", "tells of", "a prince"),
        ("Толстой", "родился в", "Ясная Поляна"),
        ("杜甫", "出生于", "巩县"),
    ],
)
def test_what_a_parse_gets_wrong_a_model_or_a_person_may_say(store, slots):
    """Words and letters tell nothing of a triple that no parse made."""
    parsed, said = Triple(*slots, "spacy"), Triple(*slots, "qwen 0a1b2c")
    fill(store, [[parsed, said]])
    [own] = store.passages_of(["d0"])
    assert ranked(store, [], [own], " ".join(slots)) == [said.id]


def test_a_hub_loses_nothing(store):
    """Of 300 triples at one entity the nearest is found, wherever it stands."""
    pages = [
        page(
            f"Ship {n}",
            f"Ship {n} calls at Vaagur.",
            triples=((f"Ship {n}", "calls at", "Vaagur"),),
        )
        for n in range(300)
    ]
    store.add(batch(*pages))
    ids = store.passages_of(["id of Ship 0"])
    chain = [pages[0].statements[0].triple]
    for number in (7, 153, 299):
        wanted = pages[number].statements[0].triple
        assert ranked(store, chain, ids, f"Ship {number}", limit=1) == [wanted.id]
