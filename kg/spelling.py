"""Settings in one word, `layers=2:kinds=NEXT+NAMES`: fields of a dataclass, read and said.

A tuple's values are joined by +.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from reprlib import Repr
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from .errors import BadRequest

MAX_SETTING = 1_000_000_000  # no graph has more passages; weights stay far from infinity
_SHORT = Repr()
_SHORT.maxstring = 100
_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    NoneType: "none",
}


def add_setting(setting: str, types: Mapping[str, Any], values: dict[str, Any], of: str) -> None:
    """Read `name=value`, and put the value under its name.

    Args:
        types: those that may be set, from `setting_types`.
        values: what is set so far.
        of: what is set, for messages.

    Raises:
        BadRequest: an unknown name (the message lists those there are), one that is set already,
            or a value of the wrong type.
    """
    field, equals, text = (part.strip() for part in setting.partition("="))
    if field not in types:
        there = f"there are: {', '.join(types)}" if types else "it has none"
        raise BadRequest(f"{of} has no setting {quoted(field)}; {there}.")
    if field in values:
        raise BadRequest(f"{of} sets {field} twice; once is enough.")
    try:
        values[field] = value_of(text, types[field])
    except ValueError:
        given = quoted(text) if equals else "nothing"
        raise BadRequest(f"{field} of {of} takes {wanted(types[field])}, not {given}.") from None


def setting_types(kind: type, given: Collection[str] = ()) -> dict[str, Any]:
    """Tell the types of a dataclass's settings, by name, in their order.

    Args:
        given: names of fields that are given rather than set.
    """
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind) if field.init] if is_dataclass(kind) else []
    return {n: hints[n] for n in names if n not in given and _can_be_text(hints[n])}


def value_of(text: str, type_: Any) -> Any:  # noqa: ANN401 - any type a setting has
    """Read a value of this type from its text.

    Raises:
        ValueError: it says none.
    """
    origin, args = get_origin(type_), get_args(type_)
    if origin in (UnionType, Union):
        return _first_that_fits(text, args)
    if origin is tuple:
        return tuple(value_of(part.strip(), args[0]) for part in text.split("+"))
    if origin is Literal:
        return {str(value): value for value in args}.get(text) or _refuse(text)
    return _PLAIN[type_](text)


def members(type_: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """The members of a union, else the type itself."""
    return get_args(type_) if get_origin(type_) in (UnionType, Union) else (type_,)


def fits(value: object, type_: Any) -> bool:  # noqa: ANN401
    """Tell whether a value is of this type."""
    origin, args = get_origin(type_), get_args(type_)
    if origin in (UnionType, Union):
        return any(fits(value, arg) for arg in args)
    if origin is Annotated:
        return fits(value, args[0])
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(part, args[0]) for part in value)
    if origin is Literal:
        return value in args
    if type_ is float:
        return type(value) in (int, float)
    return type(value) is type_


def quoted(text: str) -> str:
    """Show in a message what somebody typed: escaped, and its middle left out where it is long."""
    return _SHORT.repr(text)


def said(value: object) -> str:
    """Spell a value as `value_of` reads it."""
    if isinstance(value, tuple):
        return "+".join(map(said, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _first_that_fits(text: str, types: tuple[Any, ...]) -> Any:  # noqa: ANN401
    for type_ in types:
        try:
            return value_of(text, type_)
        except ValueError:
            continue
    return _refuse(text)


def _refuse(text: str) -> Any:  # noqa: ANN401 - never returns
    raise ValueError(text)


def _whole(text: str) -> int:
    value = int(text)
    return value if abs(value) <= MAX_SETTING else _refuse(text)


def _number(text: str) -> float:
    value = float(text)
    return value if abs(value) <= MAX_SETTING else _refuse(text)  # nor is NaN


def _choice(**values: Any) -> Callable[[str], Any]:  # noqa: ANN401
    return lambda text: values[text.lower()] if text.lower() in values else _refuse(text)


_PLAIN: dict[Any, Callable[[str], Any]] = {
    bool: _choice(true=True, false=False),
    int: _whole,
    float: _number,
    str: lambda text: text or _refuse(text),
    NoneType: _choice(none=None),
}


def _can_be_text(type_: Any) -> bool:  # noqa: ANN401
    if get_origin(type_) is Literal or type_ in _PLAIN:
        return True
    inner = [arg for arg in get_args(type_) if arg is not Ellipsis]
    return get_origin(type_) in (tuple, UnionType, Union) and all(map(_can_be_text, inner))


def wanted(type_: Any) -> str:  # noqa: ANN401
    """Tell in words which values a type has."""
    origin, args = get_origin(type_), get_args(type_)
    if origin in (UnionType, Union):
        return " or ".join(map(wanted, args))
    if origin is tuple:
        return f"{wanted(args[0])} or several joined by +"
    if origin is Literal:
        return f"one of {', '.join(map(str, args))}"
    return _NAMES[type_]
