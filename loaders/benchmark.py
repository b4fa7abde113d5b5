"""JSON and JSON lines: question files (each paragraph a document), corpora of titled texts."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..kg.types import Document
from .questions import Paragraph, parse_question
from .reading import clean
from .records import Record, records


def load(path: Path) -> Iterator[Document]:
    """Each distinct (title, text) of the file once, in the file's order.

    The id depends on title and text alone: a paragraph in several files is one document.

    Raises:
        SourceError: the file can't be read, or a record is malformed; earlier ones were yielded.
    """
    source, seen = clean(str(path.resolve())), set[str]()
    for record in records(path):
        for paragraph in _paragraphs(record):
            identity = paragraph.document_id
            if paragraph.text and identity not in seen:
                seen.add(identity)
                yield Document(identity, paragraph.title, paragraph.text, source)


def _paragraphs(record: Record) -> Sequence[Paragraph]:
    if "question" in record.data:
        return parse_question(record).paragraphs
    if "text" in record.data:
        title, text = record.text("title", "").strip(), record.text("text").strip()
        return [Paragraph(title, text, is_supporting=False)]
    raise record.error("has neither a question with paragraphs nor a text")
