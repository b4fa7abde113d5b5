"""TRACE's search held against its Algorithm 1, written down a second time, on random choices."""

import hashlib

import numpy as np
import pytest
from support.building import batch, page
from support.fakes import WordEncoder

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.methods.trace.selectors import NO_NEED
from hoptrail.reasoning.retrieval import Dense
from hoptrail.reasoning.session.parts import Parts

QUESTION = "Who drew Sheet 0?"
NAMES = [f"Sheet {number}" for number in range(9)]


def probabilities(seed: int, chain: frozenset[str], options: list[str]) -> dict[str, float]:
    """What a chain's choice is, whatever the order of chain and options."""
    text = f"{seed} {sorted(chain)} {sorted(options)}"
    generator = np.random.default_rng(
        int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    )
    drawn = generator.dirichlet(np.full(len(options), 0.5)) + 1e-9
    return dict(zip(sorted(options), drawn / drawn.sum(), strict=True))


class Random:
    """p(zᵢ | q, z<ᵢ, Ĝᵢ) drawn at random, also of "no need" where there is a chain."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def ends(self, chain):
        return False

    def choose(self, question, chains, options):
        chosen = []
        for chain, of_chain in zip(chains, options, strict=True):
            listed = [option.triple.text for option in of_chain]
            held = frozenset(t.text for t in chain)
            drawn = probabilities(self.seed, held, [NO_NEED, *listed] if held else listed)
            logs = {text: float(np.log(p)) for text, p in drawn.items()}
            chosen.append(np.array([logs.get(text, -np.inf) for text in (NO_NEED, *listed)]))
        return chosen


def algorithm_1(
    seed: int, triples: list[str], length: int, b: int, r: int, stop: bool
) -> list[float]:
    """Scores of the R chains (lines 9 to 21); of one set of triples only the best order stays.

    "No need" is one of the b choices, and ends a chain (§3.3).
    """
    chains = [((), 0.0)]
    for _ in range(length):
        grown: dict[frozenset[str], tuple[tuple[str, ...], float]] = {}
        for chain, score in chains:
            if NO_NEED in chain:
                grown[frozenset(chain)] = chain, score
                continue
            left = [triple for triple in triples if triple not in chain]
            drawn = probabilities(seed, frozenset(chain), [NO_NEED, *left] if chain else left)
            if not stop:
                rest = 1 - drawn.pop(NO_NEED, 0.0)
                drawn = {triple: p / rest for triple, p in drawn.items()}
            for triple in sorted(drawn, key=drawn.__getitem__, reverse=True)[:b]:
                one = ((*chain, triple), score + float(np.log(drawn[triple])))
                held = grown.get(frozenset(one[0]))
                if held is None or held[1] < one[1]:
                    grown[frozenset(one[0])] = one
        chains = sorted(grown.values(), key=lambda one: -one[1])[:r]
    return [score for _, score in chains]


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    encoder = WordEncoder()
    triples = [(name, f"leads to {number}", NAMES[number - 1]) for number, name in enumerate(NAMES)]
    with SqliteStore(tmp_path_factory.mktemp("algorithm") / "graph.db") as store:
        store.prepare(encoder.fingerprint)
        said = " ".join(f"{' '.join(triple)}." for triple in triples)
        store.add(batch(page("Sheets", said, triples=tuple(triples))))
        yield Parts(store, encoder, Pipeline(), Dense(store, encoder))


@pytest.mark.parametrize(("b", "r"), [(5, 5), (5, 3), (3, 5), (2, 4), (1, 1)])
@pytest.mark.parametrize("stop", [False, True])
def test_the_r_best_chains_of_each_step_go_on(parts, b, r, stop):
    texts = [f"{name} leads to {number} {NAMES[number - 1]}" for number, name in enumerate(NAMES)]
    for seed in range(12):
        method = Trace(
            max_hops=3,
            beams=b,
            chains=r,
            spread=False,
            adaptive_stop=stop,
            expand=False,
            selector=Random(seed),
        )
        answer = answered_by(method, parts, QUESTION)
        found = sorted((chain.score for chain in answer.chains), reverse=True)
        np.testing.assert_allclose(found, algorithm_1(seed, texts, 3, b, r, stop), rtol=1e-6)


class Once(Random):
    """Names a triple to begin with, and none after it: not even "no need"."""

    def choose(self, question, chains, options):
        chosen = super().choose(question, chains, options)
        return [
            np.full_like(logs, -np.inf) if chain else logs
            for chain, logs in zip(chains, chosen, strict=True)
        ]


@pytest.mark.parametrize("stop", [False, True])
def test_a_chain_to_which_nothing_is_named_ends(parts, stop):
    method = Trace(beams=2, chains=2, spread=False, adaptive_stop=stop, selector=Once(0))
    answer = answered_by(method, parts, QUESTION)
    assert [len(chain.triples) for chain in answer.chains] == [1, 1]
