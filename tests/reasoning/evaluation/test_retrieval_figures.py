"""What a retriever finds, in figures, and which of two finds more of the same questions."""

import json
from dataclasses import replace

import pytest
from support.building import batch, page

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Scored
from hoptrail.loaders.questions.files import Paragraph, Question
from hoptrail.reasoning.evaluation.metrics.intervals import (
    bootstrap,
    mcnemar,
    paired,
    require_same_questions,
)
from hoptrail.reasoning.evaluation.retrieval import evaluate_retrieval
from hoptrail.reasoning.retrieval import Dense, retriever
from hoptrail.service.evaluation.retrieval_report import Report

TOWNS = ["Ulm", "Bergen", "Skien", "Vienna", "Salzburg", "Leipzig"]
TEXTS = {town: f"{town} is a town with {4 + n} bridges." for n, town in enumerate(TOWNS)}


def question(id_: str, text: str, *gold: str, among: tuple[str, ...] = tuple(TOWNS)) -> Question:
    paragraphs = tuple(Paragraph(town, TEXTS[town], town in gold) for town in among)
    return Question(id_, text, "", (), "", 1, paragraphs, ())


QUESTIONS = [
    question("one", "How many bridges has Ulm?", "Ulm"),
    question("two", "How many bridges have Bergen and Skien?", "Bergen", "Skien"),
    question("three", "How many bridges has Vienna?", "Vienna", among=("Vienna", "Leipzig")),
]


@pytest.fixture
def graph(tmp_path, encoder):
    with SqliteStore(tmp_path / "graph.db") as store:
        store.prepare(encoder.fingerprint)
        ids = {p.title: p.document_id for p in QUESTIONS[0].paragraphs}
        store.add(batch(*(page(town, text, id=ids[town]) for town, text in TEXTS.items())))
        yield store


class Fixed:
    """Ranks the same towns for every question."""

    name = "fixed"

    def __init__(self, graph, *towns: str) -> None:
        ids = {p.title: i for i, p in graph.passages(graph.passages_of(_ids())).items()}
        self.ranked = [Scored(ids[town], 1 / n) for n, town in enumerate(towns, 1)]

    def search(self, question, limit, within=None):
        return [s for s in self.ranked if within is None or s.id in within][:limit]


def _ids():
    return [paragraph.document_id for paragraph in QUESTIONS[0].paragraphs]


def test_figures_are_the_shares_that_were_found(graph):
    found = evaluate_retrieval("towns", QUESTIONS, graph, Fixed(graph, "Ulm", "Leipzig", "Bergen"))
    assert (found.questions, found.passages, found.retriever) == (3, 6, "fixed")
    assert found.values("recall@2") == [1, 0, 0]
    assert found.values("recall@5") == [1, 0.5, 0]
    assert found.values("all_supporting@5") == [1, 0, 0]
    assert found.figures["recall@5"].value == pytest.approx(0.5)
    assert found.figures["recall@5"].low == 0
    assert found.figures["recall@5"].high == 1
    times = [one.seconds for one in found.each]
    assert min(times) <= found.latency["median"] <= found.latency["p95"] <= max(times)


def test_own_paragraphs_leave_the_others_out(graph):
    third = Fixed(graph, "Ulm", "Bergen", "Skien", "Leipzig", "Salzburg", "Vienna")
    assert evaluate_retrieval("towns", QUESTIONS, graph, third).values("recall@2")[2] == 0
    own = evaluate_retrieval("towns", QUESTIONS, graph, third, own=True)
    assert own.values("recall@2")[2] == 1


def test_a_paragraph_without_a_text_is_no_document(graph, encoder):
    empty = Paragraph("Nowhere", "", is_supporting=True)
    first = QUESTIONS[0]
    asked = Question("e", first.question, "", (), "", 1, (*first.paragraphs, empty), ())
    assert evaluate_retrieval("e", [asked], graph, Dense(graph, encoder)).values("recall@10") == [1]


def test_what_the_graph_lacks_and_questions_without_gold_are_refused(graph, encoder):
    stranger = Paragraph("Oslo", "Oslo is not in the graph.", is_supporting=True)
    asked = Question("q", "Where is Oslo?", "", (), "", 1, (stranger,), ())
    with pytest.raises(BadRequest, match="1 of the 1 paragraphs of q are not in"):
        evaluate_retrieval("q", [asked], graph, Dense(graph, encoder))
    with pytest.raises(BadRequest, match="nothing to measure"):
        evaluate_retrieval("q", [question("q", "Where?")], graph, Dense(graph, encoder))


def bare(id_: str, text: str, **more) -> Question:
    """Without paragraphs."""
    return Question(id_, text, "", (), "", 0, (), (), **more)


def test_of_several_sets_of_evidence_one_is_enough(graph):
    sets = ((("ULM", 0), ("Skien", 1)), (("Bergen", 0), ("Leipzig", 2)), (("Oslo", 0),))
    asked = bare("q", "Ulm has bridges.", evidence_sets=sets)
    found = evaluate_retrieval("c", [asked], graph, Fixed(graph, "Ulm", "Bergen", "Leipzig"))
    assert (found.values("recall@2"), found.values("recall@5")) == ([0.5], [1])
    assert found.values("all_supporting@5") == [1]
    assert found.settings["absent"] == 1
    assert "1 supporting articles are not in the graph." in "".join(
        Report.of([found], "fixed").lines()
    )


def test_supporting_documents_outside_of_the_paragraphs_are_told_by_title(graph):
    asked = question("q", "Where?", "Ulm", among=("Ulm", "Vienna"))
    asked = replace(asked, supporting_facts=(("Ulm", 0), ("bergen", 0), ("Oslo", 0)))
    found = evaluate_retrieval("q", [asked], graph, Fixed(graph, "Bergen", "Vienna", "Ulm"))
    assert found.values("recall@5") == [pytest.approx(2 / 3)]
    own = evaluate_retrieval("q", [asked], graph, Fixed(graph, "Bergen", "Vienna", "Ulm"), own=True)
    assert own.values("recall@5") == [pytest.approx(1 / 3)]
    elsewhere = bare("q", "Where?", supporting_facts=(("Oslo", 0),))
    with pytest.raises(BadRequest, match="None of the 1 articles that support x is in the graph"):
        evaluate_retrieval("x", [elsewhere], graph, Fixed(graph, "Ulm"))


def test_documents_that_a_question_links_to_are_its_own(graph):
    asked = question("q", "Where?", among=("Ulm",))
    asked = replace(asked, documents=("BERGEN", "Oslo"), sources=("Bergen",))
    ranked = Fixed(graph, "Skien", "Vienna", "Leipzig", "Ulm", "Bergen")
    own = evaluate_retrieval("q", [asked], graph, ranked, own=True)
    assert own.values("recall@2") == [1]
    assert evaluate_retrieval("q", [asked], graph, ranked).values("recall@2") == [0]


def test_a_small_steady_lead_is_certain_though_the_questions_differ_much():
    hard_and_easy = [n / 50 for n in range(50)]
    ahead = [value + 0.01 + 0.005 * (n % 2) for n, value in enumerate(hard_and_easy)]
    lead = paired(ahead, hard_and_easy)
    assert lead.value == pytest.approx(0.0125)
    assert 0.01 <= lead.low < lead.high <= 0.015
    behind = paired(hard_and_easy, ahead)
    assert (behind.low, behind.high) == pytest.approx((-lead.high, -lead.low))
    assert bootstrap(ahead).low < bootstrap(hard_and_easy).value  # alone they could not be told


def test_only_the_same_questions_are_paired(graph, encoder):
    dense = Dense(graph, encoder)
    all_, two = (evaluate_retrieval("t", q, graph, dense) for q in (QUESTIONS, QUESTIONS[:2]))
    with pytest.raises(BadRequest, match="1 questions are in one only"):
        all_.against(two)
    turned = evaluate_retrieval("t", QUESTIONS[::-1], graph, dense)
    with pytest.raises(BadRequest, match="order"):
        all_.against(turned)
    with pytest.raises(BadRequest, match="own paragraphs"):
        all_.against(evaluate_retrieval("t", QUESTIONS, graph, dense, own=True))
    with pytest.raises(BadRequest, match="can't be compared with other"):
        all_.against(evaluate_retrieval("other", QUESTIONS, graph, dense))
    with pytest.raises(ValueError, match="paired"):
        paired([1.0], [1.0, 0.0])
    require_same_questions(["a", "b"], ["a", "b"])


def test_the_report_compares_with_the_one_that_is_named(graph, encoder):
    best, worst = Fixed(graph, "Ulm", "Bergen", "Skien", "Vienna"), Fixed(graph, "Leipzig")
    results = [
        evaluate_retrieval("towns", QUESTIONS, graph, retriever("dense", graph, encoder)),
        evaluate_retrieval("towns", QUESTIONS, graph, best, label="best:n=4"),
        evaluate_retrieval("towns", QUESTIONS, graph, worst, label="worst"),
    ]
    report = Report.of(results, "best:n=4")
    written = json.loads(json.dumps(report.json()))
    assert [one["retriever"] for one in written] == ["dense", "best:n=4", "worst"]
    lead = written[2]["against"]
    assert lead["retriever"] == "best:n=4"
    assert lead["recall@5"] == {"value": -1, "low": -1, "high": -1}
    assert written[1]["against"] is None
    assert written[0]["graph"]["edges"]["MENTIONS"] == 0
    assert [one["id"] for one in written[0]["each"]] == ["one", "two", "three"]
    for text in (report.markdown(), "\n".join(report.lines())):
        assert "against best:n=4" in text
        assert "[-100.0, -100.0]" in text
        assert "3 questions, whole graph." in text
        assert "6 passages, 0 entities" in text


def test_mcnemar_asks_how_likely_so_uneven_a_split_is():
    both, neither = [1.0] * 30, [0.0] * 20
    first = [*both, *neither, *[1.0] * 10, *[0.0] * 2]
    other = [*both, *neither, *[0.0] * 10, *[1.0] * 2]
    found = mcnemar(first, other)
    assert (found.better, found.worse) == (10, 2)
    assert found.p == pytest.approx(2 * (1 + 12 + 66) / 2**12)  # 0.0386: 0, 1 or 2 of 12, doubled
    assert mcnemar(other, first).p == found.p
    assert mcnemar(both, both).p == 1
    with pytest.raises(ValueError, match="can't be paired"):
        mcnemar(first, both)
