"""Settings of reading, and a meter of how far it is."""

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from ..kg.errors import BadRequest

_SETTINGS = {
    "text": "text_fields",
    "title": "title_field",
    "id": "id_field",
    "metadata": "metadata_fields",
    "format": "format",
    "encoding": "encoding",
}
"""What a pattern's settings are called → the option; several fields are joined by +."""
_SEVERAL = frozenset(["text_fields", "metadata_fields"])


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
        place: what the one file is called whose path is not its identity: "upload:report.pdf".
        files: settings of the files that a pattern matches, see `for_files`; the first counts.
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
    files: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()

    def of(self, path: PurePath) -> "Options":
        """Return the options of a file: these, but for what a pattern that it matches says."""
        found = self.pattern_of(path)
        said = next((dict(settings) for pattern, settings in self.files if pattern == found), {})
        return replace(self, **said)

    def pattern_of(self, path: PurePath) -> str | None:
        """Return the first pattern of `files` that a file matches."""
        return next((pattern for pattern, _ in self.files if path.match(pattern)), None)


@dataclass(slots=True)
class Meter:
    """A count of the bytes read so far, kept by who reads.

    Args:
        total: of all sources, as far as it is known.
        before: of the files that are done.
        here: of the file being read, where it is read piece by piece.
        passed_over: files of folders that have no loader, by suffix.
        matched: patterns of `Options.files` that a file matched.
        joined: rows of tables in which surplus fields were put together, "staff.csv, line 8".
    """

    total: int = 0
    before: int = 0
    here: int = 0
    passed_over: Counter[str] = field(default_factory=Counter)
    matched: set[str] = field(default_factory=set)
    joined: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        """Bytes read of all sources."""
        return self.before + self.here


def for_files(said: str) -> tuple[str, tuple[tuple[str, Any], ...]]:
    """Read what is said of files: "films*.csv:text=plot+notes:title=film:id=imdb".

    Raises:
        BadRequest: no pattern, or a setting that there is not.
    """
    pattern, *settings = said.split(":")
    found: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if name not in _SETTINGS or not equals:
            known = ", ".join(f"{known}=…" for known in _SETTINGS)
            raise BadRequest(f"{said!r}: no setting {setting!r} of files; there are {known}.")
        option = _SETTINGS[name]
        found[option] = tuple(filter(None, value.split("+"))) if option in _SEVERAL else value
    if not pattern.strip() or not found:
        raise BadRequest(f"{said!r}: say PATTERN:text=NAME:title=NAME, such as *.csv:title=who.")
    return pattern, tuple(found.items())
