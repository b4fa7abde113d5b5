"""Tokens of a completion, as its text spells them."""

import codecs
from collections.abc import Iterable, Sequence

from .language import Token

Piece = tuple[bytes, float]
"""A token's bytes in UTF-8, perhaps half a character, and its log-probability."""


def spelt(pieces: Sequence[Piece], text: str, kept: str | None = None) -> tuple[Token, ...]:
    """Find the tokens that spell a text; a character belongs to the one that ends it.

    Args:
        pieces: all that was generated, what was thought or cut off among them.
        text: stands in that, last of all where it does several times.
        kept: its beginning, whose tokens alone are wanted; None for all of it.

    Returns:
        () where the pieces do not spell the text.
    """
    wanted = (text if kept is None else kept).encode()
    start = b"".join(piece for piece, _ in pieces).rfind(text.encode())
    if start < 0 or not wanted:
        return ()
    return tuple(_within(pieces, start, start + len(wanted)))


def as_pieces(tokens: Iterable[Token]) -> list[Piece]:
    """Give tokens as pieces."""
    return [(token.text.encode(), token.log_probability) for token in tokens]


def _within(pieces: Sequence[Piece], start: int, end: int) -> Iterable[Token]:
    decoder, at = codecs.getincrementaldecoder("utf-8")("replace"), 0
    for piece, log in pieces:
        inside = piece[max(0, start - at) : max(0, end - at)]
        at += len(piece)
        if inside:
            yield Token(decoder.decode(inside), log)
