"""The learned ranker: the hop's best passages, in the order that labelled questions taught.

Fitted by `ranker_training`; a retriever of questions like those it was fitted to.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ...kg.errors import BadRequest, EncoderMismatch
from ...kg.store import Graph
from ...kg.types import Fingerprint, Scored
from ...models.encoder import Encoder
from .hop import Hop
from .ranker_features import FEATURES, Floats, features
from .trees import Trees

KIND = "ranker"
"""Under which the graph keeps what was fitted."""
DEPTH = 100  # the hop's best, of which 97 % of what supports an answer are among
HOP = FEATURES.index("hop")
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Boosted:
    """Trees that correct the hop's score: where questions taught nothing, its order stays.

    Args:
        hop: what the hop's score counts beside the trees'.
    """

    hop: float
    trees: Trees

    def scores(self, rows: Floats) -> Floats:
        """Of rows (n, len(FEATURES)): (n,)."""
        return self.hop * rows[:, HOP] + self.trees.scores(rows)


@dataclass(frozen=True, slots=True)
class Linear:
    """Logistic regression: a weight for each feature.

    Args:
        weights: (len(FEATURES),).
    """

    weights: Floats

    def scores(self, rows: Floats) -> Floats:
        """Of rows (n, len(FEATURES)): (n,)."""
        return rows @ self.weights


@dataclass(frozen=True, slots=True)
class Fitted:
    """What training found, with where it comes from.

    Args:
        model: scores rows of FEATURES.
        encoder: whose similarities it was fitted to.
        hop: settings of the hop it was fitted over.
        depth: how many of the hop's best it ranks.
        provenance: sources, how many questions, settings, cross-validated figures, version, date.
    """

    model: Boosted | Linear
    encoder: Fingerprint
    hop: Mapping[str, float]
    depth: int
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def check(self, fingerprint: Fingerprint, where: str) -> None:
        """Similarities of one encoder say nothing about those of another.

        Raises:
            EncoderMismatch: this was fitted with another; names `where`.
        """
        if self.encoder != fingerprint:
            raise EncoderMismatch(
                f"{where}: fitted with the encoder {self.encoder.name} (weights "
                f"{self.encoder.weights}), not {fingerprint.name} ({fingerprint.weights}); run "
                "`hoptrail train ranker` again."
            )

    def to_json(self) -> str:
        """One object on one line."""
        if isinstance(self.model, Boosted):
            model = {"hop_weight": self.model.hop, "trees": self.model.trees.to_record()}
        else:
            model = {"linear": self.model.weights.tolist()}
        record = {
            "format": _FORMAT,
            "kind": KIND,
            "features": list(FEATURES),
            "encoder": asdict(self.encoder),
            "hop": dict(self.hop),
            "depth": self.depth,
            "provenance": dict(self.provenance),
            **model,
        }
        return json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n"

    @staticmethod
    def from_json(text: str, where: str) -> "Fitted":
        """What `to_json` wrote.

        Raises:
            BadRequest: it is something else, or of another version; names `where`.
        """
        try:
            record = json.loads(text)
            if record["kind"] != KIND:
                raise ValueError(f"kind {record['kind']!r}")
            if record["format"] > _FORMAT:
                raise BadRequest(f"{where}: written by a newer version; upgrade hoptrail.")
            if record["features"] != list(FEATURES):
                raise BadRequest(
                    f"{where}: fitted by a version with other features; "
                    "run `hoptrail train ranker` again."
                )
            return Fitted(
                _model(record),
                Fingerprint(**record["encoder"]),
                {name: _number(value) for name, value in record["hop"].items()},
                max(int(record["depth"]), 1),
                dict(record["provenance"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise BadRequest(
                f"{where}: not a fitted ranker ({error!r}); `hoptrail train ranker` writes one."
            ) from error

    @staticmethod
    def load(path: Path) -> "Fitted":
        """From a file.

        Raises:
            BadRequest: it can't be read, or holds something else.
        """
        try:
            return Fitted.from_json(path.read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise BadRequest(
                f"{path} can't be read ({error}); name a file of `hoptrail train ranker`."
            ) from error


@dataclass(frozen=True)
class Ranker:
    """The hop, re-ranked as fitted.

    Args:
        file: of `hoptrail train ranker --out`; None takes what is stored with the graph.
    """

    graph: Graph
    encoder: Encoder
    file: str | None = None
    name: ClassVar[str] = "ranker"

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """See Retriever; the score has no unit, only its order means something.

        Raises:
            BadRequest: nothing was fitted, or it can't be used here.
            EncoderMismatch: it was fitted to another encoder's similarities.
        """
        hop, depth = self._hop, self.fitted.depth
        look = hop.look(question, max(limit, hop.chosen), within)
        found = hop.rank(look, max(depth, limit))
        best, others = found[:depth], found[depth:]
        scores = self.fitted.model.scores(features(look, best))
        # The sort is stable: what the trees can't tell apart stays in the hop's order.
        order = np.argsort(-scores, kind="stable")
        ranked = [Scored(best[place].id, float(scores[place])) for place in order]
        # What the hop ranks lower stays below: who asks for more gets the same first.
        if others:
            least = ranked[-1].score - best[-1].score
            ranked += [Scored(scored.id, least + scored.score) for scored in others]
        return ranked[: max(limit, 0)]

    @cached_property
    def fitted(self) -> Fitted:
        """What the file or the graph holds; read once."""
        where = self.file or f"The ranker stored with {self.graph.where}"
        if self.file:
            fitted = Fitted.load(Path(self.file))
        else:
            text = self.graph.parameters(KIND)
            if text is None:
                raise BadRequest(
                    f"No ranker is stored with {self.graph.where}. Fit one to your own labelled "
                    f"questions: hoptrail --graph {self.graph.where} train ranker DATA…"
                )
            fitted = Fitted.from_json(text, where)
        fitted.check(self.encoder.fingerprint, where)
        return fitted

    @cached_property
    def _hop(self) -> Hop:
        try:
            return Hop(self.graph, self.encoder, **self.fitted.hop)  # pyright: ignore[reportArgumentType]
        except TypeError as error:
            raise BadRequest(
                f"The ranker was fitted over a hop with other settings ({error}); "
                "run `hoptrail train ranker` again."
            ) from error


def _model(record: Mapping[str, Any]) -> Boosted | Linear:
    if "trees" in record:
        trees = Trees.from_record(record["trees"], len(FEATURES))
        return Boosted(_number(record["hop_weight"]), trees)
    weights = np.array(record["linear"], float)
    if weights.shape != (len(FEATURES),) or not np.isfinite(weights).all():
        raise ValueError("not a weight for each feature")
    return Linear(weights)


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return value
