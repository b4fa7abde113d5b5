"""Vectors of short texts that are wanted again and again."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from ..kg.types import Vector


class KeptVectors:
    """Keeps the vectors of the texts that were wanted last; threads may share it.

    Args:
        most: how many; 20,000 take 30 MB at 384 dimensions.
    """

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._kept: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def of(
        self, texts: Sequence[str], encode: Callable[[Sequence[str]], Vector], dimension: int
    ) -> Vector:
        """Return float32 (len(texts), dimension); what is not kept is encoded, each text once."""
        with self._lock:
            known = {text: self._kept[text] for text in texts if text in self._kept}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known |= dict(zip(new, encode(new), strict=True)) if new else {}
        with self._lock:
            for text in dict.fromkeys(texts):
                self._kept[text] = known[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        found = np.array([known[text] for text in texts], dtype=np.float32)
        return found.reshape(len(texts), dimension)
