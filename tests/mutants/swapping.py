"""Put the code of a changed module into the functions of the one that is imported."""

import gc
from collections.abc import Iterator
from types import CodeType, FunctionType

Pair = tuple[CodeType, CodeType]


def changed(old: str, new: str, file: str) -> list[Pair] | None:
    """Pairs of each function's code before and after; None where more than functions changed.

    Args:
        old: source of a module.
        new: what it is to become.
        file: for tracebacks.
    """
    before, after = (compile(text, file, "exec", dont_inherit=True) for text in (old, new))
    pairs = list(_pairs(before, after))
    return None if None in pairs else [pair for pair in pairs if pair]


def swap(pairs: list[Pair]) -> None:
    """Give every function that has the code before the one after, wherever it was imported to."""
    into = {before: after for before, after in pairs if before != after}
    gc.unfreeze()
    for one in gc.get_objects():
        # Not isinstance: what some libraries put in its place answers that with a warning.
        if type(one) is FunctionType and (code := into.get(one.__code__)) is not None:
            one.__code__ = code
    gc.freeze()


def _pairs(before: CodeType, after: CodeType) -> Iterator[Pair | None]:
    """Of a module's or a class's body, which has run already and has to be the same."""
    inner = [
        [one for one in body.co_consts if isinstance(one, CodeType)] for body in (before, after)
    ]
    names = [[one.co_qualname for one in ones] for ones in inner]
    same = _ran(before) == _ran(after) and names[0] == names[1]
    if not same:
        yield None
        return
    for old, new in zip(*inner, strict=True):
        if old.co_flags & 1:  # CO_OPTIMIZED: a function
            fits = old.co_freevars == new.co_freevars
            yield (old, new) if fits else None
        else:
            yield from _pairs(old, new)


def _ran(body: CodeType) -> tuple[object, ...]:
    consts = [repr(one) for one in body.co_consts if not isinstance(one, CodeType)]
    return body.co_code, body.co_names, consts
