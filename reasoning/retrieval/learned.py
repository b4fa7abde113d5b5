"""What training found for GNN-Ret and RGNN-Ret, as a small JSON file with where it comes from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from ...kg.errors import BadRequest
from ...kg.store import GraphStore
from ...kg.types import LinkKind
from ...models.encoder import Encoder
from .gnn_ret import EDGES, GnnRet

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Learned:
    """α of each layer and β, with the setting they were fitted in.

    Args:
        beta: None when there were no sub-questions to fit it to.
        provenance: sources, how many questions, encoder, settings, losses, version, date.
    """

    alphas: tuple[float, ...]
    beta: float | None = None
    senders: int = 5
    kinds: tuple[LinkKind, ...] = EDGES
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def retriever(self, graph: GraphStore, encoder: Encoder) -> GnnRet:
        """GNN-Ret as it was fitted."""
        return GnnRet(graph, encoder, self.alphas, len(self.alphas), self.senders, self.kinds)

    def to_json(self) -> str:
        """One object, indented."""
        record = {
            "format": _FORMAT,
            "alphas": list(self.alphas),
            "beta": self.beta,
            "senders": self.senders,
            "kinds": list(self.kinds),
            "provenance": dict(self.provenance),
        }
        return json.dumps(record, indent=1) + "\n"

    @staticmethod
    def from_json(text: str, where: str = "These parameters") -> "Learned":
        """What `to_json` wrote.

        Raises:
            BadRequest: it is something else, or of a newer version; names `where`.
        """
        try:
            record = json.loads(text)
            if record["format"] > _FORMAT:
                raise BadRequest(f"{where}: written by a newer version; upgrade hoptrail.")
            beta = record["beta"]
            learned = Learned(
                tuple(float(alpha) for alpha in record["alphas"]),
                None if beta is None else float(beta),
                int(record["senders"]),
                tuple(record["kinds"]),
                dict(record["provenance"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadRequest(f"{where}: not parameters of GNN-Ret ({error!r}); train again.") from (
                error
            )
        shares = [*learned.alphas, 1.0 if learned.beta is None else learned.beta]
        sound = learned.senders > 0 and learned.alphas and all(0 <= s <= 1 for s in shares)
        if not sound or not set(learned.kinds) <= set(get_args(LinkKind)):
            raise BadRequest(f"{where}: a parameter of GNN-Ret is out of its range; train again.")
        return learned

    def save(self, path: Path) -> None:
        """Write the JSON file; parent folders must exist."""
        path.write_text(self.to_json(), encoding="utf-8")

    @staticmethod
    def load(path: Path) -> "Learned":
        """From a file.

        Raises:
            BadRequest: it can't be read, or holds something else.
        """
        try:
            return Learned.from_json(path.read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise BadRequest(f"{path} can't be read ({error}); name a file of `train`.") from error
