"""A message: what its headers say, and its text.

Headers are read as they stand and decoded here: the parser of Python's newer policy ends in errors
of its own on what is malformed.
"""

import email
import re
from dataclasses import replace
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import NamedTuple

from ....kg.text.words import clean
from ....kg.types import Section
from ...encoding import decoded
from ...html.markup import Page, page
from ...tables import Row, row
from .headings import lines_of
from .quoting import told
from .wrapped import rejoined

_ANSWERED = re.compile(r"(?:(?:re|fwd?|aw|wg|antw|sv|tr|rv)(?:\[\d+\])?:\s*)+", re.I)
_PLAIN, _HTML = "text/plain", "text/html"


class Letter(NamedTuple):
    """What a message says.

    Args:
        title: its subject, without "Re:"; "" where it has none.
        text: who wrote to whom and when, as rows, then the message.
        sections: of the text.
        table: those rows, and those of an HTML message's tables.
        metadata: author, date, to, attachments.
        identity: its Message-ID, or "".
    """

    title: str
    text: str
    sections: tuple[Section, ...]
    table: list[Row]
    metadata: dict[str, str]
    identity: str


def letter(data: bytes) -> Letter | None:
    """Read a message; None for what is none: it says neither who wrote it, nor what about.

    Its plain text counts, else its HTML. Quoted lines lose their marks, and are sections headed by
    who wrote them. Attachments are named, not read.

    Raises:
        ValueError: its HTML is nested too deeply.
    """
    message = email.message_from_bytes(data)
    if not any(name in message for name in ("From", "Subject")):
        return None
    title = _ANSWERED.sub("", _said(message, "Subject"), count=1)
    senders, receivers = _people(message, "From"), _people(message, "To")
    date, attachments = _date(message), ", ".join(_attachments(message))
    heads = [
        row(
            {
                "From": ", ".join(name or address for name, address in senders),
                "To": ", ".join(name or address for name, address in receivers),
                "Cc": ", ".join(name or address for name, address in _people(message, "Cc")),
                "Date": date.replace("T", " ")[:16],
                "Attachments": attachments,
            },
            title,
        )
    ]
    heads += [row({"Name": n, "E-mail": a}, n) for n, a in senders if n and a]
    above = "\n".join(one.text for one in heads if one.text)
    body, plain = _body(message)
    metadata = {
        "author": ", ".join(name or address for name, address in senders),
        "date": date,
        "to": ", ".join(address or name for name, address in receivers),
        "attachments": attachments,
    }
    shift = len(above) + 2
    text = f"{above}\n\n{body.text}".strip() or title
    sections = tuple(replace(one, start=one.start + shift) for one in body.sections)
    if plain:
        text, sections = rejoined(text, sections)
    return Letter(
        title,
        text,
        sections,
        heads + body.table,
        {name: value for name, value in metadata.items() if value},
        _said(message, "Message-ID"),
    )


def _raw(message: Message, name: str) -> list[str]:
    """What headers of a name say, encoded words as they are; bytes are UTF-8, as RFC 6532 has it.

    Else what mailers made of them before: Windows-1252.
    """
    said = (str(v) for key, v in message.raw_items() if key.lower() == name.lower())
    return [decoded(one.encode("utf-8", "surrogateescape")) for one in said]


def _said(message: Message, name: str) -> str:
    """A header on one line, decoded."""
    return _decoded(next(iter(_raw(message, name)), ""))


def _decoded(raw: object) -> str:
    try:
        said = str(make_header(decode_header(raw)))  # pyright: ignore[reportArgumentType]
    except (LookupError, ValueError, MessageError):  # of an encoding that there is not
        said = str(raw)
    return " ".join(clean(said).split())


def _people(message: Message, name: str) -> list[tuple[str, str]]:
    """(name, address) of each person of a header; either may be empty."""
    found = getaddresses(_raw(message, name))
    people = [(_decoded(name), _decoded(address)) for name, address in found]
    return [(name, address) for name, address in people if name or address]


def _date(message: Message) -> str:
    try:
        return parsedate_to_datetime(str(message.get("Date", ""))).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _attachments(message: Message) -> list[str]:
    return [name for part in message.walk() if (name := _decoded(part.get_filename("")))]


def _body(message: Message) -> tuple[Page, bool]:
    """The parts that are no attachments, and whether they are plain text."""
    parts = [
        part
        for part in message.walk()
        if not part.is_multipart()
        and part.get_content_disposition() != "attachment"
        and not part.get_filename()
    ]
    plain = "\n\n".join(_text(part) for part in parts if part.get_content_type() == _PLAIN)
    if plain.strip():
        return Page("", *told(lines_of(plain))), True
    html = next((part for part in parts if part.get_content_type() == _HTML), None)
    return (Page("", "", ()) if html is None else page(_text(html))), False


def _text(part: Message) -> str:
    """The text of a part, in the encoding that it names."""
    data = part.get_payload(decode=True)
    data = data if isinstance(data, bytes) else b""
    named = part.get_content_charset("")
    if part.get_content_type() == _HTML and not named:
        return decoded(data)
    try:
        text = data.decode(named or "utf-8", "replace")
    except (LookupError, ValueError):
        text = data.decode("utf-8", "replace")
    return clean(text.replace("\r\n", "\n").replace("\r", "\n"))
