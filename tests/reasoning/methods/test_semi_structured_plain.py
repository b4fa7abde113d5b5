"""Semi-Structured CoT without a language model: chains from the parse, filled by graph and text."""

import pytest
from support.building import WORDS, batch, page

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.semi_structured.grammar import chain_of
from hoptrail.reasoning.methods.semi_structured.names import stood_in
from hoptrail.reasoning.methods.semi_structured.plain import weighed
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts

PAGES = (
    page(
        "The Salt Lantern",
        "The Salt Lantern is a 1931 film directed by Ilse Marn.",
        mentions=("The Salt Lantern", "Ilse Marn"),
        triples=(("The Salt Lantern", "directed by", "Ilse Marn"),),
    ),
    page(
        "Ilse Marn",
        "Ilse Marn (born 2 May 1899) was a Norwegian film director. Ilse Marn was born in Vaagur.",
        mentions=("Ilse Marn", "Vaagur"),
        triples=(
            ("Ilse Marn", "born in", "Vaagur"),
            ("Ilse Marn", "born on", "2 May 1899"),
            ("Ilse Marn", "nationality", "Norwegian"),
        ),
    ),
    page(
        "Last Night of the Bells",
        "Last Night of the Bells is a 1940 film directed by Odo Brandt.",
        mentions=("Last Night of the Bells", "Odo Brandt"),
        triples=(("Last Night of the Bells", "directed by", "Odo Brandt"),),
    ),
    page(
        "Odo Brandt",
        "Odo Brandt (born 7 June 1903) was a film director from Norway.",
        mentions=("Odo Brandt", "Norway"),
        triples=(
            ("Odo Brandt", "born on", "7 June 1903"),
            ("Odo Brandt", "country of origin", "Norway"),
        ),
    ),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with SqliteStore(tmp_path_factory.mktemp("plain") / "films.db") as made:
        made.prepare(WORDS.fingerprint)
        made.add(batch(*PAGES))
        yield made


def asked(store, question, spec="semi_structured"):
    parts = Parts(store, WORDS, Pipeline(), retriever("hybrid", store, WORDS))
    return answered_by(spec, parts, question)


@pytest.mark.parametrize(
    ("question", "chain"),
    [
        (
            "Where was the director of film Rose O' The Sea born?",
            "Rose O' The Sea >> director >> #1; #1 >> place of birth >> #2; final answer: #2",
        ),
        (
            "Who is Gevheri Kadın's father-in-law?",
            "Gevheri Kadın >> spouse >> #1; #1 >> father >> #2; final answer: #2",
        ),
        (
            "What is the cause of death of Joan, Lady Of Wales's father?",
            "Joan, Lady Of Wales >> father >> #1; #1 >> cause of death >> #2; final answer: #2",
        ),
        (
            "Who designed the theatre where The Salt Lantern opened?",
            "The Salt Lantern >> opened >> #1; #1 >> designed >> #2; final answer: #2",
        ),
        (
            "Who was the first president of the association which published Ruch?",
            "#1 >> published >> Ruch; #1 >> first president >> #2; final answer: #2",
        ),
        ("Which river flows through Ulm?", "Ulm >> river flows through >> #1; final answer: #1"),
        (
            "Do both films Last Night of the Bells and The Salt Lantern have directors from the "
            "same country?",
            "Last Night of the Bells >> director >> #1; #1 >> country of citizenship >> #2; "
            "The Salt Lantern >> director >> #3; #3 >> country of citizenship >> #4; "
            "final answer: #answer",
        ),
        (
            "Who lived longer, Ann Lee or Bo Ek?",
            "Ann Lee >> date of birth >> #1; Ann Lee >> date of death >> #2; "
            "Bo Ek >> date of birth >> #3; Bo Ek >> date of death >> #4; final answer: #answer",
        ),
        ("what is the capital of france?", None),
        ("Which film has more awards, A Night or The Day?", None),
    ],
)
def test_the_parse_gives_the_chain_from_the_inside_out(question, chain):
    found = chain_of(question, Pipeline())
    assert (str(found.chain) if found else None) == chain


def test_a_title_s_words_are_not_parsed():
    named = stood_in('When did the author of "It Was Always So Nice With You" and Bo die?')
    assert named.names == {"Alda": "It Was Always So Nice With You", "Berta": "Bo"}
    assert named.text == "When did the author of Alda and Berta die?"
    apart = stood_in("Are Kalatu, Rudan and Mogh Ahmad-E Pain in the same country?", joined=False)
    assert list(apart.names.values()) == ["Kalatu", "Rudan", "Mogh Ahmad-E Pain"]


def test_the_graph_fills_the_chain_and_is_cited(store):
    answer = asked(store, "Where was the director of The Salt Lantern born?")
    assert (answer.text, answer.abstained) == ("Vaagur", False)
    assert answer.confidence > 2 / 3
    [chain] = answer.chains
    assert [step.triple.text for step in chain.triples] == [
        "The Salt Lantern directed by Ilse Marn",
        "Ilse Marn born in Vaagur",
    ]
    assert all(step.passage_ids for step in chain.triples)
    store.record(answer)
    [held] = store.answers([answer.id])
    assert held.tracing == answer.tracing
    assert store.maintenance.problems() == []


def test_two_branches_are_compared_exactly(store):
    question = "Which film has the director born first, Last Night of the Bells or {}?"
    assert asked(store, question.format("The Salt Lantern")).text == "The Salt Lantern"
    same = "Do The Salt Lantern and Last Night of the Bells have directors from the same country?"
    assert asked(store, same, "semi_structured:sources=kg").text == "yes"


@pytest.mark.parametrize(
    "question",
    [
        "Who is the mother of the director of The Salt Lantern?",
        "Where did the composer of The Salt Lantern die?",
        "Who painted the town hall of Quedlin?",
    ],
)
def test_what_no_source_says_is_not_asserted(store, question):
    answer = asked(store, question)
    assert answer.abstained
    assert answer.missing
    assert answer.confidence < 2 / 3


def test_a_text_fills_what_the_graph_does_not_state(store):
    answer = asked(store, "Where was the director of The Salt Lantern born?", TEXT)
    assert answer.usage["filled_text"] + answer.usage["left_masks"] == 2
    assert [step.name for step in answer.steps].count("retrieve (hybrid)") >= 2


TEXT = "semi_structured:sources=text"


def test_the_model_alone_needs_a_model(store):
    with pytest.raises(BadRequest, match="language model"):
        asked(store, "Who?", "semi_structured:sources=model")


def test_two_answers_are_weighed_against_each_other():
    assert weighed("Ulm", 0.9, {"Ulm": 0.8})["Ulm"] == pytest.approx(0.98)
    against = weighed("Ulm", 0.9, {"Bonn": 0.8})
    assert against["Ulm"] == pytest.approx(0.18 / (0.18 + 0.08 + 0.02))
    assert sum(against.values()) < 1
    assert weighed("Ulm", 0.9, {}) == {"Ulm": 0.9}
