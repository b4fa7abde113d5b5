"""What callers of `Hoptrail` give, checked: what it can't take is told in a sentence."""

import operator
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, SupportsIndex

from ..kg.errors import BadRequest
from ..kg.store import GraphStore
from ..kg.text.words import clean
from ..kg.types import Document, Failure
from ..models.encoder import Encoder, SentenceEncoder
from .settings import open_store

if TYPE_CHECKING:
    from ..reasoning.session.budget import Budget

MAX_OPTIONS = 26  # a letter each
MAX_QUESTION = 4_000  # characters; to read more takes many seconds
_FOR_READING = "paths (str or Path), documents (Document), or lists and streams of these"


def store_of(graph: str | Path | GraphStore) -> GraphStore:
    """Return the store of a graph.

    Raises:
        BadRequest: it is none.
    """
    if isinstance(graph, str | Path):
        return open_store(graph)
    if not callable(getattr(graph, "statistics", None)):
        raise BadRequest(f"A graph is a file, a URI or a store, not {_kind(graph)}.")
    return graph


def encoder_of(encoder: Encoder | str | None) -> Encoder:
    """Return an encoder, the packaged one for None.

    Raises:
        BadRequest: it is none.
    """
    if encoder is None or isinstance(encoder, str):
        return SentenceEncoder(encoder) if encoder else SentenceEncoder()
    if not callable(getattr(encoder, "encode_passages", None)):
        raise BadRequest(
            f"An encoder is its name, a folder's path as text, or an encoder such as "
            f"SentenceEncoder(name), not {_kind(encoder)}."
        )
    return encoder


def text_of(question: object) -> str:
    """Return a question that can be written as UTF-8.

    Raises:
        BadRequest: it is no text, or longer than anybody asks.
    """
    if not isinstance(question, str):
        raise BadRequest(f"A question is a text, not {_kind(question)}.")
    if len(question) > MAX_QUESTION:
        raise BadRequest(
            f"The question has {len(question):,} characters; {MAX_QUESTION:,} at most are read. "
            "Ask it shortly, and ingest what it quotes as a document."
        )
    return clean(question)


def at_least(least: int, number: SupportsIndex, what: str = "limit") -> int:
    """Return a whole number.

    Raises:
        BadRequest: it is none, or less than that.
    """
    try:
        whole = operator.index(number)
    except TypeError:
        raise BadRequest(f"The {what} is {number!r}; it has to be a whole number.") from None
    if whole < least:
        raise BadRequest(f"The {what} is {whole}; it has to be {least} at least.")
    return whole


def options_of(options: Sequence[str], *, chosen: bool) -> tuple[str, ...]:
    """Return what an answer is one of.

    Args:
        options: texts; none where the answer is free.
        chosen: whether somebody chooses among them.

    Raises:
        BadRequest: one or too many, or nobody chooses.
    """
    given = tuple(map(clean, options))
    if len(given) == 1 or len(given) > MAX_OPTIONS:
        raise BadRequest(f"Give 2 to {MAX_OPTIONS} options to choose from, not {len(given)}.")
    if given and not chosen:
        raise BadRequest(
            "To choose among options takes a language model, and there is none: leave them out.",
            "Or set --model (or HOPTRAIL_MODEL); docs/models.md says which there are.",
        )
    return given


def budget_of(budget: object) -> "Budget | None":
    """Return what a question may cost.

    Raises:
        BadRequest: it is no Budget.
    """
    from ..reasoning.session.budget import Budget

    if budget is None or isinstance(budget, Budget):
        return budget
    raise BadRequest(
        f"{budget!r} is no budget. Give Budget(max_calls=3), or say it in the method's word: "
        'method="rag:max_calls=3".'
    )


def sources_of(given: Iterable[object]) -> list[str | Path | Document | Iterable[Document]]:
    """Return paths and documents one by one, also those of lists and sets; streams as they are.

    A stream is an iterator that begins with a document: no more of it is read than that.

    Raises:
        BadRequest: something is none of these.
    """
    return [one for some in given for one in _of_source(some)]


def _of_source(given: object) -> Iterator[str | Path | Document | Iterable[Document]]:
    if isinstance(given, str | Path | Document):
        yield given
    elif isinstance(given, os.PathLike) and isinstance(path := os.fspath(given), str):
        yield path
    elif isinstance(given, list | tuple):
        for one in given:
            yield from _of_source(one)
    elif isinstance(given, set | frozenset):  # of paths; documents have no hash
        yield from sorted(chain.from_iterable(map(_of_source, given)), key=str)
    elif isinstance(given, Iterable) and not isinstance(given, bytes | bytearray | Mapping):
        items = iter(given)
        for first in items:
            if isinstance(first, Document | Failure):
                yield _streamed(chain([first], items))
                return
            yield from _of_source(first)
    else:
        raise BadRequest(f"Sources are {_FOR_READING}, not {_kind(given)}.")


def _streamed(items: Iterable[object]) -> Iterator[Document]:
    for item in items:
        if not isinstance(item, Document | Failure):
            raise BadRequest(
                f"A stream of documents holds {_kind(item)}; what it holds has to be Document."
            )
        yield item  # pyright: ignore[reportReturnType] - loaders' streams hold failures, too


def names_of(given: Iterable[object]) -> list[str]:
    """Return names of things one by one, paths as texts, also those of lists.

    Raises:
        BadRequest: something is no name.
    """
    names: list[str] = []
    for one in given:
        if isinstance(one, str | os.PathLike) and isinstance(name := os.fspath(one), str):
            names.append(name)
        elif isinstance(one, Iterable) and not isinstance(one, bytes | bytearray | Mapping):
            names += names_of(one)
        else:
            raise BadRequest(f"A name is a text or a path, not {_kind(one)}.")
    return names


def _kind(value: object) -> str:
    return type(value).__name__
