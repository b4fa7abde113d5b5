"""Pages and files that a user names by a URL: fetched once, within limits, into a file."""

import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from ..kg.errors import SourceError
from ..kg.text.words import clean

if TYPE_CHECKING:
    import httpx

MAX_BYTES = 64 << 20  # of what a URL gives, unpacked
SECONDS = 120.0  # for all of it
REDIRECTS = 5
_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/markdown": ".md",
    "text/x-rst": ".rst",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/json": ".json",
    "application/x-ndjson": ".jsonl",
    "application/jsonl": ".jsonl",
    "application/pdf": ".pdf",
    "application/epub+zip": ".epub",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
}
_VAGUE = frozenset(["", "text/plain", "application/octet-stream", "application/gzip"])
"""Types under which servers give any file: then the URL's suffix counts."""


def is_url(name: str) -> bool:
    """Say whether a source is a URL that can be fetched."""
    return name.lower().startswith(("http://", "https://"))


def as_place(url: str) -> str:
    """Return what is known by a URL: itself, without a fragment or a password."""
    parts = urlsplit(url)
    return clean(urlunsplit(parts._replace(fragment="", netloc=parts.netloc.rpartition("@")[2])))


def fetch(url: str, folder: Path) -> Path:
    """Fetch what a URL gives into a file whose suffix says what it is.

    Raises:
        SourceError: it can't be reached, is too large or too slow, or of a type that none reads.
    """
    import httpx

    place = as_place(url)
    try:
        with (
            httpx.Client(
                timeout=httpx.Timeout(30.0, connect=10.0),
                follow_redirects=True,
                max_redirects=REDIRECTS,
            ) as client,
            client.stream("GET", url, headers={"User-Agent": "hoptrail"}) as response,
        ):
            if response.status_code != httpx.codes.OK:
                said = f"{response.status_code} {response.reason_phrase}".strip()
                raise SourceError(place, f"the server answers {said}; check the address")
            path = folder / _name(place, str(response.url), response.headers)
            _write(place, response, path)
    except httpx.TooManyRedirects:
        raise SourceError(place, f"leads on more than {REDIRECTS} times; name its end") from None
    except httpx.TimeoutException:
        raise SourceError(place, "the server does not answer in time; try again later") from None
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        why = clean(str(error)) or type(error).__name__
        raise SourceError(place, f"can't be fetched: {why}; check address and network") from None
    return path


def _write(place: str, response: "httpx.Response", path: Path) -> None:
    """What comes, counted as it is unpacked: the length a server names may be a lie."""
    ends, size = time.monotonic() + SECONDS, 0
    with path.open("wb") as file:
        for piece in response.iter_bytes():
            size += len(piece)
            if size > MAX_BYTES:
                raise SourceError(place, f"larger than {MAX_BYTES >> 20} MB; fetch it to a file")
            if time.monotonic() > ends:
                raise SourceError(place, f"takes longer than {SECONDS:g} s; fetch it to a file")
            file.write(piece)


def _name(place: str, url: str, headers: "httpx.Headers") -> str:
    """A file's name: the last part of the path, with the suffix of its content type.

    Raises:
        SourceError: nothing here reads that type.
    """
    from . import LOADERS

    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    last = Path(unquote(urlsplit(url).path).replace("\0", "")).name[-100:] or "page"
    suffix = next((s for s in sorted(LOADERS, key=len, reverse=True) if last.endswith(s)), "")
    strange = kind.startswith("text/") and kind not in _SUFFIXES  # Debian's name of .rst, say
    if kind in _VAGUE or (strange and suffix):
        return last if suffix or last.endswith(".gz") else f"{last}.txt"
    if kind not in _SUFFIXES:
        raise SourceError(place, f"is {clean(kind)}, which no loader reads; fetch it to a file")
    wanted = _SUFFIXES[kind]
    same = suffix and LOADERS[suffix] == LOADERS[wanted]
    return last if same else f"{Path(last).stem}{wanted}"
