"""A cross-encoder, which reads question and passage together: sentence-transformers' own class."""

import functools
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kg.errors import ModelMissing
from .encoder_files import quiet

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

_LOADING = threading.Lock()


@dataclass(frozen=True)
class PairScorer:
    """Scores how well texts fit a question; loaded at first use.

    Args:
        folder: that holds the model.
        batch_size: pairs a forward pass.
    """

    folder: str
    batch_size: int = 16

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Score each text: float64 (n,), higher is better, as the model's own activation has it.

        Raises:
            ModelMissing: the folder holds no cross-encoder, or one with several scores a pair.
        """
        if not texts:
            return np.zeros(0)
        with _LOADING:
            model = _loaded(self.folder)
        said = model.predict(
            [(question, text) for text in texts],
            batch_size=self.batch_size,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(said, np.float64).reshape(len(texts))


@functools.lru_cache(maxsize=2)
def _loaded(folder: str) -> "CrossEncoder":
    if not Path(folder).is_dir():
        raise ModelMissing(f"There is no folder {folder!r} with a cross-encoder.")
    from sentence_transformers import CrossEncoder

    with quiet():
        try:
            model = CrossEncoder(folder, local_files_only=True)
        except Exception as error:  # whatever torch or a config file raises
            raise ModelMissing(
                f"The cross-encoder in {folder!r} can't be loaded ({str(error)[:200]}). Name a "
                "folder that sentence-transformers' CrossEncoder has saved."
            ) from error
    if model.num_labels != 1:
        raise ModelMissing(
            f"The model in {folder!r} gives {model.num_labels} scores a pair; one that reranks "
            "gives one."
        )
    return model
