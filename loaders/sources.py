"""Sources as the user names them: paths, patterns, standard input; checked before reading."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from ..kg.errors import BadRequest
from ..kg.text.words import clean
from . import FORMATS, STREAMED
from .encoding import codec
from .options import Options
from .remote import as_place, is_url

STDIN = "-"
_PATTERN = re.compile(r"[*?\[]")
_SCHEME = re.compile(r"[a-z][a-z\d+.-]+://", re.IGNORECASE)


def require(paths: Iterable[str | Path], options: Options) -> list[str]:
    """Check the paths, and put what they match, sorted, in the place of patterns.

    Raises:
        BadRequest: a path is empty or does not exist, a pattern matches nothing, or an option does
            not fit.
    """
    given = [os.fspath(path) for path in paths]
    if not all(map(str.strip, given)):
        raise BadRequest("A path is empty; name the files and folders to ingest.")
    if options.format and options.format not in FORMATS:
        raise BadRequest(f"No format {options.format!r}; there are: {', '.join(FORMATS)}.")
    codec(options.encoding)
    _check_title(STDIN in given, options)
    found, missing = [], []
    for path in given:
        there = path == STDIN or is_url(path) or os.path.lexists(path)
        matched = [path] if there else _matches(path)
        found += matched
        missing += [] if matched else [clean(path)]
    if others := [path for path in missing if _SCHEME.match(path)]:
        raise BadRequest(f"{others[0]} can't be fetched: of URLs http and https are; save the file")
    if missing:
        raise BadRequest(f"no such file or folder: {', '.join(missing)}; check the spelling")
    return found


def _check_title(stdin: bool, options: Options) -> None:
    if options.title.strip() and not stdin:
        raise BadRequest("A title is for standard input (-); files have titles or names.")
    whole = FORMATS[options.format or "text"] not in STREAMED
    if stdin and whole and not options.title.strip():
        raise BadRequest(
            f"Standard input is read as {options.format or 'text'} and needs --title, by which it "
            "is known when it comes again; --format jsonl (or csv, …) reads records."
        )


def _matches(pattern: str) -> list[str]:
    """Existing paths that a pattern means, as a shell would; symbolic links are not walked."""
    whole = Path(pattern)
    parts = whole.parts
    first = next((n for n, part in enumerate(parts) if _PATTERN.search(part)), None)
    if first is None:
        return []
    base, rest = Path(*parts[:first]), parts[first:]
    hidden = any(part.startswith(".") for part in rest)
    try:
        found = [path for path in base.glob("/".join(rest)) if hidden or _shown(path, base)]
    except (ValueError, OSError):  # "a**": ** must stand alone
        found = []
    if not found:
        raise BadRequest(
            f"nothing matches {clean(pattern)}: * stands for any name, ** alone between slashes "
            "for any folders"
        )
    return sorted(map(str, found))


def _shown(path: Path, base: Path) -> bool:
    return not any(part.startswith(".") for part in path.relative_to(base).parts)


def as_source(name: str) -> str:
    """Return the source that a file of this path or URL has or had in the graph; it may be gone."""
    if is_url(name):
        return as_place(name)
    try:
        return str(Path(name).resolve())
    except (OSError, ValueError, RuntimeError):  # no path at all: too long, a NUL, a loop of links
        return name
