"""What keeps a graph right over the years: moved whole, to another encoder, checked, mended."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from .types import Fingerprint, Vector

Record = Mapping[str, Any]
Embedded = Literal["passage", "triple"]


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
    def restore(self, records: Iterable[Record]) -> int:
        """Write into an empty graph what `records` of any store gave; how many records.

        Afterwards `records` gives the same again. What is not in a record (how often entities are
        spelled so, stems, search words) is counted again. All or nothing: on a server, where that
        takes several transactions, a restoration that broke off leaves a graph that says so when it
        is read, and that the same call begins anew.

        Raises:
            BadRequest: the graph holds documents already, or a record is not one of `records` (the
                message says which record, counted from 1, and which field).
            SchemaMismatch: a newer version wrote the records.
        """
        ...

    # -- moved to another encoder: the new vectors grow beside the old ones, then take their place
    def begin_reembedding(self, fingerprint: Fingerprint) -> None:
        """Go on with the vectors of this encoder; what was begun for another one is thrown away."""
        ...

    def reembedding(self) -> Fingerprint | None:
        """The encoder a begun move goes to, None when none is under way."""
        ...

    def not_reembedded(self, kind: Embedded, limit: int) -> dict[str, str]:
        """Texts that still lack the new vector, by id, as the encoder reads them; at most `limit`.

        Of triples only those that have a vector of the old encoder.
        """
        ...

    def keep_reembedded(self, kind: Embedded, vectors: Mapping[str, Vector]) -> None:
        """Keep new vectors (d,), by id; searches do not see them yet."""
        ...

    def finish_reembedding(self) -> bool:
        """Put the new vectors and fingerprint in the place of the old ones.

        False, and nothing changed, when something still lacks its vector (written meanwhile).
        """
        ...

    # -- checked and mended
    def problems(self) -> list[Problem]:
        """Everything wrong with the graph itself; empty when it is sound."""
        ...

    def repair(self) -> list[Problem]:
        """Mend what is mendable; what was mended."""
        ...
