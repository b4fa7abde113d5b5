"""Tables of every format: rows as "column: value", and what they state."""

import json

import pytest
from docx import Document as Word

from hoptrail.loaders import Options, documents
from hoptrail.loaders.html.markup import page
from hoptrail.loaders.tables import MAX_CELLS, Cell, rows, unmarked

OFFICES = [("City", "Country", "Opened"), ("Vienna", "Austria", "1999"), ("Graz", "Austria", "")]
SAID = ["City: Vienna; Country: Austria; Opened: 1999", "City: Graz; Country: Austria"]
STATED = [
    ("Vienna", "Country", "Austria"),
    ("Vienna", "Opened", "1999"),
    ("Graz", "Country", "Austria"),
]


def html(path):
    lines = ["".join(f"<td>{cell}</td>" for cell in line) for line in OFFICES[1:]]
    head = "".join(f"<th>{cell}</th>" for cell in OFFICES[0])
    rest = "</tr><tr>".join(lines)
    path.write_text(f"<p>Where we are:</p><table><tr>{head}</tr><tr>{rest}</table>")


def markdown(path):
    lines = ["| " + " | ".join(line) + " |" for line in OFFICES]
    path.write_text("\n".join(["Where we are:", "", lines[0], "|---|---|---|", *lines[1:]]))


def csv(path):
    path.write_text("\ufeff" + "\r\n".join(";".join(line) for line in OFFICES))


def word(path):
    document = Word()
    document.add_paragraph("Where we are:")
    table = document.add_table(0, 3)
    for line in OFFICES:
        for cell, text in zip(table.add_row().cells, line, strict=True):
            cell.text = text
    document.save(str(path))


@pytest.mark.parametrize(
    ("name", "write"), [("a.html", html), ("a.md", markdown), ("a.csv", csv), ("a.docx", word)]
)
def test_rows_say_what_they_say(tmp_path, name, write):
    write(tmp_path / name)
    found = list(documents([tmp_path / name]))
    text = "\n".join(document.text for document in found)
    assert [line for line in text.splitlines() if line and line != "Where we are:"] == SAID
    facts = [(document, fact) for document in found for fact in document.facts]
    assert [(f.head, f.relation, f.tail) for _, f in facts] == STATED
    assert {document.text[f.start : f.end] for document, f in facts} == set(SAID)


def cells(*lines, headers=1):
    return [[Cell(text, number < headers) for text in line] for number, line in enumerate(lines)]


def said(table, **how):
    return [row.text for row in rows(table, **how) or ()]


def test_a_table_that_sets_text_out_stays_text():
    assert rows(cells(["One column"], ["of text"])) is None
    assert rows(cells(["No", "names"], ["of", "columns"], headers=0)) is None
    assert rows(cells(["x" * 200, "of columns"], ["far", "too long"])) is None


def test_merged_cells_count_for_all_that_they_spread_over():
    table = cells(["City", "Country"], ["Vienna"], ["Graz"], [])
    table[1].append(Cell("Austria", rows=2))
    table[3] = [Cell("Closed in 2020", columns=2)]
    assert said(table) == [
        "City: Vienna; Country: Austria",
        "City: Graz; Country: Austria",
        "Closed in 2020",
    ]
    assert rows([[Cell("a", True, 1000, 1000)]] * (MAX_CELLS // 1000 + 1)) is None


def test_merged_cells_of_word_count_likewise_and_name_no_row(tmp_path):
    document = Word()
    table = document.add_table(0, 3)
    for line in [("Department", "Contact", "Room"), ("Office", "Ann Lee", "1"), ("", "Bo Ek", "2")]:
        for cell, text in zip(table.add_row().cells, line, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document.save(str(tmp_path / "a.docx"))
    [found] = documents([tmp_path / "a.docx"])
    assert found.text.splitlines() == [
        "Department: Office; Contact: Ann Lee; Room: 1",
        "Department: Office; Contact: Bo Ek; Room: 2",
    ]
    assert [(f.head, f.relation, f.tail) for f in found.facts][2:] == [
        ("Bo Ek", "Department", "Office"),
        ("Bo Ek", "Room", "2"),
    ]


def test_a_header_over_names_and_values_says_what_they_are_about():
    box = """<h1>Wiki</h1><table><tr><th colspan="2">Ann Lee</th></tr>
    <tr><td colspan="2">In 1933</td>
    </tr><tr><th>Born</th><td>2 May 1902<br/>Holm</td></tr><tr><th>Work</th><td><ul><li>painter</li>
    <li>printer</li></ul></td></tr></table>"""
    found = page(box)
    line = "Born: 2 May 1902, Holm; Work: painter, printer"
    assert found.text.splitlines() == ["Ann Lee", "In 1933", line]
    assert found.table[-1].facts == (
        ("Ann Lee", "Born", "2 May 1902, Holm"),
        ("Ann Lee", "Work", "painter, printer"),
    )


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("Main St 5<br>1010 Wien<br>Austria", "Main St 5, 1010 Wien, Austria"),
        ("a long line<br>that goes on", "a long line that goes on"),
        ("<p>It is so.</p><p>Then it was.</p>", "It is so. Then it was."),
        ("<ul><li>one</li><li>two three.</li><li>four</li></ul>", "one, two three. four"),
    ],
)
def test_parts_of_a_cell_stay_apart(cell, text):
    table = f"<table><tr><th>A<br>B</th><th>C</th></tr><tr><td>x</td><td>{cell}</td></tr></table>"
    assert page(table).text == f"A B: x; C: {text}"


def test_the_marked_cell_names_a_row():
    table = cells(["Nr", "City", "Staff"], ["1", "Vienna", "40"])
    table[1][1] = Cell("Vienna", header=True)
    [row] = rows(table)
    assert row.facts == (("Vienna", "Nr", "1"), ("Vienna", "Staff", "40"))


def test_names_and_values_are_lines():
    assert said([[Cell("Founder", True), Cell("Ann Lee")], [Cell("Seat", True), Cell("Graz")]]) == [
        "Founder: Ann Lee",
        "Seat: Graz",
    ]


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        (["Applicant:|Ann Lee", "Seat:|Graz"], ["Applicant: Ann Lee", "Seat: Graz"]),
        (
            ["Applicant|Ann Lee", "Date of birth|3 May 1990", "Address|Main St 5"],
            ["Applicant: Ann Lee", "Date of birth: 3 May 1990", "Address: Main St 5"],
        ),
        (["Invoice|No. 17", "Due|3 May"], ["Invoice: No. 17", "Due: 3 May"]),
        (
            ["Name|Ann", "Born|1990", "Seat|Graz", "Phone|555", "Boss|Bo"],
            ["Name: Ann", "Born: 1990", "Seat: Graz", "Phone: 555", "Boss: Bo"],
        ),
        (["Country|Capital", "Austria|Vienna"], ["Country: Austria; Capital: Vienna"]),
        (["Goods|2025", "Beer|120"], ["Goods: Beer; 2025: 120"]),
        (
            ["Goods|Price", "Tea|3.50", "Ice|none"],
            ["Goods: Tea; Price: 3.50", "Goods: Ice; Price: none"],
        ),
    ],
)
def test_what_a_table_without_marked_names_reads_like(table, lines):
    cells = [[Cell(text) for text in line.split("|")] for line in table]
    assert [row.text for row in unmarked(cells) or ()] == lines


def test_a_long_cell_is_text_of_its_own():
    note = "It was closed. " * 20
    [row] = rows(cells(["City", "Note", "Staff"], ["Graz", note, "12"]))
    assert row.text == f"City: Graz; Staff: 12\nNote: {note.strip()}"
    assert row.facts == (("Graz", "Staff", "12"),)


def test_a_row_is_called_as_the_options_say(tmp_path):
    (tmp_path / "a.csv").write_text("nr,who,born\n7,Ann Lee,1970\n")
    [document] = documents([tmp_path / "a.csv"], Options(title_field="who"))
    assert document.title == "Ann Lee"
    assert [(f.head, f.relation, f.tail) for f in document.facts] == [
        ("Ann Lee", "nr", "7"),
        ("Ann Lee", "born", "1970"),
    ]


def test_an_object_with_one_array_holds_its_records(tmp_path):
    (tmp_path / "a.json").write_text('{"total": 1,\n "offices": [{"name": "Graz", "staff": 12}]}')
    [document] = documents([tmp_path / "a.json"])
    assert (document.title, document.text) == ("Graz", "name: Graz; staff: 12")
    (tmp_path / "b.json").write_text('{"offices": [{"a": 1}], "people": [{"b": 2}]}')
    [failure] = documents([tmp_path / "b.json"])
    assert "several arrays ('offices', 'people')" in failure.reason


def test_objects_in_a_record_are_columns_of_both_names(tmp_path):
    record = '{"name": "Rope", "supplier": {"name": "Tau", "at": {"city": "Holm"}}, "price": 4}'
    (tmp_path / "a.json").write_text(f"[{record}]")
    [document] = documents([tmp_path / "a.json"])
    assert document.text == "name: Rope; supplier name: Tau; supplier at city: Holm; price: 4"
    (tmp_path / "c.json").write_text('[{"name": {"first": "Ann"}, "staff": {"in": 1, "out": 2}}]')
    [document] = documents([tmp_path / "c.json"])
    assert document.text == "name first: Ann; staff in: 1; staff out: 2"
    (tmp_path / "b.jsonl").write_text('{"a": ' * 50 + "1" + "}" * 50)
    [failure] = documents([tmp_path / "b.jsonl"])
    assert "has no text" in failure.reason


def test_an_id_that_people_say_is_the_title_where_none_is_given(tmp_path):
    lines = ['{"id": "INC-33", "text": "Torn."}', '{"id": "5f3a9c0d1e2b", "text": "Worn."}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    assert [document.title for document in documents([tmp_path / "a.jsonl"])] == ["INC-33", ""]


def test_numbers_of_json_read_as_they_are_written(tmp_path):
    written = '{"name": "Stamp", "price": 88.00, "rate": 1e3, "sold": 7}'
    (tmp_path / "a.json").write_text(f"[{written}]")
    (tmp_path / "b.jsonl").write_text(written)
    for document in documents([tmp_path]):
        assert "price: 88.00; rate: 1e3; sold: 7" in document.text


BOLD = "<table><tr><td><b>File</b><td><b>PNG<br>size</b></tr><tr><td>a<td>35</tr>{}</table>"
HEAD = "<table><thead><tr><td>File<td>PNG size</thead><tbody><tr><td>a<td>35</tbody></table>"
ROWS = "<table><thead><tr><th>File<th>PNG size</thead><tr><td>a<td>35</tr><tr><td>b<td>4</table>"


@pytest.mark.parametrize(
    "html", [BOLD.format(""), BOLD.format("<tr><td><b>b</b><td>4"), HEAD, ROWS]
)
def test_a_first_row_in_bold_or_in_the_head_names_the_columns(html):
    assert page(html).text.split("\n")[0] == "File: a; PNG size: 35"


def test_a_table_that_is_bold_throughout_names_none():
    bold = "<table><tr><td><b>a</b><td><b>b</b></tr><tr><td><b>c</b><td><b>d</b></tr></table>"
    assert page(bold).text == "a, b\nc, d"


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        (
            ["--quiet", "Prints nothing.", "--log", "Keeps a log."],
            "--quiet: Prints nothing.\n--log: Keeps a log.",
        ),
        (
            ["Monday", "7.30 - 16.30", "Saturday", "9 - 12"],
            "Monday: 7.30 - 16.30\nSaturday: 9 - 12",
        ),
        (["Code", "Meaning", "DENY", "access denied"], "Code: DENY; Meaning: access denied"),
        (["Graz", "Linz", "Wien", "Steyr"], "Graz, Linz\nWien, Steyr"),
        (
            ["Menu", "Tides. " * 100, "Home", "Back"],
            f"Menu, {'Tides. ' * 100}".strip() + "\nHome, Back",
        ),
    ],
)
def test_names_beside_what_they_are_may_be_told_by_that(cells, text):
    rows = "".join(f"<tr><td>{a}<td>{b}" for a, b in zip(cells[::2], cells[1::2], strict=True))
    assert page(f"<table>{rows}</table>").text == text


@pytest.mark.parametrize(
    ("head", "line", "said", "name"),
    [
        ("No;Surname;First name;Base", "104;Kowalski;Dana;Linz",
         "Name: Dana Kowalski; No: 104; Base: Linz", "Dana Kowalski"),
        ("No;Name;Town", "58;Low, Bernard;Alderby", "No: 58; Name: Bernard Low; Town: Alderby",
         "Bernard Low"),
        ("City;Name", "Graz;Austria, upper", "City: Graz; Name: Austria, upper", "Austria, upper"),
    ],
)  # fmt: skip
def test_names_of_persons_are_whole(tmp_path, head, line, said, name):
    (tmp_path / "staff.csv").write_text(f"{head}\n{line}\n")
    [document] = documents([tmp_path / "staff.csv"])
    assert document.text == said
    assert {fact.head for fact in document.facts} == {name}


def test_a_table_may_lack_the_name_of_its_first_column(tmp_path):
    lines = [("", "Name", "Role"), ("For us", "Ann Lee", "Head"), ("For them", "Bo Ek", "Clerk")]
    made = Word()
    table = made.add_table(0, 3)
    for line in lines:
        for cell, text in zip(table.add_row().cells, line, strict=True):
            cell.text = text
    made.save(str(tmp_path / "a.docx"))
    [document] = documents([tmp_path / "a.docx"])
    assert document.text.split("\n")[0] == "For us; Name: Ann Lee; Role: Head"


def test_what_stands_beside_an_array_of_records_is_a_record_too(tmp_path):
    held = {"system": "Pager", "hotline": "555 0163", "groups": [{"group": "south", "lead": "Bo"}]}
    (tmp_path / "pager.json").write_text(json.dumps(held))
    assert [document.text for document in documents([tmp_path / "pager.json"])] == [
        "system: Pager; hotline: 555 0163", "group: south; lead: Bo"
    ]  # fmt: skip


def test_a_column_of_names_names_the_rows_where_the_first_does_not():
    head, *lines = [("Grade", "Name", "Rate"), ("Partner", "Ann", "310"), ("Partner", "Tom", "320")]
    written = rows(cells(head, *lines)) or []
    assert [fact[0] for row in written for fact in row.facts] == ["Ann", "Ann", "Tom", "Tom"]
    alike = rows(cells(head, lines[0], ("Associate", "Tom", "320"))) or []
    assert [row.facts[0][0] for row in alike] == ["Partner", "Associate"]


PAIRS = [("Module Name:", "imgssapi"), ("Author:", "Varmo Feko")]


def test_a_first_cell_that_ends_in_a_colon_names_no_column(tmp_path):
    (tmp_path / "a.html").write_text(
        "<title>GSSAPI input</title><table><tr><td><b>Module Name:</b><td><b>imgssapi</b></tr>"
        "<tr><td><b>Author:</b><td>Varmo Feko</tr></table><p>It reads logs."
    )
    lines = "".join(f"| {name} | {value} |\n" for name, value in PAIRS).split("\n", 1)
    (tmp_path / "b.md").write_text(f"# GSSAPI input\n\n{lines[0]}\n|---|---|\n{lines[1]}\nSo.\n")
    for document in documents([tmp_path]):
        assert document.text.split("\n")[0] == "Module Name: imgssapi; Author: Varmo Feko"
        assert [(f.head, f.relation, f.tail) for f in document.facts] == [
            ("GSSAPI input", "Module Name", "imgssapi"),
            ("GSSAPI input", "Author", "Varmo Feko"),
        ]


def test_names_of_columns_may_end_in_colons():
    assert said(cells(["Name:", "Town:"], ["Ann", "Oslo"])) == ["Name: Ann; Town: Oslo"]


@pytest.mark.parametrize(
    ("head", "line", "about"),
    [
        ("type|default|mandatory", "integer|514|no", "SessionLimit"),
        ("Default|Data type", "none|string", "SessionLimit"),
        ("Power|Weight", "5 kW|12 kg", "SessionLimit"),
        ("type|price", "sedan|9000", "sedan"),
        ("type|name|default", "integer|port|514", "integer"),
    ],
)
def test_a_row_of_a_parameter_is_about_its_heading(tmp_path, head, line, about):
    head, line = (text.replace("|", "<td>") for text in (head, line))
    table = f"<table><thead><tr><td>{head}</thead><tr><td>{line}</table>"
    (tmp_path / "a.html").write_text(f"<h1>Input</h1><p>So.</p><h2>SessionLimit</h2>{table}")
    (tmp_path / "b.html").write_text(f"<title>SessionLimit</title>{table}<p>So.")
    for document in documents([tmp_path]):
        assert {fact.head for fact in document.facts} == {about}


def test_several_rows_are_about_their_first_cells():
    several = rows(cells(["type", "default"], ["integer", "0"], ["string", "none"])) or []
    assert [row.facts[0][0] for row in several] == ["integer", "string"]


def test_columns_of_the_same_name_keep_their_values(tmp_path):
    (tmp_path / "a.csv").write_text("Name,Name,Town,,\nAnn,Lee,Oslo,left,right\n")
    (tmp_path / "b.md").write_text("| Name | Name | Town |\n|-|-|-|\n| Ann | Lee | Oslo |\n")
    table, markdown = documents([tmp_path])
    assert table.text == "Name: Ann; Name (2): Lee; Town: Oslo; left; right"
    assert markdown.text == "Name: Ann; Name (2): Lee; Town: Oslo"
    for document in (table, markdown):
        assert [(f.head, f.relation, f.tail) for f in document.facts] == [
            ("Ann", "Name (2)", "Lee"),
            ("Ann", "Town", "Oslo"),
        ]


def test_an_envelope_that_begins_with_a_number_is_called_as_its_file(tmp_path):
    held = {"version": 1, "owner": "Fjord Library", "books": [{"name": "Salt", "by": "Ann"}]}
    (tmp_path / "stock.json").write_text(json.dumps(held))
    envelope, book = documents([tmp_path / "stock.json"])
    assert (envelope.title, envelope.text) == ("stock", "version: 1; owner: Fjord Library")
    assert ("stock", "owner", "Fjord Library") in [
        (f.head, f.relation, f.tail) for f in envelope.facts
    ]
    assert book.title == "Salt (stock)"
