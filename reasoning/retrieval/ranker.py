"""The learned ranker: the hop's best passages, in the order that labelled questions taught.

Fitted by `training.ranker`; a retriever of questions like those it was fitted to.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.types import Scored
from ...models.encoder import Encoder
from ..fitted import Fitted, FittedFormat
from .hop import Hop
from .ranker_features import FEATURES, Floats, features
from .trees import Trees

KIND = "ranker"
"""Under which the graph keeps what was fitted."""
DEPTH = 100  # the hop's best, of which 97 % of what supports an answer are among
HOP = FEATURES.index("hop")
_MOST = 1e9  # of a number in the file


@dataclass(frozen=True, slots=True)
class Boosted:
    """Trees that correct the hop's score: where questions taught nothing, its order stays.

    Args:
        hop: what the hop's score counts beside the trees'.
    """

    hop: float
    trees: Trees

    def scores(self, rows: Floats) -> Floats:
        """Score rows (n, len(FEATURES)): (n,)."""
        return self.hop * rows[:, HOP] + self.trees.scores(rows)


@dataclass(frozen=True, slots=True)
class Linear:
    """Logistic regression: a weight for each feature.

    Args:
        weights: (len(FEATURES),).
    """

    weights: Floats

    def scores(self, rows: Floats) -> Floats:
        """Score rows (n, len(FEATURES)): (n,)."""
        return rows @ self.weights


@dataclass(frozen=True, slots=True)
class RankerParameters:
    """The model that ranks, and the hop it was fitted over.

    Args:
        model: scores rows of FEATURES.
        hop: settings of the hop.
        depth: how many of the hop's best it ranks.
    """

    model: Boosted | Linear
    hop: Mapping[str, float]
    depth: int

    def to_record(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        if isinstance(self.model, Boosted):
            model = {"hop_weight": self.model.hop, "trees": self.model.trees.to_record()}
        else:
            model = {"linear": self.model.weights.tolist()}
        about = {"kind": KIND, "features": list(FEATURES)}
        return {**about, "hop": dict(self.hop), "depth": self.depth, **model}

    @staticmethod
    def from_record(record: Mapping[str, Any]) -> "RankerParameters":
        """Read the parameters that `to_record` gave.

        Raises:
            KeyError, TypeError, ValueError: it gave something else, or for other features.
        """
        if record["kind"] != KIND:
            raise ValueError(f"kind {record['kind']!r}")
        if record["features"] != list(FEATURES):
            raise ValueError("fitted by a version with other features")
        return RankerParameters(
            _model(record),
            {name: _number(value) for name, value in record["hop"].items()},
            max(int(record["depth"]), 1),
        )


def _model(record: Mapping[str, Any]) -> Boosted | Linear:
    if "trees" in record:
        trees = Trees.from_record(record["trees"], len(FEATURES))
        return Boosted(_number(record["hop_weight"]), trees)
    weights = np.array(record["linear"], float)
    if weights.shape != (len(FEATURES),) or not np.isfinite(weights).all():
        raise ValueError("not a weight for each feature")
    return Linear(weights)


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not abs(value) <= _MOST:  # nor is NaN
        raise TypeError(f"{value!r} is no number")
    return value


RANKER = FittedFormat(
    KIND,
    "a fitted ranker",
    ("kind", "features", "encoder", "hop", "depth", "provenance", "hop_weight", "trees", "linear"),
    RankerParameters.to_record,
    RankerParameters.from_record,
    compact=True,
)


@dataclass(frozen=True)
class Ranker:
    """Ranks the hop's best again, as it was fitted.

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
        """Rank passages; see Retriever. The score has no unit, only its order means something.

        Raises:
            BadRequest: nothing was fitted, or it can't be used here.
            EncoderMismatch: it was fitted to another encoder's similarities.
        """
        hop, depth = self._hop, self.fitted.parameters.depth
        look = hop.look(question, max(limit, hop.chosen), within)
        found = hop.rank(look, max(depth, limit))
        best, others = found[:depth], found[depth:]
        scores = self.fitted.parameters.model.scores(features(look, best))
        # The sort is stable: what the trees can't tell apart stays in the hop's order.
        order = np.argsort(-scores, kind="stable")
        ranked = [Scored(best[place].id, float(scores[place])) for place in order]
        # What the hop ranks lower stays below: who asks for more gets the same first.
        if others:
            least = ranked[-1].score - best[-1].score
            ranked += [Scored(scored.id, least + scored.score) for scored in others]
        return ranked[: max(limit, 0)]

    @cached_property
    def fitted(self) -> Fitted[RankerParameters]:
        """The parameters of the file or the graph; read once."""
        if self.file:
            fitted = RANKER.load(Path(self.file))
            RANKER.check(fitted, self.encoder.fingerprint, self.file)
            return fitted
        if fitted := RANKER.stored(self.graph, self.encoder):
            return fitted
        raise BadRequest(
            f"No ranker is stored with {self.graph.where}. Fit one to your own labelled questions.",
            f"hoptrail --graph {self.graph.where} train ranker DATA…",
        )

    @cached_property
    def _hop(self) -> Hop:
        try:
            return Hop(self.graph, self.encoder, **self.fitted.parameters.hop)  # pyright: ignore[reportArgumentType]
        except TypeError as error:
            raise BadRequest(
                f"The ranker was fitted over a hop with other settings ({error}); "
                "run `hoptrail train ranker` again."
            ) from error
