"""Completions token by token: what the grammar allows, valid UTF-8, until something ends it."""

import codecs
import ctypes
import re
import weakref
from collections.abc import Collection
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from ..language import Completion, Decoding
from ..tokens import Piece, spelt
from .context import Context, Logits
from .marks import Marks
from .vocabulary import Vocabulary, first_error, forget_errors, library

# llama.cpp checks a grammar by recursion on the C stack.
_DEEPEST, _MOST_RULES = 200, 5000
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|#[^\n]*', re.DOTALL)
_TOKEN_DATA = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])


class Grammar:
    """What may come next under a GBNF grammar, from its rule `root`.

    Raises:
        BadRequest: the grammar is invalid.
    """

    def __init__(self, gbnf: str, vocabulary: Vocabulary) -> None:
        self._lib = lib = library()
        self._vocabulary = vocabulary
        forget_errors()
        fault = _fault(gbnf)
        pointer = None
        if not fault:
            raw = gbnf.encode("utf-8", "replace")
            pointer = lib.llama_sampler_init_grammar(vocabulary.pointer, raw, b"root")
        if not pointer:  # using it would end the process
            raise BadRequest(
                f"The grammar is no valid GBNF ({fault or first_error()}): {gbnf[:200]!r}"
            )
        self._pointer = pointer
        self.close = weakref.finalize(self, lib.llama_sampler_free, pointer)

    def mask(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Score all tokens, -inf where the grammar does not allow one."""
        allowed = self._apply(np.arange(len(scores), dtype=np.int32))
        return np.where(allowed, scores, -np.inf)

    def allows(self, token: int) -> bool:
        """Tell whether a token may come next; an end token where the grammar is complete."""
        return bool(self._apply(np.array([token], np.int32))[0])

    def accept(self, token: int) -> None:
        """Go on after a token that the grammar allows."""
        self._lib.llama_sampler_accept(self._pointer, token)

    def _apply(self, tokens: NDArray[np.int32]) -> NDArray[np.bool_]:
        data = np.zeros(len(tokens), _TOKEN_DATA)
        data["id"] = tokens
        array = self._lib.llama_token_data_array(
            data=data.ctypes.data_as(self._lib.llama_token_data_p),
            size=len(tokens),
            selected=-1,
            sorted=False,
        )
        self._lib.llama_sampler_apply(self._pointer, ctypes.byref(array))
        return data["logit"] == 0


class Sampler:
    """Picks tokens: the likeliest at temperature 0, else by chance from a seed.

    Args:
        grammar: at its beginning; None allows everything.
        temperature: divides the logits.
        seed: of this completion.
    """

    def __init__(
        self, vocabulary: Vocabulary, grammar: Grammar | None, temperature: float, seed: int
    ) -> None:
        self._vocabulary = vocabulary
        self._grammar = grammar
        self._temperature = temperature
        self._chance = np.random.default_rng(seed)
        self._pending = b""  # the beginning of a character

    def pick(self, logits: Logits) -> int:
        """Pick the next token.

        The grammar is asked about the best token first, and about the whole vocabulary only when
        it refuses that one. With Gumbel noise the best allowed token is a draw from the allowed.
        """
        scores = logits.astype(np.float64)
        if self._temperature > 0:
            scores = scores / self._temperature + self._chance.gumbel(size=len(scores))
        masked = self._grammar is None
        while True:
            token = int(scores.argmax())
            if scores[token] == -np.inf:
                raise BadRequest("The model has no token for what the grammar asks for.")
            if self._spells(token) and (masked or self._allows(token)):
                return token
            if self._grammar is not None and not masked:
                scores, masked = self._grammar.mask(scores), True
            scores[token] = -np.inf

    def accept(self, token: int) -> None:
        """Go on after a token that was picked."""
        self._pending = _tail(self._pending + self._vocabulary.piece(token)) or b""
        if self._grammar is not None:
            self._grammar.accept(token)

    def complete(self) -> bool:
        """Whether the grammar allows nothing more."""
        if self._grammar is None:
            return False
        allowed = np.flatnonzero(np.isfinite(self._grammar.mask(np.zeros(self._vocabulary.size))))
        said = self._vocabulary
        return not any(said.piece(token) and not said.ends(token) for token in map(int, allowed))

    def _allows(self, token: int) -> bool:
        return self._grammar is None or self._grammar.allows(token)

    def _spells(self, token: int) -> bool:
        """Whether the text stays valid UTF-8 with this token, which says something under a grammar.

        llama.cpp lets a control token such as "<s>" stand for its spelling in a grammar.
        """
        piece = self._vocabulary.piece(token)
        if self._grammar is not None and not piece and not self._vocabulary.ends(token):
            return False
        return _tail(self._pending + piece) is not None


def complete(
    context: Context,
    logits: Logits,
    sampler: Sampler,
    decoding: Decoding,
    ends: Collection[int] = (),
    after_thought: bool = False,
) -> Completion:
    """Generate after what the context has read; `max_tokens` have to fit into it.

    `Completion.log_probability` is the model's own, before temperature and grammar, without the
    token that ends the completion. `Completion.tokens_in` is left at 0.

    Args:
        logits: of the first token.
        ends: tokens that end the completion besides those that end all generation.
        after_thought: blank lines before the first word are none of it.
    """
    vocabulary = context.vocabulary
    stops = [text.encode("utf-8", "replace") for text in decoding.stop if text]
    said, total, count, finish = b"", 0.0, 0, "length"
    pieces, cut = list[Piece](), None
    while True:
        token = sampler.pick(logits)
        if vocabulary.ends(token) or token in ends:
            finish = "stop"
            break
        pieces.append((vocabulary.piece(token), _log_probability(logits, token)))
        total += pieces[-1][1]
        count += 1
        said += pieces[-1][0]
        said = said.lstrip() if after_thought else said
        sampler.accept(token)
        cut = min((at for text in stops if (at := said.find(text)) >= 0), default=None)
        if cut is not None:
            finish = "stop"
            break
        if count == decoding.max_tokens:
            finish = "stop" if sampler.complete() else "length"
            break
        logits = context.extend(token)
    text = _whole(said[:cut])
    return Completion(text, total, finish, 0, count, tokens=spelt(pieces, _whole(said), text))


class Thought(NamedTuple):
    """A thought that is over.

    Args:
        logits: of the reply's first token.
        text: what was thought.
        tokens: that it took.
        spelt: what the model reads after the prompt that opened it.
    """

    logits: Logits
    text: str = ""
    tokens: int = 0
    spelt: str = ""


def think(
    context: Context, logits: Logits, sampler: Sampler, marks: Marks, max_tokens: int
) -> Thought:
    """Generate a thought after a prompt that opened one, and close it.

    It is closed here where the model does not, or ends all instead.
    """
    vocabulary, ends = context.vocabulary, marks.ends.encode()
    said, count = b"", 0
    while ends not in said and count < max_tokens:
        token = sampler.pick(logits)
        if vocabulary.ends(token):
            break
        said += vocabulary.piece(token, control=True)
        count += 1
        sampler.accept(token)
        logits = context.extend(token)
    inside, ended, after = said.partition(ends)
    before, _, missing = marks.closes.partition(marks.ends)
    missing = missing.removeprefix(_whole(after)) if ended else marks.closes
    for token in vocabulary.tokenise(missing, bos=False):
        logits = context.extend(token)
    text = _whole(inside).removesuffix(before)
    return Thought(logits, text.strip(), count, text + marks.closes)


def _whole(said: bytes) -> str:
    """The text, without half a character at its end."""
    return codecs.getincrementaldecoder("utf-8")().decode(said)


def _log_probability(logits: Logits, token: int) -> float:
    above = logits.astype(np.float64) - float(logits[token])
    top = float(above.max())
    return -top - float(np.log(np.exp(above - top).sum()))


def _tail(raw: bytes) -> bytes | None:
    """The incomplete character at the end of what began at one; None when it is no UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(raw)
    except UnicodeDecodeError:
        return None
    return decoder.getstate()[0]


def _fault(gbnf: str) -> str:
    """What in a grammar would end the process, or not end at all, instead of being refused."""
    bare = _QUOTED.sub("", gbnf)
    depths = accumulate((c == "(") - (c == ")") for c in bare)
    if not gbnf.strip():
        return "it is empty"
    if "\0" in gbnf:
        return "it has a NUL character"
    if max(depths, default=0) > _DEEPEST:
        return f"more than {_DEEPEST} brackets in brackets"
    if bare.count("::=") > _MOST_RULES:
        return f"more than {_MOST_RULES} rules"
    ranges = re.findall(r"\{\s*(\d+)\s*,\s*(\d+)\s*\}", bare)
    if any(int(least) > int(most) for least, most in ranges):
        return "a repetition whose least is above its most"
    return ""
