"""Word files: what is said in them, and what is wrong with them."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.archives import members, packed, word, worded

from hoptrail.kg.errors import SourceError
from hoptrail.kg.types import Document, Failure
from hoptrail.loaders import documents
from hoptrail.loaders.formats import archive
from hoptrail.loaders.formats.docx import load

OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


def loaded(tmp_path, data):
    path = tmp_path / "a_file.docx"
    path.write_bytes(data)
    (document,) = load(path)
    return document


def fill(document):
    about = document.core_properties
    about.title, about.author, about.subject = "Of Grieg", "A. Writer", "Music"
    document.add_heading("Edvard Grieg", 0)
    document.add_paragraph("Grieg was ").add_run("born").bold = True
    document.paragraphs[-1].add_run(" in Bergen.")
    document.add_heading("Works", 1)
    document.add_paragraph("Two of them:")
    document.add_paragraph("Peer Gynt", style="List Bullet")
    document.add_paragraph("Holberg", style="List Number")
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ["Year", "Work", "1867", "Lyric\nPieces"], strict=True):
        cell.text = text
    document.add_heading("Songs", 2)
    document.add_paragraph("He wrote\tsongs.")


TEXT = """Grieg was born in Bergen.

Works

Two of them:

Peer Gynt
Holberg

Year: 1867; Work: Lyric Pieces

Songs

He wrote songs."""


def test_a_file(tmp_path):
    document = loaded(tmp_path, word(fill))
    assert (document.title, document.text) == ("Edvard Grieg", TEXT)
    places = [(section.heading, section.start) for section in document.sections]
    assert places == [("Works", TEXT.index("Works")), ("Songs", TEXT.index("Songs"))]
    kept = {key: document.metadata[key] for key in ("author", "subject")}
    assert kept == {"author": "A. Writer", "subject": "Music"}
    assert document.metadata["date"].startswith("2013-12-23T")  # of python-docx's template


P = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>".format


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (P("a") + "<w:sdt><w:sdtPr/><w:sdtContent>" + P("b") + "</w:sdtContent></w:sdt>", "a\n\nb"),
        (
            "<w:p><w:r><w:t xml:space='preserve'>a </w:t></w:r>"
            "<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
            "<w:hyperlink><w:r><w:t xml:space='preserve'> link</w:t></w:r></w:hyperlink></w:p>",
            "a new link",
        ),
        (
            "<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:noBreakHyphen/>"
            "<w:t>d</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>",
            "a\nb c-d",
        ),
        (
            "<w:p><w:r><w:t>before</w:t></w:r><w:r><w:pict><w:txbxContent>"
            + P("boxed")
            + "</w:txbxContent></w:pict></w:r><w:r><w:t> after</w:t></w:r></w:p>",
            "before after\n\nboxed",
        ),
        (
            "<w:tbl><w:tr><w:tc>" + P("a") + "</w:tc><w:tc><w:tbl><w:tr><w:tc>" + P("b")
            + "</w:tc></w:tr></w:tbl></w:tc></w:tr><w:tr><w:tc>" + P("c") + "</w:tc></w:tr></w:tbl>"
            + P("d"),
            "a\nb\nc\n\nd",
        ),
        ("<w:p><w:pPr><w:pStyle w:val='TOC1'/></w:pPr>" + P("x")[5:] + P("a"), "a"),
    ],
)  # fmt: skip
def test_nothing_said_is_lost(tmp_path, body, text):
    data = worded(body)
    parts = members(data)
    styles = b"<w:style w:type='paragraph' w:styleId='TOC1'><w:name w:val='toc 1'/></w:style>"
    parts["word/styles.xml"] = parts["word/styles.xml"].replace(
        b"</w:styles>", styles + b"</w:styles>"
    )
    assert loaded(tmp_path, packed(parts)).text == text


@pytest.mark.parametrize(
    ("properties", "style", "headings"),
    [
        ("<w:pStyle w:val='Mine'/>", "<w:basedOn w:val='Heading2'/>", ["x"]),
        ("<w:pStyle w:val='Mine'/>", "<w:pPr><w:outlineLvl w:val='3'/></w:pPr>", ["x"]),
        ("<w:outlineLvl w:val='0'/>", "", ["x"]),
        ("<w:pStyle w:val='Heading1'/><w:numPr/>", "", ["x"]),
        ("<w:pStyle w:val='Heading1'/><w:outlineLvl w:val='9'/>", "", []),
        ("<w:pStyle w:val='Mine'/>", "<w:basedOn w:val='Mine'/>", []),
        ("<w:pStyle w:val='Unknown'/>", "", []),
    ],
)
def test_what_is_a_heading(tmp_path, properties, style, headings):
    parts = members(worded(f"{P('a')}<w:p><w:pPr>{properties}</w:pPr>{P('x')[5:]}{P('b')}"))
    mine = f"<w:style w:type='paragraph' w:styleId='Mine'><w:name w:val='Mine'/>{style}</w:style>"
    parts["word/styles.xml"] = parts["word/styles.xml"].replace(
        b"</w:styles>", f"{mine}</w:styles>".encode()
    )
    assert [s.heading for s in loaded(tmp_path, packed(parts)).sections] == headings


def test_notes_follow_the_text(tmp_path):
    parts = members(worded("<w:p><w:r><w:t>Text.</w:t><w:footnoteReference w:id='1'/></w:r></w:p>"))
    name = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    parts["word/footnotes.xml"] = (
        b"<w:footnotes xmlns:w='" + name + b"'><w:footnote w:type='separator'><w:p/></w:footnote>"
        b"<w:footnote w:id='1'><w:p><w:r><w:footnoteRef/><w:t>The note.</w:t></w:r></w:p>"
        b"</w:footnote></w:footnotes>"
    )
    relations = "word/_rels/document.xml.rels"
    parts[relations] = parts[relations].replace(
        b"</Relationships>",
        b"<Relationship Id='f' Type='x/footnotes' Target='footnotes.xml'/></Relationships>",
    )
    assert loaded(tmp_path, packed(parts)).text == "Text.\n\nThe note."


def test_a_strict_file_reads_the_same(tmp_path):
    parts = members(word(fill))
    for old, new in [
        (
            b"http://schemas.openxmlformats.org/officeDocument/2006/",
            b"http://purl.oclc.org/ooxml/officeDocument/",
        ),
        (
            b"http://schemas.openxmlformats.org/wordprocessingml/2006/",
            b"http://purl.oclc.org/ooxml/wordprocessingml/",
        ),
    ]:
        parts = {name: data.replace(old, new) for name, data in parts.items()}
    assert loaded(tmp_path, packed(parts)).text == TEXT


@pytest.mark.parametrize(
    ("fill", "title", "text"),
    [
        (lambda d: d.add_paragraph("Text"), "a file", "Text"),
        (lambda d: (d.add_heading("Grieg", 1), d.add_paragraph("Text")), "Grieg", "Text"),
        (
            lambda d: (d.add_paragraph("Text."), d.add_heading("Grieg", 1)),
            "a file",
            "Text.\n\nGrieg",
        ),
        (lambda d: d.add_heading("Grieg", 0), "Grieg", "Grieg"),
        (
            lambda d: (setattr(d.core_properties, "title", "Of"), d.add_heading("Grieg", 1)),
            "Of",
            "Grieg",
        ),
    ],
)
def test_title(tmp_path, fill, title, text):
    document = loaded(tmp_path, word(fill))
    assert (document.title, document.text) == (title, text)


def test_a_file_without_text_is_no_document(tmp_path):
    path = tmp_path / "a.docx"
    path.write_bytes(word(lambda document: None))
    assert list(load(path)) == []


def declaring(entities, use):
    parts = members(word(lambda document: document.add_paragraph("USED")))
    document = parts["word/document.xml"].decode().replace("USED", use)
    head, rest = document.split("?>", 1)
    return packed(parts | {"word/document.xml": f"{head}?><!DOCTYPE w [{entities}]>{rest}"})


LAUGHS = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))


def changed(**parts):
    whole = members(word(fill))
    names = {"document": "word/document.xml", "relations": "_rels/.rels"}
    return packed(whole | {names[name]: content for name, content in parts.items()})


def relations(target, mode=""):
    return (
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
        f"<Relationship Id='a' Type='x/officeDocument' Target='{target}' {mode}/></Relationships>"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"just text", "not a .docx file: no zip archive"),
        (OLD, "an old Office file, or one with a password; save it without one as a .docx file"),
        (word(fill)[:-400], "not a .docx file: no zip archive, or a part of one"),
        (packed({"a.txt": "a"}), "not a Word file: it names no document part"),
        (changed(relations="<oh"), "'_rels/.rels' is not valid XML"),
        (changed(relations=relations("gone.xml")), "holds no 'gone.xml': it is incomplete"),
        (changed(relations=relations("word/styles.xml")), "not a Word file but a styles"),
        (changed(relations=relations("x.xml", "TargetMode='External'")), "names no document part"),
        (changed(relations=relations("../../etc/passwd")), "outside of it: refused"),
        (changed(relations=relations("file:///etc/passwd")), "outside of it: refused"),
        (changed(document="<a>" * 300), "'word/document.xml' is not valid XML"),
        (declaring(LAUGHS, "&a12;"), "'word/document.xml' declares entities"),
        (declaring("<!ENTITY f SYSTEM 'file:///etc/passwd'>", "&f;"), "declares entities"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, data, reason):
    with pytest.raises(SourceError) as caught:
        loaded(tmp_path, data)
    assert reason in caught.value.reason


def test_a_bomb_is_refused_whatever_the_archive_says_of_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_MEMBER_BYTES", 1 << 20)
    data = changed(document=b"<w>" + b" " * (3 << 20) + b"</w>")
    size = (3 << 20) + 7
    assert data.count(size.to_bytes(4, "little")) == 2  # in the member's head and the directory
    for said in (size, 1 << 24, 1000):
        with pytest.raises(SourceError) as caught:
            loaded(tmp_path, data.replace(size.to_bytes(4, "little"), said.to_bytes(4, "little")))
        expected = "damaged at" if said == 1000 else "unpacks to more than 1 MB"
        assert expected in caught.value.reason


def test_many_small_bombs_are_one_large_one(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 10_000)
    with pytest.raises(SourceError, match="unpacks to more than"):
        loaded(tmp_path, word(fill))


def test_too_many_members_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_MEMBERS", 5)
    with pytest.raises(SourceError, match="holds more than 5 members: refused"):
        loaded(tmp_path, word(fill))


def test_a_password_is_named(tmp_path):
    data = bytearray(word(fill))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(mark, at + 4)
    with pytest.raises(SourceError, match="protected by a password; save it without one"):
        loaded(tmp_path, bytes(data))


WHOLE = word(fill)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.integers(0, len(WHOLE)),
    st.lists(
        st.tuples(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=4)), max_size=3
    ),
    st.booleans(),
)
def test_a_damaged_file_is_read_or_refused(tmp_path, end, changes, whole):
    data = bytearray(WHOLE)
    for at, new in changes:
        data[at : at + len(new)] = new
    path = tmp_path / "a.docx"
    path.write_bytes(data if whole else data[:end])
    assert all(isinstance(item, Document | Failure) for item in documents([path]))


def listed(document):
    document.add_paragraph("Ours:")
    for depth, text in LISTED:
        style = "List Bullet 2" if depth else "List Bullet"
        document.add_paragraph(text, style=style)
    document.add_heading("Lathe", 1)
    document.add_paragraph("Location: hall", style="List Bullet")
    document.add_paragraph("Price: 5 EUR", style="List Bullet")


LISTED = [
    (0, "Zeiss Axio"),
    (1, "Location: room 12"),
    (1, "Booked by: Ann Lee"),
    (0, "Nikon"),
    (1, "Location: room 14"),
    (1, "Booked by: Tom Bek"),
]


def test_items_over_fields_are_rows(tmp_path):
    document = loaded(tmp_path, word(listed))
    rows = ["Zeiss Axio; Location: room 12; Booked by: Ann Lee", "Nikon; Location: room 14"]
    assert "\n".join(rows) in document.text
    assert document.text.endswith("Lathe\n\nLocation: hall\nPrice: 5 EUR")
    stated = {(fact.head, fact.relation, fact.tail) for fact in document.facts}
    assert stated >= {("Nikon", "Booked by", "Tom Bek"), ("Lathe", "Location", "hall")}
