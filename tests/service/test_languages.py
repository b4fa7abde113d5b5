"""Documents in other languages, without a language model: told, found, and no junk from them."""

import json

import pytest

from hoptrail import Document, Hoptrail

pytestmark = pytest.mark.one_release

GERMAN = (
    "Die Kestrel Instrumente GmbH wurde 2004 von Marta Olsen in Heidelberg gegründet. "
    "Das Unternehmen baut Messgeräte für Häuser und Brücken."
)
RUSSIAN = "Завод был основан в 1931 году Иваном Петровым в Саратове и выпускает приборы."
CHINESE = "红隼仪器公司于2004年由李明在杭州成立。公司生产桥梁和房屋的测量仪器。"
ENGLISH = (
    "Vaagur is a town on an island. Jens Thorkil was born in Vaagur, and he built its theatre."
)


def test_they_are_told_once_with_counts(run, tmp_path):
    texts = {"a.txt": GERMAN, "b.txt": RUSSIAN, "c.txt": CHINESE, "d.txt": ENGLISH, "e.txt": "Ulm"}
    (tmp_path / "docs").mkdir()
    for name, text in texts.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    _, out, err = run("ingest", "docs", "--json")
    assert json.loads(out)["languages"] == {"de": 1, "en": 1, "ru": 1, "zh": 1}
    assert err.count("not in English") == 1
    (tmp_path / "docs" / "f.txt").write_text(GERMAN + " Mehr.", encoding="utf-8")
    _, _, err = run("ingest", "docs")
    assert "other languages than English: 1 German." in err
    assert "languages" not in run("ingest", "docs")[2]


def test_they_are_found_and_state_nothing(new_store, encoder):
    texts = {"de": GERMAN, "ru": RUSSIAN, "zh": CHINESE, "en": ENGLISH}
    with Hoptrail(new_store(), encoder=encoder) as hop:
        hop.ingest(*(Document(code, code.upper(), text, code) for code, text in texts.items()))
        for question, code in (
            ("Wer hat Kestrel gegründet?", "de"),
            ("Кем был основан завод в Саратове?", "ru"),
            ("哪家公司在杭州？", "zh"),
            ("测量仪器", "zh"),
        ):
            hits = hop.search(question, retriever="bm25")
            assert [hit.passage.title for hit in hits[:1]] == [code.upper()], question
        stated = {code: hop.store.triples_of(hop.store.passages_of([code])) for code in texts}
        assert {code for code, found in stated.items() if found} == {"en"}
        named = hop.store.mentioned(hop.store.passages_of(["de", "ru"])).values()
        assert {"marta olsen", "heidelberg", "иваном петровым"} <= {e for ids in named for e in ids}
        assert not {"die", "das", "das unternehmen"} & {e for ids in named for e in ids}


def test_an_empty_folder_makes_no_graph_and_says_why(run, tmp_path):
    (tmp_path / "empty").mkdir()
    status, _, err = run("ingest", "empty")
    assert (status, "No graph was made" in err) == (0, True)
    assert not (tmp_path / "hoptrail.db").exists()


def test_a_question_in_another_language_than_the_documents_is_told_once(run, tmp_path):
    (tmp_path / "de.txt").write_text(GERMAN, encoding="utf-8")
    run("ingest", "de.txt")
    across = "another language (English) than most of what was found (German)"
    for command in (("search", "Who founded Kestrel?"), ("ask", "Who founded Kestrel?", "--json")):
        _, out, err = run(*command)
        assert (err.count(across), across in out) == (1, False)
        assert "--encoder" in err
    _, _, err = run("ask", "-", stdin=b"Who founded Kestrel?\nWho is Marta Olsen?\n")
    assert err.count(across) == 1
    assert "another language" not in run("search", "Wer hat Kestrel gegründet?")[2]


def test_a_name_that_is_part_of_others_is_told_them(run, tmp_path):
    text = "Die Müller & Söhne GmbH hat ihren Hauptsitz in Würzburg, nicht in Heidelberg am Neckar."
    (tmp_path / "de.txt").write_text(text, encoding="utf-8")
    run("ingest", "de.txt")
    status, _, err = run("show", "Müller Söhne")
    assert (status, "Did you mean 'Müller & Söhne GmbH'?" in err) == (1, True)
    assert "Did you mean" not in run("show", "Quantrel")[2]
