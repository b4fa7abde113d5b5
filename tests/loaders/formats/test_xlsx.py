"""Excel workbooks: what becomes of sheets, formulas, dates, merged cells, and of hostile files."""

import io
from datetime import date, datetime, time

import openpyxl
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from support.archives import members, packed, sheets

from hoptrail.kg.errors import SourceError
from hoptrail.loaders.formats.xlsx import load


def loaded(tmp_path, data):
    path = tmp_path / "offices 2026.xlsx"
    path.write_bytes(data)
    return list(load(path))


def saved(workbook):
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def test_sheets_are_sections_and_rows_are_lines(tmp_path):
    data = sheets(
        Offices=[
            ("As of May",),
            (),
            ("City", "Staff", "Open"),
            ("Graz", 12, True),
            ("Linz", None, False),
        ],
        Notes=[("Only one column",), ("of text",)],
    )
    [document] = loaded(tmp_path, data)
    assert document.title == "offices 2026"
    assert document.text == (
        "Offices\n\nAs of May\n\nCity: Graz; Staff: 12; Open: yes\nCity: Linz; Open: no\n\n"
        "Notes\n\nOnly one column\n\nof text"
    )
    assert [(s.heading, s.apart) for s in document.sections] == [("Offices", True), ("Notes", True)]
    assert [(f.head, f.relation, f.tail) for f in document.facts] == [
        ("Graz", "Staff", "12"),
        ("Graz", "Open", "yes"),
        ("Linz", "Open", "no"),
    ]


def test_dates_and_numbers_are_written_as_people_do(tmp_path):
    values = (date(1999, 3, 1), datetime(2003, 5, 1, 12, 30), time(8, 15), 0.1 + 0.2, 1e20, 40.0)
    [document] = loaded(tmp_path, sheets(A=[("a", "b", "c", "d", "e", "f"), values]))
    assert document.text.endswith(
        "a: 1999-03-01; b: 2003-05-01 12:30; c: 08:15; d: 0.3; e: 1e+20; f: 40"
    )


def test_a_sheet_may_hold_several_tables(tmp_path):
    staff = [("Name", "Role", "Hours"), ("Ann", "Director", 40), (), ("Bo", "Clerk", 20), ()]
    vans = [("Plate", "Type", "Km"), ("AB 123", "Van", 120500)]
    for title in ([("Vehicles",)], []):
        [document] = loaded(tmp_path, sheets(A=[*staff, *title, *vans]))
        assert [line for line in document.text.splitlines() if ":" in line] == [
            "Name: Ann; Role: Director; Hours: 40",
            "Name: Bo; Role: Clerk; Hours: 20",
            "Plate: AB 123; Type: Van; Km: 120500",
        ]


PRICES = [("Code", "Work", "Price"), ("T01", "Crown reduction", 320), ("T02", "Felling", 250)]


def test_names_over_figures_behind_an_empty_row_begin_another_table(tmp_path):
    book = openpyxl.Workbook()
    for line in (
        ("Vehicle", "Driver", "Plate"), ("Truck", "Ola Vik", "AB 123"), (),
        ("Van", "Una By", "CD 456"), (),
        ("Trailer", "Owner", "Load"), ("Flatbed", "Nils Hjort", "3 t"), ("Boxer", "Siv Aas", "2 t"),
    ):  # fmt: skip
        book.active.append(line)
    [document] = loaded(tmp_path, saved(book))
    said = document.text
    assert "Vehicle: Van; Driver: Una By; Plate: CD 456\n\n" in said
    assert "Trailer: Flatbed; Owner: Nils Hjort; Load: 3 t" in said


@pytest.mark.parametrize(
    ("below", "end"),
    [
        ([("Deposit 20 % on all jobs.",)], "\n\nDeposit 20 % on all jobs."),
        ([(), ("By Gus",), ("In 2025",)], "\n\nBy Gus\n\nIn 2025"),
        (
            [(None, "All work is done by two people and more.")],
            "\n\nAll work is done by two people and more.",
        ),
        ([("T03",)], "\nCode: T03"),
        ([(), ("T03", "Hedges", None)], "\nCode: T03; Work: Hedges"),
    ],
)
def test_a_note_below_a_table_is_a_paragraph(tmp_path, below, end):
    [document] = loaded(tmp_path, sheets(A=[*PRICES, *below]))
    assert document.text.endswith(f"Code: T02; Work: Felling; Price: 250{end}")
    assert {fact.head for fact in document.facts} <= {"T01", "T02", "T03"}


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (27.25 / 24, "[h]:mm", "27:15"),
        (0.5 / 24, "[mm]:ss", "30:00"),
        (90 / 86400, "[ss]", "90"),
        (0.15, "0%", "15 %"),
        (0.155, "0.0 %", "15.5 %"),
        (1490.5, '#,##0.00 "€"', "1490.5 €"),
        (12, "[$€-407]#,##0.00", "12 €"),
        (12, "$#,##0", "12 $"),
        (36526, "yyyy-mm-dd", "2000-01-01"),
        (7, '0 "days"', "7"),
        (2958465.9999999, "yyyy-mm-dd", "9999-12-31 23:59"),
        (2958466, "yyyy-mm-dd", "2958466"),
        (1e307, "0%", "1e+307"),
        (1e307, "[h]:mm", "1e+307"),
        (1.5, "General", "1.5"),
    ],
)
def test_numbers_are_what_their_formats_make_of_them(tmp_path, value, code, text):
    workbook = openpyxl.Workbook()
    workbook.active.append(("House", "Value"))
    workbook.active.append(("Graz", value))
    workbook.active["B2"].number_format = code
    [document] = loaded(tmp_path, saved(workbook))
    assert document.text.endswith(f"House: Graz; Value: {text}")


def test_dates_of_a_workbook_that_counts_from_1904_are_the_same(tmp_path):
    workbook = openpyxl.Workbook()
    workbook.epoch = CALENDAR_MAC_1904
    for line in [("House", "Opened"), ("Graz", date(1999, 3, 1))]:
        workbook.active.append(line)
    [document] = loaded(tmp_path, saved(workbook))
    assert document.text.endswith("House: Graz; Opened: 1999-03-01")


def test_what_is_hidden_stays_out_and_merged_cells_count_for_all_rows(tmp_path):
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for line in [("City", "Country"), ("Wien", "Austria"), ("Graz", None), ("Secret", "Row")]:
        sheet.append(line)
    sheet.merge_cells("B2:B3")
    sheet.row_dimensions[4].hidden = True
    for state in ("hidden", "veryHidden"):
        other = workbook.create_sheet(state)
        other.append(("a", "b"))
        other.sheet_state = state
    [document] = loaded(tmp_path, saved(workbook))
    assert document.text == "Sheet\n\nCity: Wien; Country: Austria\nCity: Graz; Country: Austria"


def test_formulas_count_as_the_values_saved_with_them(tmp_path):
    parts = members(sheets(A=[("a", "b"), ("x", "=1+1"), ("y", "=1/0")]))
    name = "xl/worksheets/sheet1.xml"
    body = parts[name].replace(b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>")
    body = body.replace(b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>")
    [document] = loaded(tmp_path, packed(parts | {name: body}))
    assert document.text == "A\n\na: x; b: 2\na: y"


def test_a_hundred_thousand_rows_are_read(tmp_path):
    workbook = openpyxl.Workbook(write_only=True)
    sheet = workbook.create_sheet("Rows")
    sheet.append(("Nr", "Name"))
    for number in range(100_000):
        sheet.append((number, f"Name {number}"))
    [document] = loaded(tmp_path, saved(workbook))
    assert document.text.endswith("\nNr: 99999; Name: Name 99999")
    assert len(document.facts) == 100_000


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"xl/worksheets/sheet1.xml": b"<worksheet"}, "not valid XML"),
        (
            {"xl/worksheets/sheet1.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'},
            "declares entities",
        ),
        ({"xl/worksheets/sheet1.xml": b"<a>" + b" " * (65 << 20) + b"</a>"}, "unpacks to more"),
        ({"_rels/.rels": b"<Relationships/>"}, "not an Excel workbook"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, change, reason):
    with pytest.raises(SourceError, match=reason):
        loaded(tmp_path, packed(members(sheets(A=[("a", "b"), (1, 2)])) | change))
