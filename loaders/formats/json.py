"""JSON and JSON lines: question files (each paragraph a document), corpora of records."""

from collections.abc import Iterator
from pathlib import Path

from ...kg.text.words import clean, stable_id
from ...kg.types import Document
from ..fields import Fields
from ..options import Meter, Options
from ..questions import fever, iirc
from ..questions.files import is_question, parse_questions
from ..reading import unreadable
from ..records import Record, members, records


def load(
    path: Path, options: Options | None = None, meter: Meter | None = None
) -> Iterator[Document]:
    """Yield each distinct document of a JSON file once, in the file's order.

    The id of a question's paragraph depends on title and text alone: in several files it is one
    document. See `Fields.document` for records.

    Args:
        path: of the file.
        options: which fields of a record are what; a question is one unless they name its text.
        meter: counts along.

    Raises:
        SourceError: the file can't be read, or a record is malformed; earlier ones were yielded.
    """
    options, seen = options or Options(), set[str]()
    articles = path.name == iirc.ARTICLES
    found = _articles(path, meter) if articles else _documents(path, options, meter)
    for document in found:
        if document.id not in seen:
            seen.add(document.id)
            yield document


def _documents(path: Path, options: Options, meter: Meter | None) -> Iterator[Document]:
    fields, asked, given = Fields(path, options), False, False
    for record in records(path, meter):
        if options.text_fields:
            found = [fields.document(record)]
        elif is_question(record):
            found, asked = _paragraphs(record, fields), True
        else:
            found = [_page(record, fields) if fever.is_page(record) else fields.document(record)]
        for document in filter(None, found):
            given = True
            yield document
    if asked and not given:
        raise unreadable(path, "its questions bring no paragraphs; ingest what they are asked over")


def _paragraphs(record: Record, fields: Fields) -> Iterator[Document]:
    for question in parse_questions(record):
        for paragraph in question.paragraphs:
            if paragraph.text:
                yield Document(
                    paragraph.document_id, paragraph.title, paragraph.text, fields.source
                )


def _page(record: Record, fields: Fields) -> Document | None:
    """A page of FEVER's Wikipedia."""
    title = fever.title(record.text("id"))
    text, sections = fever.text(record)
    if not text:
        return None
    identity = stable_id("record", title, text)
    return Document(identity, title, text, fields.source, sections=sections)


def _articles(path: Path, meter: Meter | None) -> Iterator[Document]:
    """IIRC's, which a file has by their titles."""
    source = Fields(path, Options()).source
    for member in members(path, meter):
        (title,) = member.data
        text = iirc.plain(member.text(title))
        if text:
            title = clean(title)
            yield Document(stable_id("record", title, text), title, text, source)
