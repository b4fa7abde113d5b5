"""JSON and JSON lines: question files (each paragraph a document), corpora of records."""

from collections.abc import Iterator
from pathlib import Path

from ..kg.types import Document
from .fields import Fields
from .options import Meter, Options
from .questions import parse_question
from .records import Record, records


def load(
    path: Path, options: Options | None = None, meter: Meter | None = None
) -> Iterator[Document]:
    """Each distinct document of the file once, in the file's order.

    The id of a question's paragraph depends on title and text alone: in several files it is one
    document. See `Fields.document` for records.

    Args:
        path: of the file.
        options: which fields of a record are what; a question is one unless they name its text.
        meter: counts along.

    Raises:
        SourceError: the file can't be read, or a record is malformed; earlier ones were yielded.
    """
    options = options or Options()
    fields, seen = Fields(path, options), set[str]()
    for record in records(path, meter):
        question = "question" in record.data and not options.text_fields
        for document in _paragraphs(record, fields) if question else [fields.document(record)]:
            if document and document.id not in seen:
                seen.add(document.id)
                yield document


def _paragraphs(record: Record, fields: Fields) -> Iterator[Document]:
    for paragraph in parse_question(record).paragraphs:
        if paragraph.text:
            yield Document(paragraph.document_id, paragraph.title, paragraph.text, fields.source)
