"""CSV and TSV: each row a document, by the names in the first row."""

from collections.abc import Iterator
from pathlib import Path

from ...kg.types import Document
from ..fields import Fields
from ..options import Meter, Options
from ..rows import rows


def load(
    path: Path, options: Options | None = None, meter: Meter | None = None
) -> Iterator[Document]:
    """Yield each row of a table as a document, each once, in the file's order.

    Args:
        path: of the file; its delimiter is the one that the first row has most of.
        options: which columns are what.
        meter: counts along.

    Raises:
        SourceError: as `rows.rows`.
    """
    options = options or Options()
    fields, seen = Fields(path, options), set[str]()
    for record in rows(path, meter, options.encoding):
        document = fields.document(record)
        if document and document.id not in seen:
            seen.add(document.id)
            yield document
