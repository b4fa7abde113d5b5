"""Fitted parameters as a JSON object that says where it comes from, in a file or with a graph.

One way for GNN-Ret, the ranker and the reader. It lies below retrieval and reader, which use what
was fitted, and training, which fits it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..kg.errors import BadRequest, EncoderMismatch, HoptrailError, SourceError
from ..kg.graph_info import created_by, now
from ..kg.store import Graph
from ..kg.types import Fingerprint
from ..loaders.reading import read_text
from ..loaders.writing import write_whole
from ..models.encoder import Encoder

T = TypeVar("T")
FORMAT = 1  # of the JSON; a higher number is a newer version's
MAX_WHY = 300  # characters: it may quote a value
_MALFORMED = (
    *(AttributeError, KeyError, TypeError, ValueError, OverflowError),
    RecursionError,  # nested without end
)


@dataclass(frozen=True, slots=True)
class Fitted(Generic[T]):
    """Parameters that training found, with what they hold for.

    Args:
        encoder: whose vectors they were fitted to; None where the file does not say.
        provenance: sources (file, sha256), how many questions, settings, figures, version, date.
    """

    parameters: T
    encoder: Fingerprint | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FittedFormat(Generic[T]):
    """The form in which parameters of one kind are written, read, checked and kept.

    Args:
        kind: what `hoptrail train` and the graph call them.
        what: they are, for messages.
        fields: of the JSON object after "format", in the order they are written; "encoder" and
            "provenance" are those of `Fitted`, the others come from `to_record`.
        to_record: the parameters as fields.
        from_record: the reverse; raises KeyError, TypeError or ValueError for what is no record.
        compact: on one line, characters as they are; else indented, in ASCII.
        error: raised for what can't be read.
    """

    kind: str
    what: str
    fields: tuple[str, ...]
    to_record: Callable[[T], Mapping[str, Any]]
    from_record: Callable[[Mapping[str, Any]], T]
    compact: bool = False
    error: type[HoptrailError] = BadRequest

    def to_json(self, fitted: Fitted[T]) -> str:
        """Write one JSON object, ended by a line feed."""
        record = {
            "format": FORMAT,
            "encoder": fitted.encoder and asdict(fitted.encoder),
            "provenance": dict(fitted.provenance),
            **self.to_record(fitted.parameters),
        }
        ordered = {name: record[name] for name in ("format", *self.fields) if name in record}
        if self.compact:
            return json.dumps(ordered, separators=(",", ":"), ensure_ascii=False) + "\n"
        return json.dumps(ordered, indent=1) + "\n"

    def from_json(self, text: str, where: str) -> Fitted[T]:
        """Read the parameters that `to_json` wrote.

        Args:
            where: it stands, for messages.

        Raises:
            HoptrailError: it is something else, or of a newer version; of the type `error`.
        """
        try:
            record = json.loads(text)
            if record["format"] > FORMAT:
                raise self.error(
                    f"{where}: written by a newer version; upgrade hoptrail, or fit again with "
                    f"`hoptrail train {self.kind} DATA…`."
                )
            encoder = record["encoder"] if "encoder" in self.fields else None
            return Fitted(
                self.from_record(record),
                encoder and Fingerprint(**encoder),
                dict(record["provenance"]),
            )
        except _MALFORMED as error:
            why = (str(error) if isinstance(error, ValueError) else repr(error))[:MAX_WHY]
            raise self.error(
                f"{where}: not {self.what} ({why}); `hoptrail train {self.kind} DATA…` writes one."
            ) from error

    def save(self, fitted: Fitted[T], path: Path) -> None:
        """Write the parameters to a JSON file; parent folders must exist."""
        write_whole(path, self.to_json(fitted))

    def load(self, path: Path) -> Fitted[T]:
        """Read the parameters of a file that `save` wrote.

        Raises:
            HoptrailError: it can't be read, or holds something else; of the type `error`.
        """
        try:
            text = read_text(path)  # a regular file of some megabytes at most: no pipe, no device
        except SourceError as error:
            raise self.error(
                f"{path} can't be read as {self.what} ({error.reason}); name a file of "
                f"`hoptrail train {self.kind}`."
            ) from error
        return self.from_json(text, str(path))

    def stored(self, graph: Graph, encoder: Encoder) -> Fitted[T] | None:
        """Read the parameters that are kept with a graph; None where there are none.

        Raises:
            EncoderMismatch: it was fitted with another encoder.
            HoptrailError: it is something else; of the type `error`.
        """
        text = graph.parameters(self.kind)
        if text is None:
            return None
        where = f"What is kept as {self.kind} with {graph.where}"
        fitted = self.from_json(text, where)
        self.check(fitted, encoder.fingerprint, where)
        return fitted

    def check(self, fitted: Fitted[T], fingerprint: Fingerprint, where: str) -> None:
        """Refuse another encoder: vectors of one say nothing about those of another.

        Raises:
            EncoderMismatch: these were fitted with another.
        """
        if fitted.encoder not in (None, fingerprint):
            raise EncoderMismatch(
                f"{where}: fitted with the encoder {fitted.encoder.name} (weights "
                f"{fitted.encoder.weights}), not {fingerprint.name} ({fingerprint.weights}). Fit "
                f"again with `hoptrail train {self.kind}`; `hoptrail train forget {self.kind}` "
                "takes out what a graph keeps."
            )


def provenance(
    sources: Sequence[Mapping[str, Any]], questions: int, **found: object
) -> dict[str, Any]:
    """Describe where fitted parameters come from, as of now.

    Args:
        sources: files with their hashes.
        questions: how many taught something.
        found: settings and figures.
    """
    return {
        "sources": [dict(source) for source in sources],
        "questions": questions,
        **found,
        "made_with": created_by(),
        "date": now()[:10],
    }
