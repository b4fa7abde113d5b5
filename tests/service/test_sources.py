"""Every kind of source, from the command line and from Python, into the graph."""

import json

import pytest
from support.building import kind, titles
from support.fakes import WordEncoder
from support.printed import dump, pdf

from hoptrail.kg.answers import Answer, Step
from hoptrail.kg.errors import BadRequest, NotFound
from hoptrail.loaders import FORMATS, Options
from hoptrail.service.console import interrupting
from hoptrail.service.console.printing import print_answer, print_hits
from hoptrail.service.console.surroundings import print_surroundings
from hoptrail.service.graph.show import show_json
from hoptrail.service.hoptrail import Hoptrail
from hoptrail.service.payloads import hits_json

pytestmark = pytest.mark.one_release

PAGES = (
    (
        "Bergen",
        "'''Bergen''' is a town. It has rain. [[Hanseatic League|Old traders]] lived there.",
    ),
    ("Hanseatic League", "It was a league of old traders. It ended."),
    ("Oslo", "Old traders came here too. They had no league."),
)


@pytest.fixture
def hop(new_store):
    with Hoptrail(new_store(), encoder=WordEncoder()) as opened:
        yield opened


def test_a_link_of_a_wiki_is_a_mention_by_its_passage_alone(hop, tmp_path):
    (tmp_path / "tiny-pages-articles.xml").write_bytes(dump(*PAGES))
    report = hop.ingest(tmp_path, passage_tokens=8)
    assert (report.added, report.failures) == (3, [])
    mentions = [m for m in kind(hop.store, "mentions") if m["entity_id"] == "hanseatic league"]
    passages = hop.store.passages([m["passage_id"] for m in mentions])
    found = {p.text for p in passages.values() if p.title != "Hanseatic League"}
    assert len(found) == 1
    assert "Old traders lived" in found.pop()


def test_a_source_that_could_not_be_read_can_be_removed(hop, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"no PDF")
    assert len(hop.ingest(broken).failures) == 1
    assert (hop.remove(broken), hop.store.failures()) == (1, [])
    with pytest.raises(NotFound, match="No document"):
        hop.remove(broken)


def test_other_schemes_of_urls_are_said_to_be_none(hop):
    with pytest.raises(BadRequest, match="of URLs http and https are"):
        hop.ingest("ftp://example.org/notes.txt")


def test_a_passage_knows_its_page_and_heading(hop, tmp_path):
    long = [f"The {word} river flows through the old town of Ulm." for word in ("wide", "blue")]
    (tmp_path / "a.pdf").write_bytes(
        pdf(
            ["Rivers", *long],
            ["The red river flows through the new town of Neu-Ulm."],
            outline=[(1, "Rivers")],
        )
    )
    hop.ingest(tmp_path, passage_tokens=12)
    passages = hop.store.passages(hop.store.passages_of([hop.store.find("Rivers")[0].id])).values()
    assert {(p.heading, p.page) for p in passages} == {("Rivers", 1), ("Rivers", 2)}


def test_a_sentence_stands_under_whatever_its_format_calls_a_heading(hop, tmp_path):
    headings = ["Version 2.0", "2024", "No bikes: none.", "a.yaml", "3.3 (Otter)", "e-mail", "Q&A"]
    body = "is kept.\n\nSee here\n\nIt is so.\n\n"
    text = "".join(f"## {heading}\n\nRoom {heading} {body}" for heading in headings)
    (tmp_path / "a.md").write_text(f"# House\n\nAll is kept.\n\nOf this\n\nAnd so on.\n\n{text}")
    hop.ingest(tmp_path)
    [told] = hop.store.passages(hop.store.passages_of([hop.store.find("House")[0].id])).values()
    for heading in headings:
        assert told.heading_at(told.text.index(f"Room {heading}")) == heading
    assert told.heading_at(told.text.index("And so")) == ""
    assert told.heading_at(len(told.text) - 1) == headings[-1]


def test_the_place_of_a_passage_is_said_wherever_it_is_named(hop, tmp_path, capsys):
    question = "Which river flows through Neu-Ulm?"
    (tmp_path / "a.pdf").write_bytes(
        pdf(
            ["Rivers", "The wide river flows through the old town of Bonn."],
            ["The red river flows through the new town of Neu-Ulm."],
            outline=[(2, "New towns")],
        )
    )
    hop.ingest(tmp_path, passage_tokens=12)
    answer = hop.ask(question, record=True)
    [recorded] = hop.store.answers([hop.store.find(question)[0].id])
    assert recorded.passages == answer.passages
    cited = next(p for p in answer.to_dict()["passages"] if "Neu-Ulm" in p["text"])
    assert (cited["title"], cited["page"], cited["heading"]) == ("Rivers", 2, "New towns")
    hits = hop.search(question)
    assert hits_json(question, "hop", hits)["passages"][0]["page"] == 2
    for shown in (lambda: print_answer(answer), lambda: print_hits(hits, question)):
        shown()
        assert "Rivers, p. 2, New towns" in capsys.readouterr().out
    for name in ("a.pdf", "Rivers", "Neu-Ulm"):
        print_surroundings(show_json(hop.store, name))
        assert "p. 2  New towns" in capsys.readouterr().out


def test_what_was_not_looked_for_is_not_missed(capsys):
    print_answer(Answer("Who?", "direct", "Ulm", False, steps=(Step("recall", "Who?", "Ulm"),)))
    assert capsys.readouterr().out.split() == ["Ulm"]
    found = Step("retrieve", "Who?", "", kind="retrieve")
    print_answer(Answer("Who?", "rag", "", True, steps=(found,), missing="Nobody is sure."))
    said = capsys.readouterr().out
    assert "Nobody is sure.\n" in said
    assert "No passage was found." in said


def test_an_edited_record_replaces_its_own_part(hop, tmp_path):
    path = tmp_path / "towns.csv"
    path.write_text("id,title,text\n1,Ulm,Ulm is old.\n2,Bonn,Bonn is new.\n")
    hop.ingest(path)
    path.write_text("id,title,text\n1,Ulm,Ulm is on the Danube.\n2,Bonn,Bonn is new.\n")
    report = hop.ingest(path)
    assert (report.added, report.changed, report.unchanged) == (0, 1, 1)
    texts = {p["text"] for p in kind(hop.store, "passage")}
    assert texts == {"Ulm is on the Danube.", "Bonn is new."}


def test_fields_patterns_and_the_most_from_python(hop, tmp_path):
    (tmp_path / "a.csv").write_text("film,plot\nUlm,A city.\nBonn,Another.\n")
    reading = Options(text_fields=("plot",), title_field="film", limit=1)
    assert hop.ingest(tmp_path / "*.csv", reading=reading).added == 1
    assert titles(hop.store, [p["id"] for p in kind(hop.store, "passage")]) == ["Ulm"]


def test_standard_input(run):
    command = ("ingest", "-", "--title", "Notes")
    assert run(*command, stdin=b"Ulm is on the Danube.")[0] == 0
    status, _, err = run(*command, stdin=b"Ulm is on the Danube river.")
    assert (status, "0 documents added, 1 changed" in err) == (0, True)
    status, out, _ = run("ingest", "-", "--format", "jsonl", "--json", stdin=b'{"text": "A."}\n{')
    report = json.loads(out)
    assert (status, report["documents"]["added"]) == (1, 1)
    assert report["failures"][0]["source"] == "standard input"
    _, out, _ = run("stats", "--json")
    assert json.loads(out)["documents"] == 2
    assert run("remove", "Notes")[0] == 0


def test_fields_on_the_command_line(run, tmp_path):
    (tmp_path / "films.csv").write_text("imdb;film;plot;year\ntt1;Ulm;A city.;1990\n")
    command = ("ingest", "*.csv", "--text-field", "plot", "--title-field", "film")
    command += ("--id-field", "imdb", "--metadata-field", "year")
    status, _, err = run(*command)
    assert (status, "1 document added" in err) == (0, True)
    _, out, _ = run("show", "Ulm", "--json")
    (film,) = (thing for thing in json.loads(out)["found"] if thing["kind"] == "document")
    assert film["metadata"] == {"year": "1990"}


def test_a_pattern_that_no_file_matches_is_reported(run, tmp_path):
    (tmp_path / "films.csv").write_text("film,plot\nUlm,A city.\n")
    used, unused = ("--files", "films*:title=film"), ("--files", "flims*:title=film")
    err = run("ingest", ".", *used, *unused)[2]
    assert ("--files flims*: none" in err, "--files films*" in err) == (True, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("*.pdf",), "nothing matches *.pdf"),
        (("-",), "needs --title"),
        ((".", "--title", "T"), "A title is for standard input"),
        ((".", "--format", "odt"), "odt"),
        ((".", "--limit", "0"), "--limit"),
        ((".", "--passage-tokens", "7"), "--passage-tokens"),
    ],
)
def test_wrong_use_of_ingest(run, arguments, message):
    status, _, err = run("ingest", *arguments)
    assert (status, message in err) == (2, True)


def test_limit_counts_documents(run, tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"The town {name} is on the Danube.")
    status, out, err = run("ingest", ".", "--limit", "2", "--json")
    assert (status, json.loads(out)["documents"]["added"]) == (0, 2)
    assert err == "Stopped after 2 documents; without --limit it goes on to the others.\n"
    status, _, err = run("ingest", ".", "--limit", "9")
    assert (status, "1 document added" in err, "Stopped" in err) == (0, True, False)


def test_an_interruption_says_whether_anything_was_written(run, tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("Ulm is on the Danube.")
    said, ingest = [], Hoptrail.ingest

    def watched(*sources, progress, **options):
        said.append(interrupting._state.means)
        report = ingest(*sources, progress=progress, **options)
        said.append(interrupting._state.means)
        return report

    monkeypatch.setattr(Hoptrail, "ingest", watched)
    assert run("ingest", "a.txt")[0] == 0
    assert said == ["Nothing was written yet.", interrupting._State.means]


def test_a_broken_pdf_is_a_failure_without_noise(run, tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (tmp_path / "b.txt").write_text("Ulm is on the Danube.")
    status, out, err = run("ingest", ".")
    assert (status, out, "1 document added" in err) == (1, "", True)
    assert "a.pdf: not a PDF, or damaged" in err
    assert err.count("EOF") <= 1  # the reason alone, not what pypdf logs


def test_help_names_every_format(run):
    _, out, _ = run("ingest", "--help")
    assert all(name in out for name in FORMATS)
    assert "--text-field" in out
