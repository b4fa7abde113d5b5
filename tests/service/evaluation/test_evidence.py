"""`hoptrail evaluate answers`: sentences, triples and documents cited, from files to tables."""

import json
import re

import pytest
from support.fakes import WordEncoder
from world import SymbolicReader

from hoptrail.service.evaluation.answers import RunPlan, measure_answers
from hoptrail.service.evaluation.answers_report import Report
from hoptrail.service.hoptrail import Hoptrail

TWO_WIKI = {
    "_id": "w1",
    "question": "Where was the composer of Salt Lamp born?",
    "answer": "Vik",
    "type": "compositional",
    "supporting_facts": [["Salt Lamp", 2], ["Ada Brun", 1]],
    "evidences": [["Salt Lamp", "composer", "Ada Brun"], ["Ada Brun", "was born in", "Vik"]],
    "context": [
        ["Salt Lamp", ["Salt Lamp is an opera.", "", "Salt Lamp was composed by Ada Brun."]],
        ["Ada Brun", ["Ada Brun wrote about the sea.", "Ada Brun was born in Vik."]],
        ["Bo Eide", ["Bo Eide was born in Oslo."]],
    ],
}
CLAIM = {
    "id": 1,
    "label": "SUPPORTS",
    "claim": "Ada Brun was born in Vik.",
    "evidence": [[[1, 1, "Ada_Brun", 3]]],
}
PAGES = [
    {
        "id": "Ada_Brun",
        "text": "",
        "lines": "0\tAda Brun wrote .\n1\t\n2\t\n3\tAda Brun was born in Vik .",
    },
    {"id": "Bo_Eide", "text": "", "lines": "0\tBo Eide rowed ."},
]


def written(path, *records):
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def measured(file, folder, method, model=None, **setting):
    tools = Hoptrail(encoder=WordEncoder(256), model=model)
    [result] = measure_answers(tools, [file], [method], RunPlan("bm25", **setting), folder)
    return result


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Of a method that cites triples and one that cites passages only."""
    folder = tmp_path_factory.mktemp("wiki")
    file = written(folder / "wiki.json", TWO_WIKI)
    trace = measured(file, folder / "runs", "trace:chains=1")
    return trace, measured(file, folder / "runs", "rag", SymbolicReader())


def test_what_is_cited_is_found_in_the_sentences_of_the_file(results):
    [one] = results[0].each
    assert one.answer == "Vik"
    assert one.cited_facts == (("Salt Lamp", 2), ("Ada Brun", 1))
    assert ("Ada Brun", "was born in", "Vik") in one.cited_triples
    figures = {name: interval.value for name, interval in results[0].figures.items()}
    assert (figures["facts_em"], figures["triples_f1"], figures["joint_f1"]) == (1, 0.5, 0.5)


def test_tables_name_the_level_and_what_a_method_lacks(results):
    report = Report.of(results, "rag")
    lines = list(report.lines())
    [at] = (number for number, line in enumerate(lines) if line.startswith("cited"))
    header, _, rag = (re.split(" {2,}", line) for line in lines[at : at + 3])
    assert header == ["cited", *"facts EM,F1,triples EM,F1,joint EM,F1,paragraphs F1".split(",")]
    assert rag[:-1] == ["rag", *["–"] * 6]
    assert max(map(len, lines[at : at + 3])) <= 100
    trace, rag = report.json()
    assert trace["facts_f1"]["value"] == 1
    assert rag.keys() & {"facts_f1", "joint_f1", "triples_f1"} == set()


def test_the_lines_of_fevers_pages_are_evidence(tmp_path):
    file = written(tmp_path / "claims.jsonl", CLAIM)
    pages = written(tmp_path / "wiki-001.jsonl", *PAGES)
    found = measured(file, tmp_path / "runs", "trace:chains=1", own=False, corpus=(pages,))
    assert found.each[0].cited_facts == (("Ada Brun", 3),)
    assert found.figures["evidence_f1"].value == 1
    assert "evidence P" in "\n".join(Report.of([found], "trace:chains=1").lines())


def test_triples_that_a_method_read_on_the_way_are_cited(bench, tmp_path):
    [result] = bench.measured(tmp_path, methods=["ge_reasoning"])
    right = [one for one in result.each if one.exact_match and one.answerable]
    assert right
    assert all(one.cited_triples and one.cited_facts for one in right)
    assert not any(one.failed for one in result.each)
