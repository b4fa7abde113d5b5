"""Files, folders and standard input, read by the loader of each."""

import contextlib
import errno
import gzip
import importlib
import os
import re
import shutil
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ..kg.errors import SourceError
from ..kg.text.words import clean, stable_id
from ..kg.types import Document, Failure
from . import ENCODED, FORMATS, LOADERS, STREAMED
from .options import Meter, Options
from .reading import opened, unreadable
from .remote import as_place, fetch, is_url
from .sources import STDIN

PACKED = "gz"
"""Stands for a file of a known format that gzip has packed."""
MAX_UNPACKED = 1 << 30  # bytes

_STANDARD_INPUT = Path(STDIN)  # known by identity: a file may be called "-" too
_BY_CUSTOM = re.compile(
    r"(?:README|FAQ|NEWS|NOTES|TODO|HISTORY|HOWTO|MANUAL|TUTORIAL|USAGE|INSTALL|HACKING|AUTHORS"
    r"|CHANGES|CHANGELOG|ChangeLog|CONTRIBUTING|THANKS|(?:v?\d[\d.]*[-_])?Release-?Notes"
    r"|RELEASE[-_]?NOTES)(?:[-_][\w-]+)?(?:\.(?P<suffix>[\w-]+))?"
)
"""Names under which text is written without a suffix, but for what it is about: README.keys."""
_NO_TEXT = re.compile(
    "7z|a|asc|avi|bmp|bz2|c|class|css|dll|doc|dvi|eps|exe|gif|gz|h|ico|jar|jpe?g|js|mp[34]|o|ogg"
    "|pl|png|ps|py[co]?|rar|rtf|sh|si[gn]|so|svg|tar|tgz|tiff?|wav|webp|woff2?|xz|zip|zst",
    re.I,
)
_READ = {
    "table": "rows are read that stand below a first one which names the columns",
    "json": "objects with a text or several fields are read, one a line or in one array",
}
_READ_ELSE = "what a reader would see of it is read, not comments, markup and pictures"
"""What would be read of a file that holds no text, by its loader."""
_NO_DOCUMENTS = (".", "~$")  # hidden files, and what Word leaves while a file is open
_OF_PROGRAMS = frozenset(["__pycache__", "node_modules"])  # folders, of no one's documents
_QUALITY = re.compile(r"quality\..*\.(?:train|dev|test)", re.I)  # as they are published


def read(sources: Iterable[str], options: Options, meter: Meter) -> Iterator[Document | Failure]:
    """Yield documents and failures of these sources, in order, each document id once.

    Args:
        sources: as `require` gives them.
        options: how to read them.
        meter: counts along.
    """
    seen: set[str] = set()
    for item in _files(sources, options, meter.passed_over):
        for result in _results(item, options, meter):
            if isinstance(result, Failure):
                yield result
            elif result.id not in seen:
                seen.add(result.id)
                yield result
                if len(seen) == options.limit:
                    return


def size(sources: Iterable[str], options: Options) -> int:
    """Count the bytes of the files that `read` would read; unreadable ones count nothing."""
    total = 0
    for item in _files(sources, options, Counter()):
        if isinstance(item, Path) and item is not _STANDARD_INPUT:
            total += _bytes(item)
    return total


def _results(
    item: Path | Failure | str, options: Options, meter: Meter
) -> Iterator[Document | Failure]:
    if isinstance(item, Failure):
        yield item
    elif item is _STANDARD_INPUT:
        yield from _standard_input(options, meter)
    elif isinstance(item, str):
        yield from _remote(item, options, meter)
    else:
        if options.place:
            identity = stable_id("place", options.place)
            yield from _elsewhere(item, options.place, identity, options, meter)
        else:
            yield from _load(item, options, meter)
        meter.before, meter.here = meter.before + _bytes(item), 0


def _standard_input(options: Options, meter: Meter) -> Iterator[Document | Failure]:
    """Kept in a temporary file meanwhile: some formats must be read from their end."""
    place = f"standard input: {options.title}" if options.title else "standard input"
    options = replace(options, format=options.format or "text")
    identity = stable_id("standard input", options.title)
    with _folder() as folder:
        path = folder / "standard input"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        meter.total += _bytes(path)
        for result in _elsewhere(path, place, identity, options, meter):
            called = not isinstance(result, Failure) and FORMATS[options.format] not in STREAMED
            yield replace(result, title=clean(options.title)) if called else result
        meter.before, meter.here = meter.before + _bytes(path), 0


def _remote(url: str, options: Options, meter: Meter) -> Iterator[Document | Failure]:
    """What a URL gives, fetched into a temporary file."""
    place = as_place(url)
    with _folder() as folder:
        try:
            path = fetch(url, folder)
        except SourceError as error:
            yield Failure(place, error.reason)
            return
        yield from _elsewhere(path, place, stable_id("url", place), options, meter)


def _unpacked(path: Path, options: Options, meter: Meter) -> Iterator[Document | Failure]:
    """What was packed by gzip, in a temporary file."""
    place = clean(options.place or str(path.resolve()))
    with _folder() as folder:
        inner = folder / path.stem
        try:
            _unpack(path, inner)
        except SourceError as error:
            yield Failure(place, error.reason)
            return
        yield from _elsewhere(inner, place, stable_id("file", place), options, Meter())


def _unpack(path: Path, inner: Path) -> None:
    """Unpack a file, counted as it is: the size that it names may be a lie."""
    with opened(path) as packed, gzip.open(packed) as file, inner.open("wb") as out:
        try:
            while piece := file.read(1 << 20):
                if out.tell() + len(piece) > MAX_UNPACKED:
                    most = f"more than {MAX_UNPACKED >> 20} MB: refused"
                    raise unreadable(path, f"unpacks to {most}; unpack it if it is no attack")
                out.write(piece)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            reason = f"damaged, or not packed by gzip ({error}); get it again"
            raise unreadable(path, reason) from None


def _elsewhere(
    path: Path, place: str, identity: str, options: Options, meter: Meter
) -> Iterator[Document | Failure]:
    """What a temporary file holds, known by where it came from."""
    for result in _load(path, replace(options, place=place), meter):
        if isinstance(result, Failure):
            yield Failure(place, result.reason)
        elif result.source == place:  # of a record, which is known by it already
            yield result
        else:
            yield replace(result, id=identity, source=place)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hoptrail-") as folder:
        yield Path(folder)


def _files(
    sources: Iterable[str], options: Options, passed_over: Counter[str]
) -> Iterator[Path | Failure | str]:
    """Files, what could not be entered, and URLs."""
    done: set[str] = set()
    for source in sources:
        if source == STDIN:
            yield _STANDARD_INPUT
            continue
        if is_url(source):
            yield source
            continue
        for item in _walk(source, options, passed_over) if os.path.isdir(source) else [source]:
            if isinstance(item, Failure):
                yield item
                continue
            try:
                place = os.path.realpath(item, strict=os.path.islink(item))
            except OSError:
                yield _failure(Path(item), f"{clean(item)} is a symbolic link that leads nowhere")
                continue
            if place not in done:
                done.add(place)
                yield Path(item)


def _walk(folder: str, options: Options, passed_over: Counter[str]) -> Iterator[str | Failure]:
    """Files below a folder that can be read, by name; each folder once (symlink loops)."""
    waiting, entered = [folder], set[tuple[int, int]]()
    while waiting:
        path = waiting.pop()
        if not os.path.isdir(path):
            if options.of(Path(path)).format or _known(path):
                yield path
            elif _too_long(path):
                yield _failure(Path(path), "its path is too long to be read; move it higher up")
            else:
                passed_over[clean(Path(path).suffix.lower())] += 1
            continue
        try:
            status = os.stat(path)
            names = sorted(
                entry
                for entry in os.listdir(path)
                if not entry.startswith(_NO_DOCUMENTS) and entry not in _OF_PROGRAMS
            )
        except OSError as error:
            reason = "no permission to read" if isinstance(error, PermissionError) else "can't read"
            yield _failure(Path(path), f"{reason} this folder")
            continue
        if (status.st_dev, status.st_ino) not in entered:
            entered.add((status.st_dev, status.st_ino))
            waiting += [os.path.join(path, name) for name in reversed(names)]


def _too_long(path: str) -> bool:
    """Whether the system can't even look at it: then it may be a folder full of documents."""
    try:
        os.lstat(path)
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG
    return False


def _known(path: str) -> bool:
    """Whether a file of a folder is for us: of XML files only a wiki's dumps, of ".1" manuals."""
    name = os.path.basename(path)
    module = _module(name)
    if module == "wikipedia":
        from .formats.wikipedia import is_dump

        return is_dump(Path(path))
    if "man" in (module, _module(name[: -len(".gz")])):
        from .formats.man import is_page

        return is_page(Path(path))
    return module is not None


def _module(name: str) -> str | None:
    """The loader for a file of this name: by its last two suffixes, by the last, or by custom."""
    if _QUALITY.fullmatch(name):
        return "json"
    suffixes = Path(name.lower()).suffixes[-2:]
    known = LOADERS.get("".join(suffixes)) or LOADERS.get("".join(suffixes[-1:]))
    if known is None and suffixes[-1:] == [".gz"]:
        inner = _module(name[: -len(".gz")])
        return PACKED if inner not in {None, PACKED} else None
    named = _BY_CUSTOM.fullmatch(name)
    told = named and not _NO_TEXT.fullmatch(named["suffix"] or "")
    return known or ("text" if told else None)


def _load(path: Path, options: Options, meter: Meter) -> Iterator[Document | Failure]:
    if (pattern := options.pattern_of(path)) is not None:
        meter.matched.add(pattern)
    options = options.of(path)
    packed = _module(path.name) == PACKED or (options.format and path.suffix.lower() == ".gz")
    name = FORMATS[options.format] if options.format and not packed else _module(path.name)
    if packed:
        yield from _unpacked(path, options, meter)
        return
    if name is None:
        suffixes = path.suffixes[-2:] if path.suffix.lower() == ".gz" else [path.suffix]
        wanted = clean("".join(suffixes)) or "files without a suffix"
        known = f"known: {', '.join(LOADERS)}; --format NAME reads it as one of them"
        yield _failure(path, f"no loader for {wanted}; {known}")
        return
    load, count = importlib.import_module(f".formats.{name}", __package__).load, 0
    told = (options, meter) if name in STREAMED else (options,) if name in ENCODED else ()
    try:
        for document in load(path, *told):
            count += 1
            yield document
    except SourceError as error:
        yield _failure(path, error.reason + _kept(count))
    except Exception as error:  # noqa: BLE001 - which nobody foresaw; it keeps no other file back
        reason = f"a defect in Hoptrail ended its reading ({type(error).__name__}: {error})"
        yield _failure(path, f"{reason}; please report it, with the file{_kept(count)}")
    else:
        if not count:
            yield _failure(path, f"holds no text; {_READ.get(name, _READ_ELSE)}")


def _kept(count: int) -> str:
    """How many documents of a file were read before its error."""
    documents = "document" if count == 1 else f"{count} documents"
    return f" (the {documents} before it {'is' if count == 1 else 'are'} kept)" if count else ""


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _failure(path: Path, reason: str) -> Failure:
    # Named as the file's documents are, so that a later success clears the failure.
    try:
        place = str(path.resolve())
    except (OSError, RuntimeError):
        place = os.path.abspath(path)
    return Failure(clean(place), reason)
