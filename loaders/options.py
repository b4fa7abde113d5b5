"""Settings of reading, and a meter of how far it is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of reading that the sources themselves do not say.

    Args:
        format: one of FORMATS, which every file is then read as; "" goes by each file's suffix.
        title: what standard input is called, and its identity.
        text_fields: of a record (CSV, TSV, JSON lines), joined as paragraphs; () takes the first of
            `fields.TEXTS` that there is.
        title_field: of a record; None takes the first of `fields.TITLES`, "" none.
        id_field: what a record keeps when it is edited; None takes the first of `fields.IDS`,
            "" none: then title and text are its identity.
        metadata_fields: of a record; None takes all others that hold plain values.
        limit: documents at most, so that a large source can be tried; None reads all.
        encoding: of text, Markdown, CSV and TSV files, as Python or the web names it.
        place: what the file is called where its path is not its identity.
    """

    format: str = ""
    title: str = ""
    text_fields: tuple[str, ...] = ()
    title_field: str | None = None
    id_field: str | None = None
    metadata_fields: tuple[str, ...] | None = None
    limit: int | None = None
    encoding: str = "utf-8"
    place: str = ""


@dataclass(slots=True)
class Meter:
    """A count of the bytes read so far, kept by who reads.

    Args:
        total: of all sources, as far as it is known.
        before: of the files that are done.
        here: of the file being read, where it is read piece by piece.
    """

    total: int = 0
    before: int = 0
    here: int = 0

    @property
    def done(self) -> int:
        """Bytes read of all sources."""
        return self.before + self.here
