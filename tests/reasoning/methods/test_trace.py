"""TRACE's chain construction, with a scripted selector and with similarity."""

import numpy as np
import pytest
from support.building import batch, page

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.methods.trace.selectors import BySimilarity, Option
from hoptrail.reasoning.retrieval import Hybrid
from hoptrail.reasoning.session.parts import Parts

pytestmark = pytest.mark.one_release

PIPELINE = Pipeline()
FILM, DIRECTOR, DISTRACTOR = (
    page(
        "The Salt Lantern",
        "The Salt Lantern is a 1963 film. The Salt Lantern was directed by Runa Eide.",
        triples=(("The Salt Lantern", "directed by", "Runa Eide"),),
    ),
    page(
        "Runa Eide",
        "Runa Eide was a director. Runa Eide was born in Vaagur.",
        triples=(("Runa Eide", "born in", "Vaagur"),),
    ),
    page(
        "Salt",
        "Salt is mined in Wieliczka.",
        triples=(("Salt", "mined in", "Wieliczka"),),
    ),
)
QUESTION = "Where was the director of The Salt Lantern born?"


@pytest.fixture
def parts(store, encoder):
    store.add(batch(FILM, DIRECTOR, DISTRACTOR))
    return Parts(store, encoder, PIPELINE, Hybrid(store, encoder))


class Scripted:
    """Chooses triples with these relations, in order, then "no need for additional triples"."""

    name = "scripted"

    def __init__(self, *relations: str) -> None:
        self.relations = relations

    def ends(self, chain):
        return False

    def choose(self, question, chains, options):
        answers = []
        for chain, of_chain in zip(chains, options, strict=True):
            said = [triple.relation for triple in chain]
            follows = said == list(self.relations[: len(chain)]) and len(chain) < len(
                self.relations
            )
            wanted = self.relations[len(chain)] if follows else None
            scores = [
                float(wanted is None),
                *(float(o.triple.relation == wanted) for o in of_chain),
            ]
            assert sum(scores) == 1, "the ranker did not offer the triple, or offered it twice"
            answers.append(np.log(np.array(scores) + 1e-9))
        return answers


def relations(chain):
    return [step.triple.relation for step in chain.triples]


def test_chains_follow_the_selector_and_stop_when_it_says_so(parts):
    method = Trace(max_hops=4, spread=False, selector=Scripted("directed by", "born in"))
    answer = answered_by(method, parts, QUESTION)
    best = max(answer.chains, key=lambda chain: chain.score)
    assert relations(best) == ["directed by", "born in"]
    assert best.score == pytest.approx(0, abs=1e-6)


def test_a_selector_that_never_stops_is_stopped(parts):
    class Endless(Scripted):
        def ends(self, chain):
            return False

        def choose(self, question, chains, options):
            return [np.log(np.full(len(o) + 1, 1 / (len(o) + 1))) for o in options]

    answer = answered_by(Trace(max_hops=2, spread=False, selector=Endless()), parts, QUESTION)
    assert answer.chains
    assert all(1 <= len(chain.triples) <= 2 for chain in answer.chains)
    assert len(answer.chains) <= 5


def test_every_triple_of_a_chain_names_the_passages_that_state_it(parts, store):
    answer = answered_by(Trace(), parts, QUESTION)
    steps = [step for chain in answer.chains for step in chain.triples]
    assert steps
    for step in steps:
        assert step.triple in {s.triple for s in store.triples_of(step.passage_ids)}


def test_votes_count_the_triples_of_the_chains(parts):
    answer = answered_by(Trace(), parts, QUESTION)
    for citation in answer.passages:
        stated = [
            step
            for chain in answer.chains
            for step in chain.triples
            if citation.passage_id in step.passage_ids
        ]
        assert citation.votes == len(stated)
    assert [c.votes for c in answer.passages] == sorted(
        (c.votes for c in answer.passages), reverse=True
    )


def test_within_answers_from_the_given_passages_alone(parts):
    own = [DISTRACTOR.passages[0].id]
    answer = answered_by(Trace(), parts, QUESTION, within=own)
    assert set(answer.shown) <= set(own)
    assert answer.shown == answer.steps[0].evidence
    assert {c.passage_id for c in answer.passages} <= set(own)
    assert "Vaagur" not in answer.text


def test_similarity_prefers_what_states_the_answer_and_stops_there():
    [said] = FILM.statements
    [born] = DIRECTOR.statements
    chosen = BySimilarity(goal="Vaagur")
    options = [
        Option(said.triple, 0.5, 0.5, linked=False),
        Option(born.triple, 0.5, 0.5, linked=False),
    ]
    [logs] = chosen.choose(QUESTION, [[]], [options])
    assert np.exp(logs).sum() == pytest.approx(1)
    assert logs[0] == -np.inf  # a chain can't end before it began
    assert logs[2] > logs[1]
    [logs] = chosen.choose(QUESTION, [[born.triple]], [options[:1]])
    assert logs[0] > logs[1]


def test_without_a_model_chains_take_no_vector_of_a_triple(tmp_path, encoder):
    """Words tell what leads on, also out of a crowded passage."""
    towns = [f"Town {n}" for n in range(80)]
    visits = " ".join(f"Runa Eide, the author, saw {town}." for town in towns)
    crowded = page(
        "Runa Eide",
        f"{visits} Runa Eide was born in Vaagur.",
        triples=(*(("Runa Eide", "saw", t) for t in towns), ("Runa Eide", "born in", "Vaagur")),
    )
    with SqliteStore(tmp_path / "crowded.db") as store:
        store.prepare(encoder.fingerprint)
        store.add(batch(FILM, crowded, embedded=False))
        parts = Parts(store, encoder, PIPELINE, Hybrid(store, encoder))
        answer = answered_by(Trace(passages=2), parts, QUESTION)
    assert answer.candidates[0].text == "Vaagur"
    assert [s.triple.relation for s in answer.chains[0].triples] == ["directed by", "born in"]
    assert not len(parts.encoded)
