"""JSON and JSON lines: question files (each paragraph a document), corpora of records."""

from collections.abc import Iterator
from pathlib import Path

from ...kg.text.words import clean, stable_id
from ...kg.types import Document
from ..fields import TEXTS, TITLES, Fields
from ..options import Meter, Options
from ..questions import fever, iirc
from ..questions.files import is_answered, is_question, parse_questions
from ..reading import unreadable
from ..records import Record, members, quoted, records


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
    for record in _each(records(path, meter)):
        if options.text_fields or is_answered(record):
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


def _each(found: Iterator[Record]) -> Iterator[Record]:
    """Records; of one without a text, those of the one array that it holds, and what is beside."""
    for record in map(_feature, found):
        arrays = [name for name, value in record.data.items() if _is_array(value)]
        names = {name.strip().casefold() for name in record.data}
        own = names.intersection((*TEXTS, *(TITLES if len(arrays) > 1 else ())))
        if not arrays or own or is_question(record) or fever.is_page(record):
            yield record
        elif len(arrays) == 1:
            beside = {name: v for name, v in record.data.items() if name != arrays[0]}
            if sum(isinstance(value, str | int | float) for value in beside.values()) > 1:
                yield Record(record.path, record.place, beside, around=True)
            yield from map(_feature, record.inner(arrays[0]))
        else:
            which = ", ".join(map(quoted, arrays))
            raise record.error(f"holds several arrays ({which}); save the one you mean by itself")


def _feature(record: Record) -> Record:
    """A feature of GeoJSON as the record that its properties are, with the place of a point."""
    data = record.data
    told, shape = data.get("properties"), data.get("geometry")
    if data.get("type") != "Feature" or not isinstance(told, dict):
        return record
    values = ({"id": data["id"]} if "id" in data else {}) | told
    if isinstance(shape, dict) and shape.get("type") == "Point" and "coordinates" in shape:
        values.setdefault("coordinates", shape["coordinates"])
    return Record(record.path, record.place, values)


def _is_array(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


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
