"""Walking folders, and what becomes of files that can't be read."""

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.printed import dump, pdf

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.types import Document, Failure
from hoptrail.loaders import Meter, Options, documents, measure


def read(*paths, meter=None, **options):
    found = list(documents(paths, Options(**options), meter))
    assert all(isinstance(item, Document | Failure) for item in found)
    return (
        [item for item in found if isinstance(item, Document)],
        [item for item in found if isinstance(item, Failure)],
    )


def failure(path, data):
    path.write_bytes(data)
    found, (only,) = read(path)
    assert found == []
    assert only.source == str(path)
    return only.reason


def test_folders_are_walked_in_order_without_hidden_and_unknown_files(tmp_path):
    for name in ["b.txt", "a/z.md", "a/b/c.TXT", "c.txt", ".hidden.txt", ".git/x.txt", "d.png"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Text of {name}.")
    found, failures = read(tmp_path)
    assert [d.title for d in found] == ["c", "z", "b", "c"]
    assert [d.source for d in found] == [
        str(tmp_path / name) for name in ["a/b/c.TXT", "a/z.md", "b.txt", "c.txt"]
    ]
    assert failures == []


def test_a_loop_of_links_ends(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.txt").write_text("One.")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "self.txt").symlink_to(tmp_path / "self.txt")
    found, failures = read(tmp_path)
    assert [d.title for d in found] == ["one"]
    assert [f.source for f in failures] == [str(tmp_path / "self.txt")]


def test_a_file_reached_twice_is_read_once(tmp_path):
    path = tmp_path / "one.txt"
    path.write_text("One.")
    (tmp_path / "two.txt").symlink_to(path)
    assert len(read(path, tmp_path, tmp_path / "two.txt")[0]) == 1


def test_a_record_in_two_files_is_yielded_once(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text('{"title": "T", "text": "Same."}\n')
    assert len(read(tmp_path)[0]) == 1


def test_a_missing_path_stops_before_anything_is_read(tmp_path):
    (tmp_path / "there.txt").write_text("There.")
    with pytest.raises(BadRequest, match=r"not-there\.txt"):
        documents([tmp_path / "there.txt", tmp_path / "not-there.txt"])


def test_a_file_that_vanishes_on_the_way(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(name)
    items = documents([tmp_path / "a.txt", tmp_path / "b.txt"])
    assert isinstance(next(items), Document)
    (tmp_path / "b.txt").unlink()
    (gone,) = items
    assert isinstance(gone, Failure)
    assert "no such file" in gone.reason


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.txt", b"", "the file is empty"),
        ("a.md", b" \n\n ", "only white space"),
        ("a.md", b"<!-- nothing to see -->", "holds no text"),
        ("a.txt", b"abc\0def", "binary file: NUL at byte 3"),
        ("a.txt", b"caf\xe9 au lait", "not UTF-8: byte 0xe9 at position 3; save it"),
        ("a.txt", b"caf\xc3", "not UTF-8: byte 0xc3 at position 3"),
        ("a.xyz", b"abc", "no loader for .xyz; known: .txt, .md"),
        ("a.xyz.gz", b"abc", "no loader for .xyz.gz; known: .txt, .md"),
        ("Makefile", b"abc", "no loader for files without a suffix"),
        ("a.jsonl", b'{"question": "Who?", "answer": "x"}', "questions bring no paragraphs"),
        ("a.json", b"[]", "holds no text"),
        ("a.json", b'[{"title": "T", "tex', "record 1: not valid JSON"),
        ("a.jsonl", b'{"title": "T"}', "line 1: has no text among its fields (title)"),
        ("a.jsonl", b"[1, 2]", "record 1: must be an object, not a number"),
        ("a.jsonl", b"\n\n3\n", "line 3: must be an object, not a number"),
        ("a.json", b"5", "not a number; JSON lines or one array of objects is expected"),
        ("a.csv", b"name,town\n", "holds no text; rows are read that stand below a first one"),
        ("a.txt", "Salt is white.".encode("utf-16-le"), "--files 'a.txt:encoding=utf-16-le'"),
        ("a.csv", "a,b\n1,2".encode("utf-16-be"), "--files 'a.csv:encoding=utf-16-be'"),
        ("a.json", '[{"a": 1}]'.encode("utf-16-le"), "UTF-16 without a byte-order mark"),
        ("a.jsonl", b'{"title": "T", "text": {"x": 1}}', "line 1: field 'text' must hold text"),
        ("a.jsonl", b"[" * 100_000, "nested too deeply"),
    ],
)
def test_files_that_cannot_be_read_say_why(tmp_path, name, data, reason):
    assert reason in failure(tmp_path / name, data)


def test_what_is_written_without_a_suffix_by_custom_is_text(tmp_path):
    known = ["ChangeLog", "FAQ-users", "README", "README.Debian", "README.keys", "RELEASE-NOTES"]
    known += ["v1.3.1-ReleaseNotes"]
    for name in (*known, "README.png", "Makefile", "NEWSLETTER"):
        (tmp_path / name).write_text(f"{name} says hello.")
    (tmp_path / "NEWS.Debian.gz").write_bytes(gzip.compress(b"What is new."))
    (tmp_path / "archive.tar.gz").write_bytes(gzip.compress(b"no text"))
    meter = Meter()
    found = [Path(one.source).name for one in documents([tmp_path], meter=meter)]
    assert found == sorted([*known, "NEWS.Debian.gz"])
    assert meter.passed_over == {".png": 1, ".gz": 1, "": 2}


def test_what_gzip_packed_is_unpacked_for_a_format_that_is_named(tmp_path):
    (tmp_path / "hook.gz").write_bytes(gzip.compress(b"A hook rejects articles."))
    [document] = documents([tmp_path / "hook.gz"], Options(format="text"))
    assert document.text == "A hook rejects articles."


def test_what_word_leaves_while_a_file_is_open_is_passed_over(tmp_path):
    (tmp_path / "~$plan.docx").write_bytes(b"\x03Ann")
    (tmp_path / "plan.txt").write_text("The plan.")
    assert [document.text for document in documents([tmp_path])] == ["The plan."]


def test_position_of_a_wrong_byte_far_into_the_file(tmp_path):
    text = "ä" * 300_000 + "x"
    assert "position 600001" in failure(tmp_path / "a.txt", text.encode() + b"\xff" + b"y" * 9)


def test_records_before_a_malformed_one_stay(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"title": "A", "text": "One."}\n{"title": "B", "text": "Two."}\n{"tit\n')
    found, (failed,) = read(path)
    assert [d.title for d in found] == ["A", "B"]
    assert failed.reason.startswith("line 3: not valid JSON")
    assert failed.reason.endswith("(the 2 documents before it are kept)")
    assert failed.source == found[0].source  # so that a later success clears it


def test_an_error_that_nobody_foresaw_keeps_no_other_file_from_being_read(tmp_path, monkeypatch):
    for name in ("a.csv", "b.txt"):
        (tmp_path / name).write_text("Name,Town\nAnn,Oslo\n")

    def load(path, *_):
        raise OverflowError("date value out of range")

    monkeypatch.setattr("hoptrail.loaders.formats.table.load", load)
    [found], [failed] = read(tmp_path)
    assert found.source.endswith("b.txt")
    assert "a defect in Hoptrail ended its reading (OverflowError: date value" in failed.reason


def test_a_byte_order_mark_is_no_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfGrieg\r\nwas here.\r\n")
    assert read(path)[0][0].text == "Grieg\nwas here."


def test_lone_surrogates_become_replacement_characters(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(r'{"title": "A\ud800", "text": "One \udc00 \ud83d\ude00."}')
    ((document,), _) = read(path)
    assert (document.title, document.text) == ("A\ufffd", "One \ufffd 😀.")


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    _, (failed,) = read(tmp_path)
    assert failed.reason == "not a regular file"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path):
    (tmp_path / "shut").mkdir()
    (tmp_path / "a.txt").write_text("A.")
    for path in [tmp_path / "a.txt", tmp_path / "shut"]:
        path.chmod(0)
    _, failures = read(tmp_path)
    (tmp_path / "shut").chmod(0o700)
    assert [f.reason for f in failures] == [
        "no permission to read it",
        "no permission to read this folder",
    ]


def test_importing_the_package_loads_no_loader():
    code = (
        "import sys; from hoptrail.loaders import LOADERS; "
        "print([m for m in LOADERS.values() if f'hoptrail.loaders.formats.{m}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def named(path, *names):
    for name in names:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(f"Text of {name}.")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.txt", ["a.txt"]),
        ("**/*.txt", ["a.txt", "d/b.txt", "d/e/c.txt"]),
        ("d/*", ["d/b.txt", "d/e/c.txt"]),  # a folder that matches is walked
        ("d/**", ["d/b.txt", "d/e/c.txt"]),
        ("?.txt", ["a.txt"]),
        ("d/[bc].txt", ["d/b.txt"]),
        (".h/*.txt", [".h/x.txt"]),
        (".*/*.txt", [".h/x.txt"]),
    ],
)
def test_patterns_are_what_a_shell_would_take_them_for(tmp_path, monkeypatch, pattern, found):
    named(tmp_path, "a.txt", "d/b.txt", "d/e/c.txt", ".h/x.txt")
    monkeypatch.chdir(tmp_path)
    relative = [os.path.relpath(d.source, tmp_path) for d in read(pattern)[0]]
    absolute = [os.path.relpath(d.source, tmp_path) for d in read(tmp_path / pattern)[0]]
    assert relative == absolute == found


def test_a_path_that_exists_is_no_pattern(tmp_path):
    named(tmp_path, "[ab].txt", "a.txt")
    assert [d.text for d in read(tmp_path / "[ab].txt")[0]] == ["Text of [ab].txt."]


@pytest.mark.parametrize("pattern", ["*.pdf", "d/**x/*.txt", "no/**/*.txt"])
def test_a_pattern_without_a_match_is_named(tmp_path, monkeypatch, pattern):
    named(tmp_path, "a.txt")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadRequest) as error:
        documents(["a.txt", pattern])
    assert f"nothing matches {pattern}" in str(error.value)


def test_a_pattern_ends_in_a_loop_of_links(tmp_path):
    named(tmp_path, "a/one.txt")
    for name in ("up", "again"):
        (tmp_path / "a" / name).symlink_to(tmp_path)
    assert [d.title for d in read(tmp_path / "**/*.txt")[0]] == ["one"]


def standard_input(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input_is_known_by_its_title(monkeypatch):
    found = []
    for text, title in ((b"Before.", "Notes"), (b"After.", "Notes"), (b"After.", "Others")):
        standard_input(monkeypatch, text)
        found += read("-", title=title)[0]
    before, after, other = found
    assert (after.title, after.text, after.source) == ("Notes", "After.", "standard input: Notes")
    assert before.id == after.id != other.id


@pytest.mark.parametrize(
    ("format_", "data", "texts"),
    [
        ("text", b"Plain *text*.", ["Plain *text*."]),
        ("markdown", b"Plain *text*.", ["Plain text."]),
        ("pdf", pdf(["A page."]), ["A page."]),
        ("jsonl", b'{"text": "One."}\n{"text": "Two."}', ["One.", "Two."]),
        ("csv", b"id,text\n1,One.\n2,Two.", ["One.", "Two."]),
        ("wikipedia", dump(("A", "One."), ("B", "Two.")), ["One.", "Two."]),
    ],
)
def test_standard_input_of_every_format(monkeypatch, format_, data, texts):
    meter = Meter()
    for _ in range(2):
        standard_input(monkeypatch, data)
        found, failures = read("-", format=format_, title="Notes", meter=meter)
        assert [d.text for d in found] == texts
        assert {d.source for d in found} == {"standard input: Notes"}
        assert failures == []
    assert meter.done == meter.total == 2 * len(data)
    assert len({d.id for d in found}) == len(texts)


def test_standard_input_that_cannot_be_read(monkeypatch):
    standard_input(monkeypatch, b'{"text": ')
    _, (failed,) = read("-", format="jsonl")
    assert failed.source == "standard input"
    assert failed.reason.startswith("line 1: not valid JSON")


@pytest.mark.parametrize(
    ("paths", "options", "reason"),
    [
        (["-"], {}, "needs --title"),
        (["-"], {"format": "pdf", "title": " "}, "read as pdf and needs --title"),
        (["a.txt"], {"title": "T"}, "A title is for standard input"),
        (
            ["a.txt"],
            {"encoding": "cp99999"},
            "No encoding 'cp99999'; usual ones are utf-8, windows",
        ),
        (["a.txt"], {"encoding": "rot13"}, "No encoding 'rot13'"),
        (["a.txt"], {"format": "odt"}, "No format 'odt'; there are: text, markdown"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_anything_is_read(
    tmp_path, monkeypatch, paths, options, reason
):
    named(tmp_path, "a.txt")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadRequest, match=reason):
        documents(paths, Options(**options))


def test_a_format_is_for_every_file(tmp_path):
    named(tmp_path, "a.log", "README", "b.json")
    found, failures = read(tmp_path, format="text")
    assert [d.text for d in found] == ["Text of README.", "Text of a.log.", "Text of b.json."]
    assert failures == []


def test_reading_ends_after_the_most(tmp_path):
    named(tmp_path, "a.txt", "b.txt", "c.txt")
    assert [d.title for d in read(tmp_path, limit=2)[0]] == ["a", "b"]


def test_a_meter_knows_the_size_and_counts_what_is_read(tmp_path):
    named(tmp_path, "a.txt", "b/c.txt", "d.png")
    (tmp_path / "e.jsonl").write_text('{"text": "x"}\n' * 50_000)
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    meter = measure([tmp_path])
    assert meter.total == sum(
        (tmp_path / n).stat().st_size for n in ("a.txt", "b/c.txt", "e.jsonl")
    )
    counted = [meter.done for _ in documents([tmp_path], meter=meter)]
    assert counted == sorted(counted)
    assert 0 < counted[-1] < meter.total  # the rest of the last file is still being read
    assert meter.done == meter.total


@pytest.mark.skipif(os.name != "posix", reason="names that only POSIX allows")
@pytest.mark.parametrize(
    "name", ["a\nb.txt", "a\x1b[31m.txt", "*.txt", "-.txt", "a\udcff.txt", "…"]
)
def test_any_name_a_file_may_have_can_be_stored(tmp_path, name):
    (tmp_path / name).write_text("Text.")
    found, failures = read(tmp_path / name, format="text")
    assert [d.text for d in found] == ["Text."]
    f"{found[0].title}{found[0].source}".encode()
    assert failures == []


def test_a_feature_of_geojson_is_the_record_of_its_properties(tmp_path):
    features = (
        '{"type": "Feature", "id": 7, "properties": {"name": "Mill", "built": 1820},'
        ' "geometry": {"type": "Point", "coordinates": [5.25, 60]}}',
        '{"type": "Feature", "properties": {"name": "Barn", "roof": "slate"},'
        ' "geometry": {"type": "Polygon", "coordinates": [[[1, 2], [3, 4]]]}}',
    )
    whole = f'{{"type": "FeatureCollection", "features": [{", ".join(features)}]}}'
    for name, text in (("sites.json", whole), ("sites.jsonl", "\n".join(features))):
        (tmp_path / name).write_text(text)
        (mill, barn), failed = read(tmp_path / name)
        assert failed == []
        assert mill.text == "name: Mill; built: 1820; coordinates: 5.25, 60"
        assert (mill.title, barn.title) == ("Mill (sites)", "Barn (sites)")
        assert [(f.head, f.relation, f.tail) for f in barn.facts] == [("Barn", "roof", "slate")]
