"""E-mail: single messages and mailboxes."""

from email.message import EmailMessage

import pytest

from hoptrail import Hoptrail
from hoptrail.kg.errors import SourceError
from hoptrail.loaders.formats import mail, mbox


def message(subject="Re: Keys of the dock", text="The key is with Tom.\n", **headers):
    made = EmailMessage()
    made["Subject"] = subject
    made["From"] = "Jörg Weiß <jw@dock.example>"
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    return made


def read(path, made):
    path.write_bytes(made if isinstance(made, bytes) else made.as_bytes())
    (document,) = mail.load(path)
    return document


def facts(document):
    return [(fact.head, fact.relation, fact.tail) for fact in document.facts]


def test_who_wrote_to_whom_and_when_is_text_facts_and_metadata(tmp_path):
    made = message(
        To='"Lee, Ann" <ann@dock.example>, tom@dock.example',
        Date="Mon, 02 Mar 2026 09:05:00 +0100",
    )
    made.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="plän.pdf")
    document = read(tmp_path / "a.eml", made)
    assert document.title == "Keys of the dock"
    assert document.text == (
        "From: Jörg Weiß; To: Lee, Ann, tom@dock.example; Date: 2026-03-02 09:05; "
        "Attachments: plän.pdf\nName: Jörg Weiß; E-mail: jw@dock.example\n\nThe key is with Tom."
    )
    assert ("Keys of the dock", "From", "Jörg Weiß") in facts(document)
    assert ("Jörg Weiß", "E-mail", "jw@dock.example") in facts(document)
    assert document.metadata == {
        "author": "Jörg Weiß",
        "date": "2026-03-02T09:05:00+01:00",
        "to": "ann@dock.example, tom@dock.example",
        "attachments": "plän.pdf",
    }


def sections(document):
    return [
        (one.heading, one.apart, document.text[one.start :].split("\n")[0])
        for one in document.sections
    ]


def test_quoted_lines_lose_their_marks_and_are_sections_of_who_wrote_them(tmp_path):
    text = "Agreed.\n\nOn Monday Ann wrote:\n> > Is it oak?\n> It is.\n\nPRICES\n\nIt costs 9 €.\n"
    document = read(tmp_path / "a.eml", message(text=text))
    assert "\nIs it oak?\n\nIt is.\n" in document.text
    assert ">" not in document.text
    assert sections(document) == [
        ("Quoted", True, "Is it oak?"),
        ("On Monday Ann wrote", True, "It is."),
        ("PRICES", True, "PRICES"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Yes.\n\nOn 1 April Ann wrote:\n\n> I am in.\n\n> I do it.\n\nSo be it.",
            [("On 1 April Ann wrote", "On 1 April Ann wrote:"), ("", "So be it.")],
        ),
        (
            "Yes.\nOn Tue, 1 Apr, Ann Lee <ann@dock.example>\nwrote:\n> I am in.",
            [
                (
                    "On Tue, 1 Apr, Ann Lee <ann@dock.example> wrote",
                    "On Tue, 1 Apr, Ann Lee <ann@dock.example>",
                )
            ],
        ),
        (
            "Am 1. April schrieb Ann <a@dock.de>:\n> Am Montag schrieb Bo:\n>> I am out.\n> No.",
            [
                ("Am 1. April schrieb Ann <a@dock.de>", "Am 1. April schrieb Ann <a@dock.de>:"),
                ("Am Montag schrieb Bo", "Am Montag schrieb Bo:"),
                ("Am 1. April schrieb Ann <a@dock.de>", "No."),
            ],
        ),
        ("Yes.\n> I am in.", [("Quoted", "I am in.")]),
        (
            "See below.\n\n-----Original Message-----\nFrom: Ann Lee\nSent: Monday\n\nI am in.",
            [("Ann Lee", "-----Original Message-----")],
        ),
        ("Yes.\n>From here it is far.", []),
        ("Yes.\n>I walk.\n>From here it is far.", [("Quoted", "I walk.")]),
    ],
)
def test_who_wrote_what_is_quoted_heads_it(tmp_path, text, found):
    document = read(tmp_path / "a.eml", message(text=text))
    assert sections(document) == [(heading, True, line) for heading, line in found]


def test_i_in_what_is_quoted_is_not_who_answers(tmp_path, encoder):
    said = "> I am the treasurer, and my phone number is 01632 960777.\n"
    text = f"Thank you.\n\nOn 1 April Derek Pargeter wrote:\n\n{said}"
    made = message(text=text, Message_ID="<1@d>").as_bytes()
    (tmp_path / "a.mbox").write_bytes(b"From x\n" + made)
    with Hoptrail(tmp_path / "g.db", encoder=encoder) as hop:
        hop.ingest(tmp_path / "a.mbox")
        passages = [one.passage.text for one in hop.search("phone number", limit=9)]
    (quoted,) = [passage for passage in passages if "01632" in passage]
    assert "Derek Pargeter wrote" in quoted
    assert "Jörg" not in quoted


def test_html_counts_where_there_is_no_plain_text(tmp_path):
    made = message(text="Plain.")
    made.add_alternative("<p>Rich.</p>", subtype="html")
    assert read(tmp_path / "a.eml", made).text.endswith("\n\nPlain.")
    only = message()
    only.set_content(
        "<table><tr><th>Item<th>Price<tr><td>Oak<td>9 €</table>", subtype="html", charset="cp1252"
    )
    document = read(tmp_path / "b.eml", only)
    assert document.text.endswith("\n\nItem: Oak; Price: 9 €")
    assert ("Oak", "Price", "9 €") in facts(document)


def test_a_message_of_unknown_encodings_and_without_a_subject_is_read(tmp_path):
    made = (
        b"From: =?x-none?q?A?= <a@b.org>\nDate: yesterday\n"
        b"Content-Type: text/plain; charset=x-none\n\nCaf\xc3\xa9 at nine.\n"
    )
    document = read(tmp_path / "the_cafe.eml", made)
    assert document.title == "the cafe"
    assert document.text.endswith("Café at nine.")
    assert "date" not in document.metadata


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_headers_in_bytes_of_their_own_are_read(tmp_path, encoding):
    written = (
        'From: Åsa Öberg <a@b.org>\nTo: "Müller, Jörg" <j@b.org>\nSubject: Grüße\n\nAt nine.\n'
    )
    document = read(tmp_path / "a.eml", written.encode(encoding))
    assert document.title == "Grüße"
    assert document.metadata["author"] == "Åsa Öberg"
    assert "To: Müller, Jörg" in document.text


def test_what_is_no_message_says_so(tmp_path):
    with pytest.raises(SourceError, match="not an e-mail"):
        read(tmp_path / "a.eml", b"Dear Ann,\n\nthe key is here.\n")
    (tmp_path / "a.mbox").write_bytes(b"Dear Ann\n")
    with pytest.raises(SourceError, match="not a mailbox"):
        list(mbox.load(tmp_path / "a.mbox"))


def test_messages_of_a_mailbox_are_documents_known_by_their_ids(tmp_path):
    path = tmp_path / "dock.mbox"

    def written(*messages):
        path.write_bytes(b"\n".join(b"From x\n" + made.as_bytes() for made in messages))
        return list(mbox.load(path))

    one, two = message(Message_ID="<1@d>"), message("Oak", "From me.\n", Message_ID="<2@d>")
    first = written(one, two, one)
    assert [document.title for document in first] == ["Keys of the dock", "Oak"]
    edited = message(text="The key is gone.\n", Message_ID="<1@d>")
    assert [d.id for d in written(edited, two)] == [d.id for d in first]


def test_who_wrote_a_message_can_be_asked(tmp_path, encoder):
    (tmp_path / "a.eml").write_bytes(message("Boiler inspection", "It is on 4 May.\n").as_bytes())
    with Hoptrail(tmp_path / "g.db", encoder=encoder) as hop:
        hop.ingest(tmp_path)
        found = hop.search("Who wrote about the boiler inspection?")
    assert "From: Jörg Weiß" in found[0].passage.text
