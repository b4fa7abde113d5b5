"""What text files are in: what is said of them, and what their bytes tell."""

import pytest

from hoptrail.kg.types import Document, Failure
from hoptrail.loaders import Options, documents


def read(path, **options):
    found = list(documents([path], Options(**options)))
    return (
        [item for item in found if isinstance(item, Document)],
        [item for item in found if isinstance(item, Failure)],
    )


@pytest.mark.parametrize("encoding", ["windows-1252", "latin1", "UTF-16", "utf-16-be", "utf-8-sig"])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.tsv"])
def test_files_in_the_encoding_that_is_named(tmp_path, encoding, name):
    said = "Grétry lived in Liège. " * 20_000  # more than is decoded at once
    written = said if name in ("a.txt", "a.md") else f"text\n{said}\n"
    (tmp_path / name).write_bytes(written.encode(encoding))
    ((document,), failures) = read(tmp_path / name, encoding=encoding)
    assert (document.text, failures) == (said.strip(), [])


@pytest.mark.parametrize(
    ("encoding", "data", "reason"),
    [
        (
            "cp1252",
            b"caf\x81",
            "not CP1252: byte 0x81 at position 3; save it as UTF-8, or say what it is in, such as "
            "--files 'a.txt:encoding=windows-1252'",
        ),
        ("utf-16", b"a\0b\0", "not UTF-16: UTF-16 stream does not start with BOM; save it"),
        ("utf-16-le", b"a\0b", "not UTF-16-LE: byte 0x62 at position 2"),
        ("latin-1", b"abc\0def", "binary file: NUL at byte 3"),
    ],
)
def test_bytes_that_are_not_in_the_encoding_that_is_named(tmp_path, encoding, data, reason):
    (tmp_path / "a.txt").write_bytes(data)
    (found, (failed,)) = read(tmp_path / "a.txt", encoding=encoding)
    assert found == []
    assert reason in failed.reason


def test_an_encoding_for_a_folder_leaves_what_is_plainly_another(tmp_path):
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "windows-1252"):
        (tmp_path / f"{encoding}.txt").write_bytes("Übersicht für Köln".encode(encoding))
    found, failures = read(tmp_path, encoding="windows-1252")
    assert [d.text for d in found] == ["Übersicht für Köln"] * 4
    assert failures == []
    ((wide,), _) = read(tmp_path / "utf-16.txt")
    assert wide.text == "Übersicht für Köln"
