"""What training found for GNN-Ret and RGNN-Ret: a small JSON object that says where it comes from.

It is kept with the graph (`GraphStore.keep_parameters`, as KIND), or in a file.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from ...kg.errors import BadRequest, EncoderMismatch
from ...kg.store import Graph
from ...kg.types import Fingerprint, LinkKind
from ...models.encoder import Encoder
from .gnn_ret import EDGES, GnnRet

KIND = "gnn-ret"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Learned:
    """α of each layer and β, with the setting they were fitted in.

    Args:
        beta: of RGNN-Ret; None when there were no sub-questions to fit it to.
        step_alphas: α of each layer in the steps of RGNN-Ret, fitted with β; empty without.
        encoder: whose distances these are fitted to.
        provenance: sources (file, sha256), how many questions, settings, losses before and after,
            version, date.
    """

    alphas: tuple[float, ...]
    beta: float | None = None
    step_alphas: tuple[float, ...] = ()
    senders: int = 5
    kinds: tuple[LinkKind, ...] = EDGES
    encoder: Fingerprint | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def retriever(self, graph: Graph, encoder: Encoder) -> GnnRet:
        """GNN-Ret as it was fitted.

        Raises:
            EncoderMismatch: it was fitted to the distances of another encoder.
        """
        self.check(encoder.fingerprint)
        return GnnRet(graph, encoder, self.alphas, len(self.alphas), self.senders, self.kinds)

    def step(self, graph: Graph, encoder: Encoder) -> GnnRet:
        """The network of a step of RGNN-Ret, as it was fitted, or as GNN-Ret was."""
        alphas = self.step_alphas or self.alphas
        return replace(self, alphas=alphas).retriever(graph, encoder)

    def check(self, fingerprint: Fingerprint) -> None:
        """Distances of one encoder say nothing about those of another.

        Raises:
            EncoderMismatch: these were fitted with another.
        """
        if self.encoder not in (None, fingerprint):
            raise EncoderMismatch(
                f"Parameters of GNN-Ret were fitted with the encoder {self.encoder.name} (weights "
                f"{self.encoder.weights}), not {fingerprint.name} ({fingerprint.weights}); train "
                "again, or `hoptrail train forget gnn-ret`."
            )

    def to_json(self) -> str:
        """One object, indented."""
        record = {
            "format": _FORMAT,
            "alphas": list(self.alphas),
            "beta": self.beta,
            "step_alphas": list(self.step_alphas),
            "senders": self.senders,
            "kinds": list(self.kinds),
            "encoder": self.encoder and asdict(self.encoder),
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
                tuple(float(alpha) for alpha in record["step_alphas"]),
                int(record["senders"]),
                tuple(map(str, record["kinds"])),  # pyright: ignore[reportArgumentType]
                record["encoder"] and Fingerprint(**record["encoder"]),
                dict(record["provenance"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadRequest(f"{where}: not parameters of GNN-Ret ({error!r}); train again.") from (
                error
            )
        shares = [
            *learned.alphas,
            *learned.step_alphas,
            1.0 if learned.beta is None else learned.beta,
        ]
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
