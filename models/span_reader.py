"""Which stretch of a text answers a question: the packaged encoder with layers of its own.

Each token gets a score for beginning the answer and one for ending it, the first token those of
there being none (Devlin et al. 2019, "BERT", section 4.3). What was learned for that are the layers
above the encoder's word vectors, and the head: `hoptrail train spans`.
"""

import functools
import os
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kg.errors import ModelMissing
from . import packaged
from .passes import few_at_a_time
from .precision import fastest
from .span_weights import HEAD, LAYER, read_weights

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

    from .layers import Layers

Floats = NDArray[np.float32]
_HERE = resources.files("hoptrail.models")
ROOM = 288  # tokens of question and text together; of longer texts several windows are read
LONGEST_QUESTION = 48
LONGEST_TITLE = 110  # … with its heading
OVERLAP = 64  # tokens that a window shares with the one before
LONGEST_ANSWER = 30  # tokens
_LAYERS = "encoder."  # what their tensors' names begin with
_LOADING = threading.Lock()


@dataclass(frozen=True)
class SpanScores:
    """What one text says to a question.

    Args:
        starts: (n,), of each token beginning the answer, above there being none.
        ends: (n,), … of ending it.
        offsets: (n, 2), first character of each token in the text, and one past its last.
    """

    starts: Floats
    ends: Floats
    offsets: NDArray[np.int64]

    def of(self, start: int, end: int) -> float:
        """Score characters from `start` to before `end`: above 0 they answer rather than nothing.

        Characters without a token have minus infinity.
        """
        firsts, behind = self._edges
        first, last = bisect_right(behind, start), bisect_left(firsts, end) - 1
        if first > last:
            return -np.inf
        return float(self.starts[first] + self.ends[last])

    @functools.cached_property
    def _edges(self) -> tuple[list[int], list[int]]:
        """The first character of each token, and one past its last: a thousand are looked up."""
        return self.offsets[:, 0].tolist(), self.offsets[:, 1].tolist()

    @functools.cached_property
    def total(self) -> float:
        """Less this, what `of` gives is the log of a probability: nothing is an answer, too."""
        return float(sum(np.logaddexp.reduce([*one, 0.0]) for one in (self.starts, self.ends)))

    def best(self, count: int) -> list[tuple[float, int, int]]:
        """Return the best stretches that do not overlap: (score, start, end) in characters."""
        n = len(self.starts)
        scores = self.starts[:, None] + self.ends[None, :]
        places = np.arange(n)
        apart = places[None, :] - places[:, None]
        scores[(apart < 0) | (apart >= LONGEST_ANSWER)] = -np.inf
        found: list[tuple[float, int, int]] = []
        while len(found) < min(count, n):
            first, last = divmod(int(scores.argmax()), n)
            if not np.isfinite(scores[first, last]):
                break
            found.append(
                (
                    float(scores[first, last]),
                    int(self.offsets[first, 0]),
                    int(self.offsets[last, 1]),
                )
            )
            scores[first : last + 1] = -np.inf
            scores[:, first : last + 1] = -np.inf
            scores[:first, last:] = -np.inf
        return found


@dataclass(frozen=True)
class WeightsFile:
    """Where a span reader's weights are.

    Args:
        packaged: those that come with Hoptrail.
        setting: names a file that `hoptrail train spans` wrote, for these.
    """

    packaged: Traversable
    setting: str


TEXTS = WeightsFile(_HERE / "span_reader.safetensors", "HOPTRAIL_SPANS")
"""Six layers: they read whole passages."""
SENTENCES = WeightsFile(_HERE / "sentence_reader.safetensors", "HOPTRAIL_SENTENCES")
"""Twelve: they read a few sentences of those once more."""


class SpanReader:
    """Scores the stretches of texts; what it needs is loaded at first use, once in a process."""

    def __init__(self, file: WeightsFile = TEXTS) -> None:
        self._file = file

    def read(self, question: str, texts: Sequence[tuple[str, str]]) -> list[SpanScores]:
        """Score each (title, text); in one pass, padding would cost half as much again.

        Raises:
            ModelMissing: the weights can't be read, or are another encoder's.
        """
        if not texts:
            return []
        loaded = self._loaded
        windows = [list(loaded.rows(question, title, text)) for title, text in texts]
        scores = loaded.each(chain.from_iterable(windows))
        return [_together([(row, next(scores)) for row in of_text]) for of_text in windows]

    def load(self) -> None:
        """Load it now; errors as in `read`."""
        _ = self._loaded

    @property
    def _loaded(self) -> "_Loaded":
        with _LOADING:
            named = os.environ.get(self._file.setting)
            return _loaded(Path(named) if named else self._file.packaged)


@dataclass(frozen=True)
class _Row:
    """A question with a window of a text.

    Args:
        asked: how many tokens are the question's, with its marks.
        begin: where the window's begin, behind the title's.
        places: characters of those in the text: (n, 2).
    """

    tokens: list[int]
    asked: int
    begin: int
    places: NDArray[np.int64]


@dataclass(frozen=True)
class _Loaded:
    """The encoder with what was learned, and the head."""

    tokenizer: "Tokenizer"
    layers: "Layers"
    head: "torch.nn.Linear"

    def rows(self, question: str, title: str, text: str) -> Iterator[_Row]:
        """The windows of a text."""
        asked = self._tokens(question)[0][:LONGEST_QUESTION]
        above = f"{title}: " if title else ""
        ids, offsets = self._tokens(above + text)
        places = np.array(offsets, np.int64).reshape(-1, 2) - len(above)
        own = int((places[:, 0] < 0).sum())  # of the title, which holds no answer
        first, last = packaged.marks()
        begin = [first, *asked, last, *ids[:own][:LONGEST_TITLE]]
        ids, places = ids[own:], places[own:]
        room = max(2 * OVERLAP, ROOM - len(begin) - 1)
        for at in range(0, max(1, len(ids) - OVERLAP), room - OVERLAP):
            window = ids[at : at + room]
            tokens = [*begin, *window, last]
            yield _Row(tokens, len(asked) + 2, len(begin), places[at : at + room])

    def _tokens(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        told = self.tokenizer.encode(text, add_special_tokens=False)
        return told.ids, told.offsets

    def each(self, rows: Iterable[_Row]) -> Iterator[Floats]:
        """Score rows, in order."""
        on_cores = self.head.weight.device.type == "cpu"
        return few_at_a_time(self.scores, rows) if on_cores else map(self.scores, rows)

    def scores(self, row: _Row) -> Floats:
        """Score a row's first token, and those of the window, for beginning and ending the answer.

        Returns:
            float32 (1 + n, 2).
        """
        import torch

        device, end = self.head.weight.device, row.begin + len(row.places)
        tokens = torch.tensor([row.tokens], device=device)
        wanted = torch.tensor([0, *range(row.begin, end)], device=device)
        with torch.inference_mode():
            states = self.layers(tokens, row.asked, wanted=wanted)
            return self.head(states.float())[0].cpu().numpy()


def _together(windows: Sequence[tuple[_Row, Floats]]) -> SpanScores:
    """Join a text's windows: what two of them share counts as the better says."""
    above_none = [scores[1:] - scores[0] for _, scores in windows]
    every = np.concatenate([row.places for row, _ in windows])
    places, numbers = np.unique(every, axis=0, return_inverse=True)
    best = np.full(places.shape, -np.inf, np.float32)
    np.maximum.at(best, numbers.reshape(-1), np.concatenate(above_none))
    return SpanScores(best[:, 0], best[:, 1], places)


@functools.lru_cache(maxsize=4)
def _loaded(weights: Traversable) -> _Loaded:
    import torch

    from . import eight_bits
    from .layers import Layers

    with resources.as_file(weights) as path:
        told = read_weights(path)
    try:
        head = torch.nn.Linear(told[f"{HEAD}weight"].shape[1], 2)
        head.load_state_dict({name: told.pop(HEAD + name) for name in head.state_dict()})
        learned = _with_the_others(told)
        on_cores = not torch.cuda.is_available()
        if on_cores and eight_bits.fits():  # scores of likely answers differ by some 0.1 of a logit
            layers = Layers(learned, packaged.HEADS, eight_bits.multiplying)
        else:
            layers = Layers(learned, packaged.HEADS).to(fastest() if on_cores else "cuda")
    except (KeyError, RuntimeError) as error:
        raise ModelMissing(
            f"{path} holds no span reader of the packaged encoder, or one of an older version: fit "
            "it anew with hoptrail train spans."
        ) from error
    head = head if on_cores else head.to("cuda")
    return _Loaded(packaged.tokenizer(), layers.eval(), head)


def _with_the_others(told: "dict[str, torch.Tensor]") -> "dict[str, torch.Tensor]":
    """What was learned, and the encoder's vectors of words and places.

    Raises:
        KeyError: the encoder has none of this name and shape.
    """
    own = packaged.weights()
    for name, tensor in told.items():
        if own[LAYER.sub("encoder.layer.0.", name)].shape != tensor.shape:
            raise KeyError(name)
    return {n: t for n, t in own.items() if not n.startswith(_LAYERS)} | told
