"""Made-up PDF files and wiki dumps, as bytes."""

import bz2
from xml.sax.saxutils import escape


def pdf(*pages, outline=(), info=(), letters=()):
    """A PDF of one column.

    Args:
        pages: of lines each, or what draws a page.
        outline: (page number, heading).
        info: (name, text) such as ("Title", "A title").
        letters: the first and last that a font of glyphs tells, for pages of `glyphs`.
    """
    objects = ["<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>", "", "", ""]
    objects[2] = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    kids = []
    for lines in pages:
        stream = lines if isinstance(lines, str) else printed(lines, 720)
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R "
            f">> >> /Contents {len(objects) + 2} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    first = len(objects) + 1
    for number, (page, heading) in enumerate(outline):
        following = f"/Next {first + number + 1} 0 R" if number + 1 < len(outline) else ""
        objects.append(
            f"<< /Title ({_escaped(heading)}) /Parent 4 0 R /Dest [{kids[page - 1]} /Fit] "
            f"{following} >>"
        )
    if outline:
        objects[3] = f"<< /Type /Outlines /First {first} 0 R /Last {len(objects)} 0 R >>"
    else:
        objects[3] = "<< /Type /Outlines >>"
    if letters:
        objects[2] = _font_of_glyphs(objects, *letters)
    objects.append(f"<< {' '.join(f'/{name} ({_escaped(text)})' for name, text in info)} >>")
    return _file(objects)


def printed(lines, top):
    """Draws lines below each other."""
    shown = " T* ".join(f"({_escaped(line)}) Tj" for line in lines)
    return f"BT /F1 12 Tf 14 TL 72 {top} Td {shown} ET\n"


def placed(*lines):
    """Draws words at places: (points from the left, from the foot, size, words)."""
    shown = (
        f"/F1 {size} Tf 1 0 0 1 {x} {y} Tm ({_escaped(words)}) Tj" for x, y, size, words in lines
    )
    return f"BT {' '.join(shown)} ET\n"


def glyphs(words, gap):
    """Draws words by the numbers of their glyphs, without blanks, as XeTeX does."""
    shown = f" {gap} ".join(f"<{word.encode('utf-16-be').hex()}>" for word in words)
    return f"BT /F1 12 Tf 72 720 Td [{shown}] TJ ET\n"


def _font_of_glyphs(objects, first, last):
    """A font whose glyph 32 is as wide as a letter; adds its parts."""
    told = f"1 beginbfrange\n<{ord(first):04x}> <{ord(last):04x}> <{ord(first):04x}>\nendbfrange"
    objects += [
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Sea /DW 636 /W [32 [838] 33 126 600] "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        f"<< /Length {len(told)} >>\nstream\n{told}\nendstream",
    ]
    return (
        "<< /Type /Font /Subtype /Type0 /BaseFont /Sea /Encoding /Identity-H "
        f"/DescendantFonts [{len(objects) - 1} 0 R] /ToUnicode {len(objects)} 0 R >>"
    )


def ruled(rows, top, width=150, height=20):
    """Draws a table with lines around its cells."""
    drawn = ""
    for number, cells in enumerate(rows):
        low = top - height * (number + 1)
        for place, cell in enumerate(cells):
            left = 72 + place * width
            drawn += f"{left} {low} {width} {height} re S\n"
            drawn += f"BT /F1 12 Tf {left + 4} {low + 6} Td ({_escaped(cell)}) Tj ET\n"
    return drawn


def _escaped(text):
    return "".join(f"\\{c}" if c in "()\\" else c for c in text)


def _file(objects):
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"<< /Size {size} /Root 1 0 R /Info {len(objects)} 0 R >>"
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n{trailer}\nstartxref\n{len(data)}"
    return data + end.encode() + b"\n%%EOF\n"


def dump(*pages, **more):
    """A wiki's dump as XML.

    Args:
        pages: (title, wikitext).
        more: what `article` takes.
    """
    return dump_of(*(article(n, *page, **more) for n, page in enumerate(pages, 1)))


def dump_of(*articles):
    return (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">\n'
        "<siteinfo><sitename>Vikipedio</sitename><dbname>tinywiki</dbname><case>first-letter</case>"
        '<namespaces><namespace key="0" /><namespace key="6">Dosiero</namespace>'
        '<namespace key="14">Kategorio</namespace></namespaces></siteinfo>\n'
        + "".join(articles)
        + "</mediawiki>\n"
    ).encode()


def article(number, title, wikitext, *, ns=0, redirect="", date="2024-05-01T12:00:00Z"):
    return (
        f"<page><title>{escape(title)}</title><ns>{ns}</ns><id>{number}</id>{redirect}<revision>"
        f"<id>9{number}</id><timestamp>{date}</timestamp><model>wikitext</model>"
        f"<text>{escape(wikitext)}</text></revision></page>\n"
    )


def multistream(xml, size=200):
    """Packed as Wikipedia's multistream dumps are: one bzip2 file after the other."""
    return b"".join(bz2.compress(xml[at : at + size]) for at in range(0, len(xml), size))
