"""What callers of the Python API may give, and what they are told of the rest."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

import hoptrail
from hoptrail import Document, Hoptrail
from hoptrail.kg.errors import BadRequest
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.service.console.safe import as_json

USES = """
from pathlib import Path
from hoptrail import Document, Hoptrail

def use(hop: Hoptrail, one: Document, mixed: list[Path | str], paths: tuple[Path, ...]) -> None:
    _ = hop.ingest(mixed, paths, {"a.txt"}, [one], (path for path in paths), iter([one]))
    _ = hop.remove(Path("a.txt"), mixed)
    _ = hop.documents(where=None)
"""


@pytest.fixture
def hop(tmp_path, encoder):
    with Hoptrail(tmp_path / "graph.db", encoder=encoder) as hop:
        yield hop


@pytest.fixture
def paths(tmp_path):
    made = [tmp_path / f"{name}.txt" for name in "abc"]
    for path in made:
        path.write_text(f"The town {path.stem} is on the Danube.")
    return made


@pytest.mark.parametrize("wrong", [b"/x", None, 3, {"a.txt": 1}, [3]])
def test_what_is_no_source_is_told(hop, wrong):
    with pytest.raises(BadRequest, match=r"Sources are paths .*, not (bytes|NoneType|int|dict)\."):
        hop.ingest(wrong)
    assert hop.statistics()["documents"] == 0


def test_paths_come_in_sets_and_generators_and_documents_in_streams(hop, paths):
    taken = []

    def stream():
        for n in range(3):
            taken.append(n)
            yield Document(f"{n}", f"Pier {n}", f"Pier {n} is long.", "piers")

    assert hop.ingest(set(paths[:2])).added == 2
    assert hop.ingest(path for path in paths).added == 1
    assert hop.ingest(stream(), (str(path) for path in paths)).added == 3
    assert taken == [0, 1, 2]
    with pytest.raises(BadRequest, match="A stream of documents holds dict"):
        hop.ingest(iter([Document("d", "D", "D is a town.", "d"), {"text": "no"}]))


def test_documents_are_removed_by_paths_and_lists(hop, paths):
    hop.ingest(paths)
    assert hop.remove(paths[0]) == 1
    assert hop.remove([str(paths[1]), paths[2]]) == 2
    for wrong in (3, None, b"a", [3]):
        with pytest.raises(BadRequest, match="A name is a text or a path, not"):
            hop.remove(wrong)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda hop: hop.documents(where=5), "A condition is a text such as 'title~Oslo', not 5"),
        (lambda hop: hop.documents(where=[5]), "5 is no condition"),
        (lambda hop: hop.documents(offset=-1), "The offset is -1; it has to be 0 at least"),
        (lambda hop: hop.search("x", limit="3"), "The limit is '3'; it has to be a whole number"),
        (lambda hop: hop.show("x", limit=2.5), r"The limit is 2\.5; it has to be a whole number"),
        (lambda hop: hop.ask("x", budget="rag:max_calls=3"), "is no budget. Give Budget"),
        (lambda hop: hop.ask("Who is Ann? " * 400), "The question has 4,800 characters; 4,000 at"),
        (lambda hop: Hoptrail(5), "A graph is a file, a URI or a store, not int"),
        (lambda hop: Hoptrail(hop.store, encoder=5), "An encoder is its name, .*, not int"),
    ],
)
def test_what_can_not_be_taken_is_told(hop, call, says):
    hop.ingest(Document("a", "A", "A is a town.", "a"))
    with pytest.raises(BadRequest, match=says):
        call(hop)


def test_an_encoder_is_named_as_on_the_command_line(tmp_path, hop):
    assert Hoptrail(tmp_path / "g.db", encoder="all-MiniLM-L6-v2").encoder == SentenceEncoder()
    hop.ingest(Document("a", "A", "A is a town.", "a"))
    assert [one.id for one in hop.documents(where=None)] == ["a"]


def test_an_object_says_which_graph_it_has(hop, tmp_path):
    assert repr(hop) == f"Hoptrail({str(tmp_path / 'graph.db')!r})"


def test_what_is_taken_satisfies_strict_type_checkers(tmp_path):
    pytest.importorskip("basedpyright")
    (tmp_path / "uses.py").write_text(USES)
    (tmp_path / "hoptrail").symlink_to(Path(hoptrail.__file__).parent)  # as if it were installed
    checked = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "uses.py"]
    said = subprocess.run(checked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout


def test_what_ingest_returns_has_plain_values(hop, paths):
    told = hop.ingest(paths).to_dict()
    assert told["documents"] == {"added": 3, "changed": 0, "unchanged": 0, "removed": 0}
    assert told["failures"] == []
    assert json.loads(json.dumps(told)) == told


GOOD = Document("good", "Pier", "The pier is long.", "notes")


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (Document("b", "B", "B is.", "n", {"on": date(2026, 1, 31)}), "'on' is datetime.date(2026"),
        (Document("b", "B", "B is.", "n", {"price": float("nan")}), "'price' is nan, which JSON"),
        (Document("b", "B", "B is.", "n", {"a": [float("inf")]}), "'a' is [inf], which JSON has"),
        (Document("b", "B", "B is.", "n", {"a": "\ud800"}), "'a' is '\\ud800', which JSON has not"),
        (Document("b", "B", "B is.", "n", {3: "a"}), "a name in its metadata is 3, not a text"),
        (Document("b", "B", "B is.", "n", None), "its metadata are None, not a mapping"),
        (Document("b", "B\ud800", "B is.", "n"), "its title holds half of a surrogate pair"),
        (Document("b", "B", "B is \udc00.", "n"), "its text holds half of a surrogate pair"),
        (Document("b", "B", "B is.", Path("n")), "its source is PosixPath('n'), not a text"),
        (Document("b", "B", "B is.", None), "its source is None, not a text"),
        (Document("b", None, "B is.", "n"), "its title is None, not a text"),
        (Document(7, "B", "B is.", "n"), "document 7: its id is 7, not a text"),
    ],
)
def test_a_document_that_can_not_be_kept_is_named_and_the_others_go_on(hop, bad, why):
    last = replace(GOOD, id="last", title="Ferry")
    report = hop.ingest(iter([GOOD, bad, last]))
    assert (report.added, report.seen) == (2, 3)
    [failure] = report.failures
    assert f"document {bad.id!r}: " in failure.reason
    assert why in failure.reason
    assert {one.id for one in hop.documents()} == {"good", "last"}
    assert hop.store.failures() == [failure]


def test_what_is_no_number_is_null_in_json():
    assert json.loads(as_json({"a": [float("nan"), 1.5], "b": "é"})) == {"a": [None, 1.5], "b": "é"}
