"""OpenDocument texts, workbooks and presentations, as LibreOffice writes them."""

import pytest
from support.archives import opendocument, packed

from hoptrail.kg.errors import SourceError
from hoptrail.loaders.formats.opendocument import load


def read(path, *made, **more):
    path.write_bytes(opendocument(*made, **more))
    (document,) = load(path)
    return document


def cell(text, more=""):
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


def row(*cells, more=""):
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def test_a_text_has_sections_items_notes_and_properties(tmp_path):
    document = read(
        tmp_path / "plan.odt",
        "text",
        """<office:forms/><text:sequence-decls/>
        <text:p text:style-name="P1">Harbour<text:s text:c="2"/>plan</text:p>
        <text:h text:outline-level="1">1. Quays</text:h>
        <text:p>The quay is<text:line-break/>of <text:span>oak</text:span><text:note
         text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>
         <text:p>Since 1911.</text:p></text:note-body></text:note>, says Ann.</text:p>
        <text:list><text:list-item><text:p>North</text:p><text:list><text:list-item><text:p>Old</text:p>
        </text:list-item></text:list></text:list-item><text:list-item><text:p>South</text:p>
        </text:list-item></text:list>
        <text:h text:outline-level="2">Cranes</text:h>
        <text:p>Two <draw:frame><draw:text-box><text:p>A box.</text:p></draw:text-box></draw:frame
        >cranes.</text:p>""",
        styles='<style:style style:name="P1" style:parent-style-name="Title"/>',
        meta="<meta:initial-creator>Ann Lee</meta:initial-creator><dc:creator>Tom</dc:creator>"
        "<meta:keyword>quay</meta:keyword><meta:keyword>crane</meta:keyword>"
        "<meta:creation-date>2026-03-01T09:00:00</meta:creation-date>",
    )
    assert document.title == "Harbour plan"
    assert document.text == (
        "Author: Ann Lee\n\n"
        "1. Quays\n\nThe quay is\nof oak, says Ann.\n\nNorth\nOld\nSouth\n\nCranes\n\n"
        "Two cranes.\n\nA box.\n\nSince 1911."
    )
    assert [section.heading for section in document.sections] == ["1. Quays", "Cranes"]
    assert document.metadata == {
        "author": "Ann Lee", "date": "2026-03-01T09:00:00", "keywords": "quay, crane"
    }  # fmt: skip


def test_what_is_deleted_commented_hidden_or_an_index_is_no_text(tmp_path):
    document = read(
        tmp_path / "a.odt",
        "text",
        """<text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes>
        <text:table-of-content><text:p>Index 4</text:p></text:table-of-content>
        <text:p>Seen<office:annotation><text:p>Comment</text:p></office:annotation>
        <text:span text:style-name="T9">Hidden</text:span>.</text:p>
        <text:p text:style-name="P9">Hidden too</text:p>""",
        styles='<style:style style:name="T9"><style:text-properties text:display="none"/>'
        '</style:style><style:style style:name="P9" style:parent-style-name="T9"/>',
    )
    assert document.text == "Seen ."


def test_rows_of_a_text_state_what_they_say(tmp_path):
    named = row(cell("Ship"), cell("Port"))
    merged = row(cell("Elbe"), cell("Ulm", 'table:number-rows-spanned="2"'))
    document = read(
        tmp_path / "ships.odt",
        "text",
        f"<table:table><table:table-header-rows>{named}</table:table-header-rows>{merged}"
        f"{row(cell('Oder'), '<table:covered-table-cell/>')}</table:table>",
    )
    assert document.text == "Ship: Elbe; Port: Ulm\nShip: Oder; Port: Ulm"
    assert [(fact.head, fact.relation, fact.tail) for fact in document.facts] == [
        ("Elbe", "Port", "Ulm"),
        ("Oder", "Port", "Ulm"),
    ]


def test_a_table_within_a_table_sets_text_out(tmp_path):
    rows = (row(cell("a"), cell("b")), row(cell("c"), cell("d")), row(cell("x"), cell("y")))
    inner = f"<table:table>{''.join(rows)}</table:table>"
    outer = f"<table:table-cell>{inner}</table:table-cell>"
    document = read(
        tmp_path / "a.odt", "text", f"<table:table>{row(outer, cell('e'))}</table:table>"
    )
    assert document.text == "a: c; b: d\na: x; b: y\n\ne"


def test_a_workbook_shows_what_its_cells_mean(tmp_path):
    kinds = (
        ("When", 'office:value-type="date" office:date-value="2026-05-01"'),
        ("Time", 'office:value-type="time" office:time-value="PT27H05M00S"'),
        ("Share", 'office:value-type="percentage" office:value="0.15"'),
        ("Price", 'office:value-type="currency" office:currency="EUR" office:value="12.5"'),
        ("Open", 'office:value-type="boolean" office:boolean-value="true"'),
        ("Shut", 'office:value-type="float" office:value="0" table:formula="of:=FALSE()"'),
        ("Count", 'office:value-type="float" office:value="3"'),
        ("Wrong", 'office:value-type="string" calcext:value-type="error"'),
    )
    empty = '<table:table-cell table:number-columns-repeated="16370"/>'
    shown = row(cell("Name"), *(cell(name) for name, _ in kinds), empty)
    values = row(cell("Quay"), *(cell("as shown", said) for _, said in kinds), empty)
    hidden = row(cell("Secret"), cell("x"), more='table:visibility="collapse"')
    end = row(empty, more='table:number-rows-repeated="1048570"')
    sheet = f'<table:table table:name="Fees">{shown}{values}{hidden}{end}</table:table>'
    unseen = f'<table:table table:name="Old" table:style-name="ta2">{shown}</table:table>'
    document = read(
        tmp_path / "fees 2026.ods",
        "spreadsheet",
        sheet + unseen,
        styles='<style:style style:name="ta2"><style:table-properties table:display="false"/>'
        "</style:style>",
    )
    assert document.title == "fees 2026"
    assert document.text == (
        "Fees\n\nName: Quay; When: 2026-05-01; Time: 27:05; Share: 15 %; Price: 12.5 EUR; "
        "Open: yes; Shut: no; Count: 3"
    )


def test_cells_that_reach_down_count_for_every_row_and_empty_rows_part_tables(tmp_path):
    sheet = "".join(
        [
            row(cell("Team"), cell("Who")),
            row(cell("Dock", 'table:number-rows-spanned="2"'), cell("Ann")),
            row("<table:covered-table-cell/>", cell("Tom")),
            row("<table:table-cell/>", more='table:number-rows-repeated="3"'),
            row(cell("Fees")),
            row(cell("Item"), cell("Price")),
            row(cell("Berth"), cell("9")),
        ]
    )
    document = read(
        tmp_path / "a.ods", "spreadsheet", f'<table:table table:name="S">{sheet}</table:table>'
    )
    assert document.text.split("\n\n") == [
        "S", "Team: Dock; Who: Ann\nTeam: Dock; Who: Tom", "Fees", "Item: Berth; Price: 9"
    ]  # fmt: skip


def test_slides_are_pages_of_their_own_with_their_notes(tmp_path):
    def page(title, text, more=""):
        def frame(text, more=""):
            box = f"<draw:text-box><text:p>{text}</text:p></draw:text-box>"
            return f"<draw:frame {more}>{box}</draw:frame>"

        shown = frame(title, 'presentation:class="title"') + frame(text)
        footer = frame("Harbour Ltd", 'presentation:class="footer"')
        notes = frame(f"Say {text}", 'presentation:class="notes"')
        notes = f"<presentation:notes>{notes}</presentation:notes>"
        return f"<draw:page {more}>{shown}{footer}{notes}</draw:page>"

    document = read(
        tmp_path / "talk.odp",
        "presentation",
        page("Quays", "Oak.") + page("Old", "x", 'draw:style-name="dp2"') + page("Cranes", "Two."),
        styles='<style:style style:name="dp2"><style:drawing-page-properties '
        'presentation:visibility="hidden"/></style:style>',
    )
    assert document.title == "Quays"
    assert document.text == "Quays\n\nOak.\n\nSay Oak.\n\nCranes\n\nTwo.\n\nSay Two."
    assert [(s.heading, s.page, s.apart) for s in document.sections] == [
        ("Quays", 1, True), ("Cranes", 3, True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (packed({"mimetype": "application/zip"}), "it holds no 'content.xml'"),
        (opendocument("drawing", ""), "not a text, workbook or presentation"),
        (
            opendocument(
                "text", "", **{"META-INF_manifest.xml": "<m><f><encryption-data/></f></m>"}
            ),
            "protected by a password",
        ),
    ],
)
def test_what_is_no_such_file_says_so(tmp_path, made, reason):
    (tmp_path / "a.odt").write_bytes(made)
    with pytest.raises(SourceError, match=reason):
        list(load(tmp_path / "a.odt"))


def test_items_over_fields_are_rows(tmp_path):
    def listed(*items):
        return "".join(
            f"<text:list-item><text:p>{text}</text:p>{inner}</text:list-item>"
            for text, inner in items
        )

    fields = listed(("Location: room 12", ""), ("Booked by: Ann Lee", ""))
    under = f"<text:list>{fields}</text:list>"
    body = (
        f"<text:p>Ours:</text:p><text:list>{listed(('Zeiss Axio', under))}</text:list>"
        f"<text:h>Lathe</text:h><text:list>{fields}</text:list><text:p>Ask.</text:p>"
    )
    document = read(tmp_path / "a.odt", "text", body)
    row = "Zeiss Axio; Location: room 12; Booked by: Ann Lee"
    said = "Location: room 12\nBooked by: Ann Lee"
    assert document.text == f"Ours:\n\n{row}\n\nLathe\n\n{said}\n\nAsk."
    assert [fact.head for fact in document.facts] == ["Zeiss Axio"] * 2 + ["Lathe"] * 2
