"""Manual pages as a reader would see them."""

import gzip

import pytest

from hoptrail.kg.errors import SourceError
from hoptrail.loaders import Meter, documents
from hoptrail.loaders.formats.man import load

MAN = r""".\" a comment
.TH GULL 1 "2024\-01\-01" gull
.ie \n(.g .ds Aq \(aq
.el .ds Aq no
.SH NAME
gull \- cries \(lqloudly\(rq
.SH OPTIONS
.TP
.BR \-q ", " \-\-quiet
Be \fIquiet\fP, don\*(Aqt cry\&.
.IP \(bu 2
One
.PP
.if t \{\
unseen
.\}
.nf
if (x)
    cry();
.fi
.TS
tab(;);
lb lb.
Code;Meaning
0;T{
All went
well
T}
1;Lost
.TE
"""
MDOC = r""".Dd March 1, 2024
.Dt TERN 8
.Os
.Sh NAME
.Nm tern
.Nd dives
.Sh OPTIONS
.Nm
takes
.Op Fl d Ar depth
and see
.Xr gull 1 .
.Bl -tag -width x
.It Fl v
Say
.Dq more .
.El
"""


def read(tmp_path, text):
    path = tmp_path / "a.1"
    path.write_text(text)
    [document] = load(path)
    return document


def test_a_page_of_man(tmp_path):
    document = read(tmp_path, MAN)
    assert document.title == "gull(1)"
    assert [section.heading for section in document.sections] == ["NAME", "OPTIONS"]
    assert document.text == (
        "NAME\n\ngull - cries “loudly”\n\nOPTIONS\n\n-q, --quiet\nBe quiet, don't cry.\nOne\n\n"
        "    if (x)\n        cry();\n\nCode: 0; Meaning: All went well\nCode: 1; Meaning: Lost"
    )


def test_half_a_surrogate_pair_is_no_sign(tmp_path):
    page = ".TH GULL 1\n.SH NAME\ngull \\- cries \\[uD800] and \\[u2603]\n"
    assert read(tmp_path, page).text.endswith("gull - cries \ufffd and ☃")


def test_a_page_of_mdoc(tmp_path):
    document = read(tmp_path, MDOC)
    assert document.title == "tern(8)"
    assert document.text == (
        "NAME\n\ntern - dives\n\nOPTIONS\n\ntern takes [-d depth] and see gull(1).\n-v\nSay “more”."
    )


def test_only_manual_pages_are_read_of_what_has_their_suffixes(tmp_path):
    (tmp_path / "a.1").write_text(MAN)
    (tmp_path / "b.8.gz").write_bytes(gzip.compress(MDOC.encode()))
    (tmp_path / "log.1").write_text("A day.")
    (tmp_path / "log.2.gz").write_bytes(gzip.compress(b"Another."))
    meter = Meter()
    found = [document.title for document in documents([tmp_path], meter=meter)]
    assert found == ["gull(1)", "tern(8)"]
    assert meter.passed_over.total() == 2
    with pytest.raises(SourceError, match="no manual page"):
        list(load(tmp_path / "log.1"))
