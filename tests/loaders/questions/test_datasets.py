"""The official layouts of datasets, a made record of each, and what a broken one says."""

import json

import pytest
from support.layouts import (
    ALIASES,
    FEVER,
    FULL_WIKI,
    IIRC,
    MUSIQUE,
    OPEN,
    QUALITY,
    TWO_WIKI,
    WIKI_PAGE,
)

from hoptrail.kg.errors import SourceError
from hoptrail.kg.types import Passage
from hoptrail.loaders import documents, reading
from hoptrail.loaders.questions import fever
from hoptrail.loaders.questions.files import Paragraph, read_questions


def written(path, *records, array=False):
    path.write_text(json.dumps(records) if array else "\n".join(map(json.dumps, records)))
    return path


def texts(path):
    return [(document.title, document.text) for document in documents([path])]


def test_the_full_wiki_setting_keeps_what_the_context_lacks(tmp_path):
    [question] = read_questions(written(tmp_path / "q.json", FULL_WIKI, array=True))
    assert question.dataset == "hotpotqa"
    assert question.supporting_facts == (("Ada Brun", 0), ("Vik", 1))
    assert question.supporting_titles == ("Ada Brun", "Vik")
    assert [p.title for p in question.paragraphs if p.is_supporting] == ["Vik"]


def test_the_wikipedia_of_the_full_wiki_setting_has_sentences(tmp_path):
    sentences = ["Bonn is a town.", " It is on the Rhine."]
    page = {"id": "1", "url": "u", "title": "Bonn", "text": sentences, "charoffset": [[0, 15]]}
    path = written(tmp_path / "wiki.jsonl", page, page | {"id": "2", "text": ["One.", 2, None]})
    first, failure = documents([path])
    assert (first.title, first.text) == ("Bonn", "Bonn is a town. It is on the Rhine.")
    assert "line 2: field 'text' is missing" in failure.reason


def test_entities_of_2wikimultihopqa_have_the_names_beside_the_file(tmp_path):
    written(tmp_path / "id_aliases.json", *ALIASES)
    [question] = read_questions(written(tmp_path / "dev.json", TWO_WIKI, array=True))
    assert question.dataset == "2wikimultihopqa"
    assert question.aliases == ("Oslo", "Christiania", "Osloer")
    assert question.evidence_names == (
        ((), ("A. Brun",)),
        (("A. Brun",), ("Oslo", "Christiania", "Osloer")),
    )


def test_without_that_file_there_are_no_other_names(tmp_path):
    [question] = read_questions(written(tmp_path / "dev.json", TWO_WIKI, array=True))
    assert (question.aliases, question.evidence_names) == ((), ())


def test_twins_of_musique_full_differ_by_id_and_share_a_pair(tmp_path):
    lacking = MUSIQUE | {"answerable": False, "paragraphs": []}
    first, second = read_questions(written(tmp_path / "q.jsonl", MUSIQUE, lacking))
    assert (first.id, second.id) == ("2hop__1_2", "2hop__1_2 (unanswerable)")
    assert (first.pair, second.pair) == ("2hop__1_2", "2hop__1_2")
    assert (first.answerable, second.answerable, first.dataset) == (True, False, "musique")


def test_a_hidden_test_set_of_musique_is_known_by_its_paragraphs(tmp_path):
    hidden = {name: MUSIQUE[name] for name in ("id", "question", "paragraphs")}
    [question] = read_questions(written(tmp_path / "q.jsonl", hidden))
    assert (question.dataset, question.answer, question.hops) == ("musique", "", 2)


def test_bamboogle_is_a_table(tmp_path):
    path = tmp_path / "Bamboogle Prerelease - Sheet1.csv"
    path.write_text('Question,Answer\n"Who, then?",Ada\nWhen?,"May 1, 1900"\n')
    first, second = read_questions(path)
    assert (first.question, first.answer, first.paragraphs) == ("Who, then?", "Ada", ())
    assert (second.answer, second.dataset, second.hops) == ("May 1, 1900", "bamboogle", 2)
    assert first.id != second.id


def test_iirc_has_answers_of_four_kinds(tmp_path):
    found = list(read_questions(written(tmp_path / "dev.json", IIRC, array=True)))
    assert [question.type for question in found] == ["span", "value", "binary", "none"]
    assert [question.answer for question in found] == ["Vik, Bonn", "900 years", "no", ""]
    assert [question.spans for question in found] == [("Vik", "Bonn"), (), (), ()]
    assert found[1].aliases == ("900",)
    assert [question.answerable for question in found] == [True, True, True, False]


def test_iirc_names_the_articles_that_carry_the_answer(tmp_path):
    first, second, *_ = read_questions(written(tmp_path / "dev.json", IIRC, array=True))
    assert first.documents == ("Vik", "Bonn")
    assert first.supporting_titles == ("bonn", "Ada Brun")
    assert first.paragraphs == (Paragraph("Ada Brun", "Ada Brun rowed for Vik & Bonn.", True),)
    assert second.supporting_titles == ("vik",)


def test_the_articles_of_iirc_are_documents(tmp_path):
    path = tmp_path / "context_articles.json"
    path.write_text(
        json.dumps({"vik": "<a href='x'>Vik</a> is old.\nVery.", "none": "", "a:b": "B"})
    )
    assert texts(path) == [("vik", "Vik is old.\nVery."), ("a:b", "B")]
    main = written(tmp_path / "dev.json", IIRC, array=True)
    assert texts(main) == [("Ada Brun", "Ada Brun rowed for Vik & Bonn.")]


@pytest.mark.parametrize("size", [1, 7, 64])
def test_articles_cut_anywhere_by_a_block_are_whole(tmp_path, monkeypatch, size):
    articles = {f"« {n} » 😀": f'A "{n}", \\ }}: é.' for n in range(5)}
    path = tmp_path / "context_articles.json"
    path.write_text(json.dumps(articles, indent=1))
    monkeypatch.setattr(reading, "CHUNK", size)
    assert texts(path) == list(articles.items())


@pytest.mark.parametrize("text", ['{"a": "x", "b" "y"}', '{"a": "x" "b": "y"}', '{"a": "x", 3: 4}'])
def test_broken_articles_are_named(tmp_path, text):
    path = tmp_path / "context_articles.json"
    path.write_text(text)
    *_, failure = documents([path])
    assert "member" in failure.reason
    assert "not valid JSON" in failure.reason


def test_quality_has_one_article_and_options_a_question(tmp_path):
    path = written(tmp_path / "QuALITY.dev", QUALITY, QUALITY | {"questions": []})
    first, second = read_questions(path)
    assert (first.id, first.answer, first.type) == ("52845_A_1", "Ada", "hard")
    assert first.options == ("Bo", "Ada", "Nobody", "Rain")
    assert (second.answer, second.type) == ("", "")
    assert first.paragraphs == second.paragraphs
    article = ("The Salt Lamp", "It was dark.\n\nAda lit the lamp.")
    assert texts(written(tmp_path / "dev.jsonl", QUALITY, QUALITY)) == [article]


@pytest.mark.parametrize(
    "name", ["QuALITY.v1.0.1.train", "QuALITY.v1.0.1.htmlstripped.dev", "quality.v2.test"]
)
def test_files_of_quality_are_known_by_their_names(tmp_path, name):
    written(tmp_path / name, QUALITY)
    written(tmp_path / "other.dev", QUALITY)
    assert [title for title, _ in texts(tmp_path)] == ["The Salt Lamp"]


def test_an_article_without_html_is_taken_as_it_is(tmp_path):
    [question, _] = read_questions(written(tmp_path / "q", QUALITY | {"article": "1 < 2.\n\nYes."}))
    assert question.paragraphs[0].text == "1 < 2.\n\nYes."


def test_fever_has_sets_of_evidence(tmp_path):
    claim, open_claim = read_questions(written(tmp_path / "dev.jsonl", FEVER, OPEN))
    assert (claim.id, claim.question, claim.answer) == ("75397", FEVER["claim"], "SUPPORTS")
    assert claim.options == ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
    assert claim.evidence_sets == (
        (("Ada Brun", 7),),
        (("Ada Brun", 0), ("Savage (band)", 1)),
    )
    assert claim.supporting_titles == ("Ada Brun", "Savage (band)")
    assert (open_claim.answerable, open_claim.evidence_sets) == (False, ())


def test_questions_without_paragraphs_are_nothing_to_ingest(tmp_path):
    [failure] = documents([written(tmp_path / "dev.jsonl", FEVER, OPEN)])
    assert "its questions bring no paragraphs" in failure.reason


def test_pages_of_fevers_wikipedia_are_documents(tmp_path):
    empty = {"id": "", "text": "", "lines": ""}
    composed, apart = "Andr\u00e9", "Andre\u0301"
    assert fever.title(composed) == fever.title(apart)
    path = written(tmp_path / "wiki-001.jsonl", empty, WIKI_PAGE)
    assert texts(path) == [("Savage (band)", "Savage ( 1976 ) is a band .\nIt is loud .")]


def test_lines_of_fevers_pages_keep_their_numbers(tmp_path):
    lines = "0\t\n1\tOne .\n2\t\n3\tThree .\tlink\tLink\n3\tAgain .\n99999\tx\n4\tFour ."
    path = written(tmp_path / "wiki-001.jsonl", WIKI_PAGE | {"lines": lines})
    [page] = documents([path])
    assert page.text == "One .\n\nThree . Again .\nFour ."
    assert [(s.start, s.heading) for s in page.sections] == [
        (0, "line 1"),
        (7, "line 3"),
        (23, "line 4"),
    ]
    whole = Passage(page.id, 0, page.title, page.text, "line 1")
    found = {
        word: list(fever.lines(whole, page.text.index(word), page.text.index(word) + 4))
        for word in ("One", "Three", "Again", "Four")
    }
    assert found == {"One": [1], "Three": [3], "Again": [3], "Four": [4]}
    assert list(fever.lines(whole, 0, 12)) == [1, 2, 3]


def broken(record, field, **change):
    inner = [record[field][0] | change, *record[field][1:]]
    return record | {field: inner}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (TWO_WIKI | {"evidences_id": [["Q1", "a", "Q2"]]}, "field 'evidences_id' must hold"),
        (TWO_WIKI | {"evidences_id": ["Q1"]}, r"field 'evidences_id\[0\]' must be"),
        (FULL_WIKI | {"supporting_facts": [["T"]]}, r"field 'supporting_facts\[0\]' must be"),
        (MUSIQUE | {"answerable": "no"}, "field 'answerable' must be true or false"),
        ({"Question": "Who?", "Answer": None}, "field 'Answer' is missing"),
        (broken(IIRC, "questions", answer=[]), r"questions\[0\]: field 'answer' must be an object"),
        (
            broken(IIRC, "questions", answer={"type": "date"}),
            r"questions\[0\], answer: field 'type' must be span, value, binary or none",
        ),
        (
            broken(IIRC, "questions", answer={"type": "value"}),
            r"questions\[0\], answer: field 'answer_value' is missing",
        ),
        (IIRC | {"questions": "none"}, "field 'questions' must be a list, not text"),
        (broken(IIRC, "links", target=None), r"links\[0\]: field 'target' is missing"),
        (
            broken(QUALITY, "questions", gold_label=5),
            r"questions\[0\]: field 'gold_label' must be 1",
        ),
        (broken(QUALITY, "questions", gold_label="B"), "field 'gold_label' must be a whole number"),
        (broken(QUALITY, "questions", options=[]), r"questions\[0\]: field 'options' must hold"),
        (
            broken(QUALITY, "questions", question=None),
            r"questions\[0\]: field 'question' is missing",
        ),
        (FEVER | {"label": "MAYBE"}, "field 'label' must be one of SUPPORTS"),
        (FEVER | {"evidence": [7]}, r"field 'evidence\[0\]' must be a list, not a number"),
        (
            FEVER | {"evidence": [[["Ada_Brun", 7]]]},
            r"field 'evidence\[0\]' must hold \[annotation",
        ),
        (FEVER | {"claim": None}, "field 'claim' is missing"),
    ],
)
def test_a_malformed_record_is_named(tmp_path, record, message):
    path = written(tmp_path / "q.jsonl", FEVER, record)
    with pytest.raises(SourceError, match=rf"q\.jsonl: line 2.*{message}"):
        list(read_questions(path))


def test_a_malformed_alias_is_named(tmp_path):
    written(tmp_path / "id_aliases.json", {"Q_id": "Q1", "aliases": "Oslo", "demonyms": []})
    with pytest.raises(SourceError, match=r"id_aliases\.json: line 1: field 'aliases' must be a"):
        list(read_questions(written(tmp_path / "dev.json", TWO_WIKI, array=True)))


@pytest.mark.parametrize(
    "record",
    [
        {"claim": "c", "text": "A record."},
        {"Question": "q", "Answer": "a", "text": "A record."},
        {"questions": ["q"], "links": [], "text": "A record."},
        {"id": "A_b", "text": "A record.", "lines": "0\tx", "more": 1},
    ],
)
def test_a_record_that_only_looks_like_it_stays_a_document(tmp_path, record):
    [(_, text)] = texts(written(tmp_path / "corpus.jsonl", record))
    assert text.split("\n")[0] == "A record."
