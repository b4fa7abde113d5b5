"""Tables drawn with characters in text files."""

from hoptrail.loaders.formats.text import load

BOX = """The ports of the region are these, and nobody has counted the smaller ones:

   ┌───────┬──────────────┐
   │ Port  │ Known for    │
   ├───────┼──────────────┤
   │ Ulm   │ barges, and  │
   │       │ boxes        │
   ├───────┼──────────────┤
   │ Basel │ tankers      │
   └───────┴──────────────┘

That is all."""
SHELL = """+------+-------+
| Name | Since |
+------+-------+
| Ann  | 1999  |
| Tom  | 2004  |
+------+-------+
"""
UNNAMED = """+-----+----------------------------------------------------------------------------+
| MIT | The Massachusetts Institute of Technology, and its Laboratory for AI       |
+-----+----------------------------------------------------------------------------+
| CMU | Carnegie-Mellon University                                                 |
+-----+----------------------------------------------------------------------------+
| BBN | Bolt, Beranek & Newman                                                     |
+-----+----------------------------------------------------------------------------+
"""
UNLIKE = """+------+
| a | b |
+------+
| c |
+------+
"""


def read(tmp_path, text):
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    (document,) = load(tmp_path / "a.txt")
    return document


def test_rows_of_a_box_are_lines_that_say_what_their_cells_are(tmp_path):
    document = read(tmp_path, BOX)
    assert document.text.split("\n\n")[1:] == [
        "Port: Ulm; Known for: barges, and boxes\nPort: Basel; Known for: tankers", "That is all."
    ]  # fmt: skip
    assert [(fact.head, fact.relation, fact.tail) for fact in document.facts] == [
        ("Ulm", "Known for", "barges, and boxes"), ("Basel", "Known for", "tankers")
    ]  # fmt: skip


def test_what_a_databases_shell_prints_has_a_row_in_each_line(tmp_path):
    assert read(tmp_path, SHELL).text == "Name: Ann; Since: 1999\nName: Tom; Since: 2004"


def test_a_box_without_names_keeps_its_cells_together(tmp_path):
    document = read(tmp_path, UNNAMED)
    assert document.text.endswith(
        "for AI\nCMU, Carnegie-Mellon University\nBBN, Bolt, Beranek & Newman"
    )
    assert not document.facts


def test_lines_of_unlike_columns_stay(tmp_path):
    assert "| c |" in read(tmp_path, UNLIKE).text
