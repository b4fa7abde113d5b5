"""Walking folders, and what becomes of files that can't be read."""

import os
import subprocess
import sys

import pytest

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.types import Document, Failure
from hoptrail.loaders import documents


def read(*paths):
    found = list(documents(paths))
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
        ("a.txt", b"caf\xe9 au lait", "not UTF-8: byte 0xe9 at position 3"),
        ("a.txt", b"caf\xc3", "not UTF-8: byte 0xc3 at position 3"),
        ("a.txt", "Grieg".encode("utf-16"), "UTF-16"),
        ("a.xyz", b"abc", "no loader for .xyz; known: .txt, .md"),
        ("README", b"abc", "no loader for files without a suffix"),
        ("a.jsonl", b'{"question": "Who?", "answer": "x"}', "holds no text"),
        ("a.json", b"[]", "holds no text"),
        ("a.json", b'[{"title": "T", "tex', "record 1: not valid JSON"),
        ("a.jsonl", b'{"title": "T"}', "line 1: has neither a question with paragraphs nor a text"),
        ("a.jsonl", b"[1, 2]", "record 1: must be an object, not a number"),
        ("a.jsonl", b"\n\n3\n", "line 3: must be an object, not a number"),
        ("a.jsonl", b'{"title": "T", "text": ["x"]}', "line 1: field 'text' must hold text"),
        ("a.jsonl", b"[" * 100_000, "nested too deeply"),
    ],
)
def test_files_that_cannot_be_read_say_why(tmp_path, name, data, reason):
    assert reason in failure(tmp_path / name, data)


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
        "import sys, hoptrail.loaders; print([m for m in sys.modules if 'hoptrail.loaders.' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
