"""Books: chapters in order, and what is wrong with them."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.archives import book, members, packed, xhtml

from hoptrail.kg.errors import SourceError
from hoptrail.kg.types import Document, Failure
from hoptrail.loaders import documents
from hoptrail.loaders.formats import archive
from hoptrail.loaders.formats.epub import load

OPF = "book/book.opf"
ABOUT = """<dc:title>A Life of Grieg</dc:title><dc:creator>A. Writer</dc:creator>
<dc:creator>B. Other</dc:creator><dc:date>1907-09-04</dc:date><dc:language>en</dc:language>
<dc:publisher>Peters</dc:publisher><meta name="cover" content="x"/>"""
CHAPTERS = {
    "text/2.xhtml": "<h1>Bergen</h1>"
    "<p>He was born<a epub:type='noteref' href='n.xhtml#1'>1</a> there.</p>"
    "<h2>School</h2><p>He went&nbsp;late.</p>",
    "text/1 a.xhtml": "<a id='top'/><p>Without a heading.</p><script src='x.js'/><p>Read on.</p>",
    "text/3.xhtml": "<p>Goes on.</p>",
}
CONTENTS = """<nav epub:type="toc"><ol><li><a href="text/2.xhtml">One: Bergen</a></li>
<li><a href="text/1%20a.xhtml#top">Two: <i>Leipzig</i></a></li></ol></nav>"""
TEXT = """Bergen

He was born there.

School

He went late.

Without a heading.

Read on.

Goes on."""


def loaded(tmp_path, data):
    path = tmp_path / "a_book.epub"
    path.write_bytes(data)
    (document,) = load(path)
    return document


def test_a_book(tmp_path):
    document = loaded(tmp_path, book(CHAPTERS, ABOUT, CONTENTS))
    assert (document.title, document.text) == ("A Life of Grieg", TEXT)
    assert document.metadata == {
        "author": "A. Writer, B. Other",
        "date": "1907-09-04",
        "language": "en",
        "publisher": "Peters",
    }
    assert [(s.heading, s.start) for s in document.sections] == [
        ("Bergen", 0),
        ("School", TEXT.index("School")),
        ("Two: Leipzig", TEXT.index("Without")),
    ]


def test_the_contents_of_older_books(tmp_path):
    parts = members(book({"a.xhtml": "<p>Text.</p>"}))
    ncx = b'<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
    parts[OPF] = parts[OPF].replace(b"</manifest>", ncx)
    parts["book/toc.ncx"] = (
        b'<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://127.0.0.1:9/ncx.dtd"><ncx>'
        b"<navMap><navPoint><navLabel><text>Part I</text></navLabel><content src='a.xhtml'/>"
        b"<navPoint><navLabel><text>Inner</text></navLabel><content src='a.xhtml#i'/></navPoint>"
        b"</navPoint></navMap></ncx>"
    )
    assert [s.heading for s in loaded(tmp_path, packed(parts)).sections] == ["Part I"]


def test_a_broken_table_of_contents_loses_no_chapter(tmp_path):
    for broken in ("<nav><a>", '<nav><a href="../../../x">x</a></nav>'):
        parts = members(book({"a.xhtml": "<p>Text.</p>"}, contents=broken))
        assert loaded(tmp_path, packed(parts)).text == "Text."


def test_a_book_without_title_is_called_as_its_file(tmp_path):
    assert loaded(tmp_path, book(CHAPTERS, "")).title == "a book"


def test_a_book_of_pictures_is_no_document(tmp_path):
    path = tmp_path / "a.epub"
    path.write_bytes(book({"a.xhtml": "<img src='a.png'/>"}))
    assert list(load(path)) == []


def protected(algorithm, name="book/a.xhtml"):
    encryption = f"""<encryption><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/>
        <CipherData><CipherReference URI="{name}"/></CipherData></EncryptedData></encryption>"""
    return book({"a.xhtml": "<p>Text.</p>"}, **{"META-INF_encryption.xml": encryption})


def test_protected_books_say_so_and_protected_fonts_do_not_matter(tmp_path):
    aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    with pytest.raises(SourceError, match=r"protected against copying \(DRM\)"):
        loaded(tmp_path, protected(aes))
    assert loaded(tmp_path, protected(aes, "book/font.otf")).text == "Text."
    assert loaded(tmp_path, protected("http://www.idpf.org/2008/embedding")).text == "Text."


def without(name):
    return packed({n: data for n, data in members(book(CHAPTERS)).items() if n != name})


def changed(name, old, new):
    parts = members(book(CHAPTERS))
    return packed(parts | {name: parts[name].replace(old, new)})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"text", "not an .epub file: no zip archive"),
        (book(CHAPTERS)[:-100], "not an .epub file: no zip archive, or a part of one"),
        (without("META-INF/container.xml"), "not a book: it holds no META-INF/container.xml"),
        (changed("META-INF/container.xml", b"rootfile ", b"x "), "names no package"),
        (without(OPF), "holds no 'book/book.opf': it is incomplete"),
        (without("book/text/3.xhtml"), "holds no 'book/text/3.xhtml': it is incomplete"),
        (changed(OPF, b'idref="c1"', b'idref="c9"'), "its reading order names what it does not"),
        (changed(OPF, b"<spine>", b"<spine"), "'book/book.opf' is not valid XML"),
        (changed(OPF, b"<package", b"<!DOCTYPE p [<!ENTITY a 'b'>]><package"), "declares entities"),
        (changed(OPF, b"text/3", b"../../3"), "refers to '../../3.xhtml', which is outside"),
        (changed(OPF, b"text/3", b"..%2f..%2f3"), "'..%2f..%2f3.xhtml', which is outside"),
        (changed(OPF, b"text/3", b"http://e.org/3"), "'http://e.org/3.xhtml', which is outside"),
        (changed(OPF, b"text/3", b"/etc/passwd"), "holds no 'etc/passwd.xhtml'"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(tmp_path, data, reason):
    with pytest.raises(SourceError) as caught:
        loaded(tmp_path, data)
    assert reason in caught.value.reason


def test_a_member_that_claims_a_place_outside_is_never_written_there(tmp_path):
    (tmp_path / "in").mkdir()
    data = book({"a.xhtml": "<p>Text.</p>"})
    evil = {f"{up}evil.xhtml": xhtml("<p>Evil.</p>") for up in ("../", "../../", "/evil/", "C:\\")}
    assert loaded(tmp_path / "in", packed(members(data) | evil)).text == "Text."
    assert [path.name for path in tmp_path.rglob("*")] == ["in", "a_book.epub"]


def test_chapters_that_grow_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 1 << 20)
    large = {f"{n}.xhtml": "<p>" + "0" * 300_000 for n in range(4)}
    with pytest.raises(SourceError, match="unpacks to more than"):
        loaded(tmp_path, book(large))


def test_a_chapter_read_twice_is_said_once(tmp_path):
    data = changed(OPF, b"</spine>", b'<itemref idref="c0"/>' * 1000 + b"</spine>")
    assert loaded(tmp_path, data).text == TEXT


WHOLE = book(CHAPTERS, ABOUT, CONTENTS)
PLACES = st.integers(0, len(WHOLE) - 1)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(PLACES, st.lists(st.tuples(PLACES, st.binary(min_size=1, max_size=4)), max_size=3))
def test_a_damaged_file_is_read_or_refused(tmp_path, end, changes):
    data = bytearray(WHOLE)
    for at, new in changes:
        data[at : at + len(new)] = new
    path = tmp_path / "a.epub"
    path.write_bytes(data if changes else data[:end])
    assert all(isinstance(item, Document | Failure) for item in documents([path]))
