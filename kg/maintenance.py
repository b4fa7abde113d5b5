"""What keeps a graph right over the years: moved whole, to another encoder, checked, mended."""

import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol

from .types import Fingerprint, Vector

Record = Mapping[str, Any]
Embedded = Literal["passage", "triple"]
SHOWN = 3  # examples a finding names
SPARE = 200_000_000  # bytes
INGEST_AGAIN = "`hoptrail ingest` of their sources replaces them"
MARKED = f"doctor --fix marks them, then {INGEST_AGAIN}"
OLDER = "an older version made the graph; whatever writes into it next brings it up to date"
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


class Upkeep(Protocol):
    """The part of `GraphStore` that questions do not need."""

    # -- moved whole
    def restore(
        self, records: Iterable[Record], progress: Callable[[int], None] = lambda done: None
    ) -> int:
        """Write into an empty graph what `records` of any store gave; how many records.

        Afterwards `records` gives the same again, also to the encoder's fingerprint and created_by.
        What is not in a record (how often entities are spelled so, search words) is counted again;
        what follows from other records (NEXT, SHARES_KEYWORD, NAMES, RELATES_TO, names, stems) must
        be in them as it follows. Records of an older version may lack what that did not know, and
        what follows is derived again. All or nothing: on a server, where writing takes several
        transactions, one that broke off leaves a graph that says so when it is read, and that the
        same call begins anew.

        Args:
            records: in the order of `GraphStore.records`, one at a time; every record is seen
                before anything is written to a server.
            progress: called with the number of records written so far.

        Raises:
            BadRequest: the graph holds something already, or the records are not those of a graph;
                BadRecord says which record, counted from 1, and which field.
            SchemaMismatch: a newer version wrote the records.
        """
        ...

    # -- brought up to date
    def migrate(self) -> bool:
        """Make a graph of an older version one of this version, as every write does; if it was.

        All or nothing.

        Raises:
            SchemaMismatch: it lacks what only ingesting can give; see `obstacles`.
        """
        ...

    def obstacles(self) -> list[str]:
        """What `migrate` of an older graph would fail for; empty when nothing stands in its way."""
        ...

    # -- of one encoder, and moved to another: the new vectors grow beside the old ones, then take
    # their place
    def expect(self, fingerprint: Fingerprint) -> None:
        """Vectors given to this store from now on are of this encoder; so says `prepare`, too.

        Raises:
            EncoderMismatch: the graph carries another, now, or when a later call with vectors sees
                that somebody moved it.
        """
        ...

    def begin_reembedding(self, fingerprint: Fingerprint) -> None:
        """Go on with the vectors of this encoder; what was begun for another one is thrown away.

        Raises:
            BadRequest: nobody prepared the graph, or it carries this encoder already.
        """
        ...

    def reembedding(self) -> Fingerprint | None:
        """The encoder a begun move goes to, None when none is under way."""
        ...

    def not_reembedded(self, kind: Embedded, limit: int, after: str = "") -> dict[str, str]:
        """Texts that still lack the new vector, as the encoder reads them, by id, sorted.

        Of triples only those that have a vector of the old encoder.

        Args:
            kind: of what.
            limit: how many at most.
            after: only greater ids than this one.
        """
        ...

    def count_not_reembedded(self) -> int:
        """How many texts, of either kind, still lack the new vector."""
        ...

    def keep_reembedded(
        self, fingerprint: Fingerprint, kind: Embedded, texts: Mapping[str, str], vectors: Vector
    ) -> None:
        """Keep new vectors; searches do not see them yet. What reads otherwise now is passed over.

        Args:
            fingerprint: of the encoder that made them.
            kind: of what.
            texts: as `not_reembedded` gave them.
            vectors: (len(texts), d), in their order.

        Raises:
            EncoderMismatch: the graph is not, or no longer, being moved to this encoder.
        """
        ...

    def finish_reembedding(self, fingerprint: Fingerprint) -> bool:
        """Put the new vectors and this fingerprint in the place of the old ones.

        False, and nothing changed, when something still lacks its vector (written meanwhile). On
        SQLite one transaction. On a server several: until the last one whoever needs vectors gets
        StoreUnavailable, and where they broke off, the same call goes on.

        Raises:
            EncoderMismatch: the graph is not, or no longer, being moved to this encoder.
        """
        ...

    def not_embedded(self, limit: int, after: str = "") -> dict[str, str]:
        """Texts of triples without a vector (see `not_reembedded`)."""
        ...

    # -- checked and mended
    def problems(
        self, quick: bool = False, progress: Callable[[str], None] = lambda what: None
    ) -> list[Problem]:
        """Everything wrong with the graph, and with what holds it; empty when it is sound.

        Args:
            quick: leave out what takes longer than reading the graph's outline: whether names,
                counts and edges follow from the texts.
            progress: called with what is looked at next.
        """
        ...

    def repair(self, progress: Callable[[str], None] = lambda what: None) -> list[Problem]:
        """Mend without loss what is mendable; what was mended.

        Afterwards what is derived is as if the graph had been built afresh. Documents whose own
        facts are damaged are marked, so that the next ingestion replaces them. All or nothing in a
        file; on a server over many transactions, and again where that broke off.

        Raises:
            StoreUnavailable: the graph may not be written, or others wrote meanwhile.
        """
        ...


def found(
    what: str, says: str, names: Iterable[object], mendable: bool, step: str = ""
) -> Problem | None:
    """A problem with a number and a few examples; None where there are none."""
    listed = iter(names)
    first = [str(name) or "(no title)" for name in islice(listed, SHOWN)]
    if not first:
        return None
    more = sum(1 for _ in listed)
    examples = ", ".join(first) + (", …" if more else "")
    detail = f"{says}: {len(first) + more:,} ({examples})"
    return Problem(what, f"{detail}; {step}" if step else detail, mendable)


def disk(folder: Path, size: int) -> list[Problem]:
    """Whether a folder's disk has room for a graph of this size (bytes) once more."""
    free, wanted = shutil.disk_usage(folder).free, max(size, SPARE)
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
