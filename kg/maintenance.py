"""What keeps a graph right over the years: moved whole, to another encoder, checked, mended."""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol

from .types import Fingerprint, Vector

Record = Mapping[str, Any]
Embedded = Literal["passage", "triple"]
MAX_EXAMPLES = 3  # names that a finding gives
MIN_FREE = 200_000_000  # bytes of a disk
INGEST_AGAIN = "`hoptrail ingest` of their sources replaces them"
MARKED = f"doctor --fix marks them, then {INGEST_AGAIN}"
OLDER = "made by an older version; `hoptrail ingest`, also of nothing new, brings it up to date"
RESTORE = "restore a backup, or ingest into a new graph"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a graph that is not as it should be.

    Args:
        what: kind of thing, as `hoptrail doctor` lists it: "schema", "indexes", "orphans", …
        detail: what is wrong, how much of it, and the next step.
        mendable: whether `repair` puts it right without loss.
    """

    what: str
    detail: str
    mendable: bool


@dataclass(frozen=True, slots=True)
class Unembedded:
    """Some texts that lack a vector.

    Args:
        kind: of what.
        texts: as the encoder reads them, by id, sorted.
    """

    kind: Embedded
    texts: Mapping[str, str]


class Reembedding(Protocol):
    """A graph's move to another encoder: new vectors grow beside the old ones, then replace them.

    What was begun goes on in any process that asks for the same move. Triples without a vector of
    the old encoder get none.
    """

    def count(self) -> int:
        """Count the texts that still lack the new vector."""
        ...

    def lacking(self, limit: int) -> Iterator[Unembedded]:
        """Give the texts that still lack the new vector, passages first, `limit` or fewer at once.

        Each part is read when it is asked for, after the one before by id: what is passed over, and
        what others write meanwhile before that id, is for another round.
        """
        ...

    def keep(self, given: Unembedded, vectors: Vector) -> None:
        """Keep new vectors; searches do not see them yet. What reads otherwise now is passed over.

        Args:
            given: as `lacking` gave it.
            vectors: (len(given.texts), d), in the order of the texts.

        Raises:
            EncoderMismatch: the graph is not, or no longer, being moved to this encoder.
        """
        ...

    def finish(self) -> bool:
        """Put the new vectors and their fingerprint in the place of the old ones.

        False, and nothing changed, when something still lacks its vector (written meanwhile). On
        SQLite one transaction. On a server several: until the last one whoever needs vectors gets
        StoreUnavailable, and where they broke off, the same call goes on.

        Raises:
            EncoderMismatch: the graph is not, or no longer, being moved to this encoder.
        """
        ...


class Maintenance(Protocol):
    """What is done with a graph as a whole, over the years."""

    # -- moved whole
    def records(self) -> Iterator[dict[str, Any]]:
        """Stream everything, in an order that depends on the content alone.

        Each has "kind" first, then the fields that `schema.KINDS` describes for that kind. Kinds
        come in the order they have there, each sorted by its key. Embeddings are base64 of
        little-endian float32.
        """
        ...

    def restore(
        self, records: Iterable[Record], progress: Callable[[int], None] = lambda done: None
    ) -> int:
        """Write into an empty graph what `records` of any store gave; return how many records.

        Afterwards `records` gives the same again, also to the encoder's fingerprint and created_by.
        What is not in a record (how often entities are spelled so, search words) is counted again;
        what follows from other records (`derived` in kg/schema.py) must be in them as it follows.
        Records of an older version may lack what that did not know, and what follows is derived
        again. All or nothing: on a server, where writing takes several transactions, one that broke
        off leaves a graph that says so when it is read, and that the same call begins anew.

        Args:
            records: in the order of `records`, one at a time; every record is seen
                before anything is written to a server.
            progress: called with the number of records written so far.

        Raises:
            BadRequest: the graph holds something already, or the records are not those of a graph;
                BadRecord says which record, counted from 1, and which field.
            SchemaMismatch: a newer version wrote the records.
        """
        ...

    # -- of another encoder
    def reembedding(self, fingerprint: Fingerprint) -> Reembedding:
        """Begin the graph's move to this encoder, or go on with it.

        What was begun for another one is thrown away.

        Raises:
            BadRequest: nobody prepared the graph, or it carries this encoder already.
        """
        ...

    def moving_to(self) -> Fingerprint | None:
        """Return the encoder that a begun move goes to, None when none is under way."""
        ...

    def not_embedded(self, limit: int) -> Iterator[Unembedded]:
        """Give the triples without a vector, `limit` or fewer at once, as `lacking` does."""
        ...

    # -- checked and mended
    def problems(
        self, quick: bool = False, progress: Callable[[str], None] = lambda what: None
    ) -> list[Problem]:
        """List what is wrong with the graph, and with what holds it; nothing when it is sound.

        Args:
            quick: leave out what takes longer than reading the graph's outline: whether names,
                counts and edges follow from the texts.
            progress: called with what is looked at next.
        """
        ...

    def repair(self, progress: Callable[[str], None] = lambda what: None) -> list[Problem]:
        """Mend without loss what is mendable; return what was mended.

        Afterwards what is derived is as if the graph had been built afresh. Documents whose own
        facts are damaged are marked, so that the next ingestion replaces them. All or nothing in a
        file; on a server over many transactions, and again where that broke off.

        Raises:
            StoreUnavailable: the graph may not be written, or others wrote meanwhile.
        """
        ...


def problem_of(
    what: str, says: str, names: Iterable[object], mendable: bool, step: str = ""
) -> Problem | None:
    """Make a problem of what is wrong: its number and a few examples; None where nothing is."""
    listed = iter(names)
    first = [str(name) or "(no title)" for name in islice(listed, MAX_EXAMPLES)]
    if not first:
        return None
    more = sum(1 for _ in listed)
    examples = ", ".join(first) + (", …" if more else "")
    detail = f"{says}: {len(first) + more:,} ({examples})"
    return Problem(what, f"{detail}; {step}" if step else detail, mendable)


def disk(folder: Path, size: int) -> list[Problem]:
    """Find out whether a folder's disk has room for a graph of this size (bytes) once more."""
    free, wanted = shutil.disk_usage(folder).free, max(size, MIN_FREE)
    if free >= wanted:
        return []
    return [
        Problem(
            "disk",
            f"{folder} has {free / 1e6:,.0f} MB free, which may not do for a large change; free "
            f"{(wanted - free) / 1e6:,.0f} MB",
            mendable=False,
        )
    ]
