"""Files, names and questions that nobody made on purpose: each is determined by its number."""

import bz2
import gzip
import json
from collections.abc import Callable
from random import Random

from hostile.corpus import HALVES, HOSTILE
from support.archives import book, members, opendocument, packed, sheets, slide, slides, word
from support.printed import dump, pdf

from hoptrail.loaders import LOADERS

TEXTS = [*HOSTILE.values(), *HALVES.values()]
RANGES = ((0x20, 0x7F), (0, 0x20), (0x80, 0x250), (0x300, 0x370), (0x590, 0x780), (0x2000, 0x2100))
RANGES += ((0x4E00, 0x4F00), (0xD800, 0xE000), (0xFE00, 0x10000), (0x1F300, 0x1F700))
WORDS = "Quenby Zorada witness bystander met who where was born the of in and it's".split()
RECORDS = [
    {"id": "1", "title": "Ulm", "text": "Ulm lies on the Danube.", "year": 1377, "free": True},
    {"_id": 2, "heading": "Basel", "content": ["Basel.", "On the Rhine."], "x": {"y": [None]}},
]
QUESTIONS = [
    {"question": "Where?", "paragraphs": [{"title": "A", "text": "B.", "is_supporting": True}]},
    {
        "_id": "q",
        "question": "Who?",
        "answer": "A",
        "supporting_facts": [["A", 0]],
        "context": [["A", ["One.", "Two."]], ["B", ["Three."]]],
    },
]
MARKUP = (
    "<html lang=en><head><title>T</title><meta name=author content=A></head><body><h1>H</h1>"
    "<p>One <b>two</b> <a href='x'>three</a></p><table><tr><td>1<td>2</table><ul><li>a<li>b</ul>"
)
WIKI = (
    "'''Ulm''' is [[City|a city]] on the [[Danube]].{{x|{{y}}}}\n== H ==\n{|\n|a\n|}\n<ref>r</ref>"
)


def _lines(rows: list[dict]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def _written(document) -> None:
    document.add_heading("A heading", 1)
    document.add_paragraph("Ulm lies on the Danube.")
    table = document.add_table(1, 2)
    table.cell(0, 0).text = "cell"


_DUMP = dump(("Ulm", WIKI), ("Basel", WIKI))
TYPED = b"""= Ulm
:a: x

[[b]]
== Tides

See <<b,c>>; `d`.

.E
----
code
----

Moons
-----

2.1 F
"""
MESSAGE = b"""From: =?utf-8?q?J=C3=B6rg?= <j@b.org>, "Lee, Ann" <ann@b.org>
To: all: c@d.org;
Subject: Re: =?iso-8859-1?Q?Gr=FC=DFe?=
Date: Mon, 2 Mar 2026 09:00:00 +0100
Message-ID: <1@b.org>
Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/plain; charset=utf-8; format=flowed
Content-Transfer-Encoding: quoted-printable

The key is here.=20
> Where?
--y
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: base64

PHA+VGhlIGtleTwvcD4=
--y--
--x
Content-Type: application/pdf; name="=?utf-8?q?a.pdf?="
Content-Disposition: attachment; filename*=utf-8''b%20c.pdf

%PDF
--x--
"""
VALID: dict[str, bytes] = {
    ".txt": "Ulm\n===\n\nUlm lies on the Danube.\n\nII. F\n\nIt is old. Žluť.".encode(),
    ".md": b"---\ntitle: T\nyear: 3\n---\n# H\n\nText [l](x).\n## I\n\n```\nc\n```\n|a|b|\n|-|-|",
    ".html": MARKUP.encode(),
    ".docx": word(_written),
    ".rst": b"T\n=\n\n:f: x\n\n:ref:`a <b>` *c*\n\n.. note:: n\n\n== ==\na  b\n== ==\n1  2\n== ==",
    ".xlsx": sheets(One=[("a", "b"), ("x", 2), (None, 3.5)], Two=[("Ulm",)]),
    ".pptx": slides(lambda made: slide(made, "Ulm", "On the Danube.")),
    ".odt": opendocument(
        "text",
        '<text:h text:outline-level="1">Ulm</text:h><text:list><text:list-item><text:p>On'
        "<text:s/>the<text:note><text:note-body><text:p>n</text:p></text:note-body></text:note> "
        "Danube."
        "</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell>"
        "<text:p>a</text:p></table:table-cell></table:table-row></table:table>",
    ),
    ".ods": opendocument(
        "spreadsheet",
        '<table:table table:name="S"><table:table-row table:number-rows-repeated="2">'
        '<table:table-cell office:value-type="float" office:value="3.5"'
        ' table:number-columns-repeated="2"/>'
        '<table:table-cell office:value-type="time" office:time-value="PT27H15M00S"/>'
        "</table:table-row></table:table>",
    ),
    ".odp": opendocument(
        "presentation",
        '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Ulm</text:p>'
        "</draw:text-box></draw:frame><draw:g><draw:custom-shape><text:p>On the Danube.</text:p>"
        "</draw:custom-shape></draw:g></draw:page>",
    ),
    ".epub": book({"a.xhtml": "<h1>One</h1><p>Text.</p>", "b.xhtml": "<p>More.</p>"}),
    ".eml": MESSAGE,
    ".mbox": b"From a@b.org Mon Mar 2 09:00:00 2026\n" + MESSAGE + b"\n\nFrom c\n" + MESSAGE,
    ".json": json.dumps(RECORDS).encode(),
    ".jsonl": _lines(RECORDS) + b"\n" + _lines(QUESTIONS),
    ".csv": b'id,title,text\n1,Ulm,"On the ""Danube"", a\nriver"\n2,Basel,On the Rhine\n',
    ".tsv": b"id\ttitle\ttext\n1\tUlm\tOn the Danube\n",
    ".pdf": pdf(["Ulm lies on the Danube."], ["More."], outline=[(1, "H")], info=[("Title", "T")]),
    ".xml": _DUMP,
    ".xml.bz2": bz2.compress(_DUMP),
    ".xml.gz": gzip.compress(_DUMP),
}
VALID |= {suffix: VALID[".md"] for suffix in (".markdown",)}
VALID |= {suffix: TYPED for suffix in (".adoc", ".asciidoc")}
VALID |= {suffix: VALID[".html"] for suffix in (".htm", ".xhtml")}
VALID |= {
    f".{n}": b'.TH A 1\n.SH N\n.TP\n.BR \\-a ", x"\n'
    b"\\fBb\\(bu\\*(lq\n.ie n \\{\\\nc\n.\\}\n.el d\n.Bl -tag\n"
    b".It Fl a Op Ar b\ne\n.El\n.TS\nl l.\nf\tT{\ng\nT}\n.TE\n.nf\nh\n.fi\n"
    for n in range(1, 9)
}
assert VALID.keys() == LOADERS.keys()
ARCHIVES = (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub")
PACKERS: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    ".xml.bz2": (bz2.compress, bz2.decompress),
    ".xml.gz": (gzip.compress, gzip.decompress),
}


def file(number: int) -> tuple[str, bytes]:
    """A suffix, and what stands in the file."""
    random = Random(number)
    suffix = random.choice(list(VALID))
    data = VALID[suffix if random.random() < 0.9 else random.choice(list(VALID))]
    if suffix in ARCHIVES and data[:2] == b"PK" and random.random() < 0.7:
        parts = members(data)
        chosen = random.choice(list(parts))
        return suffix, packed(parts | {chosen: mutated(parts[chosen], random)})
    if suffix in PACKERS and data is VALID[suffix] and random.random() < 0.7:
        pack, unpack = PACKERS[suffix]
        return suffix, pack(mutated(unpack(data), random))
    return suffix, mutated(data, random)


def mutated(data: bytes, random: Random) -> bytes:
    """One to six changes; now and then nothing is left of it."""
    if random.random() < 0.05:
        return random.randbytes(random.choice((0, 1, 100, 5000)))
    for _ in range(random.randint(1, 6)):
        data = random.choice(MUTATIONS)(data, random)
    return data


def _cut(data: bytes, random: Random) -> bytes:
    return data[: random.randint(0, len(data))]


def _flipped(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(min(len(changed), random.randint(1, 8))):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _spliced(data: bytes, random: Random) -> bytes:
    start, end = sorted((random.randint(0, len(data)), random.randint(0, len(data))))
    at = random.randint(0, len(data))
    return data[:at] + data[start:end] + data[random.choice((at, end)) :]


def _inserted(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + text(random).encode("utf-8", "surrogatepass") + data[at:]


def _swapped(data: bytes, random: Random) -> bytes:
    """A piece of punctuation that means something, elsewhere."""
    marks = b"<>/\"'{}[]()=&;,:|\n\\#-"
    return data.replace(bytes([random.choice(marks)]), bytes([random.choice(marks)]), 3)


def _numbered(data: bytes, random: Random) -> bytes:
    value = random.choice((b"-1", b"99999999999999999999", b"1e999", b"NaN", b"null", b"[]", b"{}"))
    old = bytes([random.choice(b"0123456789")])
    return data.replace(old, value, random.randint(1, 4))


MUTATIONS = (_cut, _flipped, _spliced, _inserted, _swapped, _numbered)


def text(random: Random) -> str:
    """Words of the graph, hostile texts and letters of all kinds, in any order."""
    parts = []
    for _ in range(random.randint(0, 6)):
        kind = random.random()
        if kind < 0.4:
            parts.append(random.choice(WORDS))
        elif kind < 0.7:
            parts.append(random.choice(TEXTS)[: random.choice((5, 50, 500))])
        else:
            low, high = random.choice(RANGES)
            parts.append("".join(chr(random.randrange(low, high)) for _ in range(8)))
    return random.choice(("", " ", " ")).join(parts)
