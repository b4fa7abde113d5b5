"""Methods and retrievers by name, and in one word: `gnn:layers=2:kinds=NEXT+NAMES`.

Nothing is imported before it is asked for. A word is a name, then settings: fields of the
dataclass. A tuple's values are joined by +.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from ..kg.errors import BadRequest

GIVEN = frozenset({"graph", "encoder", "name"})
"""What a retriever is given rather than set to."""
MAX_SETTING = 1_000_000_000  # no graph has more passages; weights stay far from infinity
_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    NoneType: "none",
}


@dataclass(frozen=True)
class Kinds(Mapping[str, type[Any]]):
    """Classes by name, imported when they are asked for.

    Args:
        package: of their modules.
        places: "module:Class" by name.
    """

    package: str
    places: dict[str, str]

    def __getitem__(self, name: str) -> type[Any]:
        """The class, its module imported."""
        module, _, kind = self.places[name].partition(":")
        return getattr(import_module(f".{self.package}.{module}", __package__), kind)

    def __iter__(self) -> Iterator[str]:
        """Names, in the table's order."""
        return iter(self.places)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.places)


METHODS = Kinds(
    "methods",
    {
        "trace": "trace.method:Trace",
        "direct": "baselines.direct:Direct",
        "rag": "baselines.rag:Rag",
        "cot": "baselines.cot:ChainOfThought",
        "self_consistency": "baselines.self_consistency:SelfConsistency",
        "self_ask": "baselines.self_ask:SelfAsk",
        "ircot": "baselines.ircot:IRCoT",
        "iter_retgen": "baselines.iter_retgen:IterRetGen",
        "react": "baselines.react:ReAct",
        "flare": "baselines.flare:Flare",
        "top_triples": "baselines.top_triples:TopTriples",
        "era_cot": "baselines.era_cot:EraCoT",
        "kgp": "baselines.kgp:Kgp",
    },
)
"""Methods of answering, the default first; adding one is one line."""

RETRIEVERS = Kinds(
    "retrieval",
    {
        "dense": "first_stage:Dense",
        "bm25": "first_stage:BM25",
        "hybrid": "first_stage:Hybrid",
        "hop": "hop:Hop",
        "gnn": "gnn_ret:GnnRet",
        "rgnn": "rgnn_ret:RgnnRet",
        "ranker": "ranker:Ranker",
    },
)
"""Retrievers; adding one is one line."""


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The smallest value of a hyperparameter, as an annotation of its type."""

    least: int


Count = Annotated[int, AtLeast(1)]
CountOrNone = Annotated[int, AtLeast(0)]
"""How many of something; of some there may be none."""


def parse(
    spec: str, kinds: Mapping[str, type], what: str = "retriever", also: type | None = None
) -> tuple[type, dict[str, Any]]:
    """Read a word: the class it names, and the settings it gives.

    Args:
        what: the kinds are, for messages.
        also: a dataclass whose fields may be set, too.

    Raises:
        BadRequest: an unknown name or setting (the message lists those there are), a setting given
            twice, or a value of the wrong type.
    """
    name, *settings = (part.strip() for part in spec.split(":"))
    if name not in kinds:
        raise BadRequest(f"No {what} {name!r}; there are: {', '.join(kinds)}.")
    types, values = settable(kinds[name]) | (settable(also) if also else {}), dict[str, Any]()
    for setting in settings:
        field, equals, text = (part.strip() for part in setting.partition("="))
        if field not in types:
            there = f"there are: {', '.join(types)}" if types else "it has none"
            raise BadRequest(f"{name} has no setting {field!r}; {there}.")
        if field in values:
            raise BadRequest(f"{spec} sets {field} twice; once is enough.")
        try:
            values[field] = value_of(text, types[field])
        except ValueError:
            wanted = _words(types[field])
            given = repr(text) if equals else "nothing"
            raise BadRequest(f"{field} of {name} takes {wanted}, not {given}.") from None
    return kinds[name], values


def settable(kind: type) -> dict[str, Any]:
    """Tell the types of a dataclass's settings, by name, in their order."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind) if field.init] if is_dataclass(kind) else []
    return {n: hints[n] for n in names if n not in GIVEN and _can_be_text(hints[n])}


def settings_of(made: object) -> dict[str, Any]:
    """Tell what a retriever or method is set to, by name."""
    return {name: getattr(made, name) for name in settable(type(made))}


def word(made: Any) -> str:  # noqa: ANN401 - any retriever or method
    """Say a retriever or method in one word: its name, and the settings that are no defaults.

    What can't be said in a word, such as a questioner of one's own, is left out.
    """
    defaults = {name: field.default for name, field in _fields(made).items()}
    set_ = {n: value for n, value in settings_of(made).items() if value != defaults[n]}
    return ":".join([made.name, *(f"{name}={_said(value)}" for name, value in set_.items())])


def validate(made: Any) -> None:  # noqa: ANN401 - any method
    """Refuse hyperparameters of another type than their fields', and those below their least value.

    Raises:
        BadRequest: the first one, by name.
    """
    hints = get_type_hints(type(made), include_extras=True)
    for name, value in settings_of(made).items():
        if not _fits(value, hints[name]):
            wanted = _words(settable(type(made))[name])
            raise BadRequest(f"{name} of {made.name} takes {wanted}, not {value!r}.")
        for type_ in _members(hints[name]):
            for bound in getattr(type_, "__metadata__", ()):
                if value is not None and value < bound.least:
                    says = f"is at least {bound.least}, not {value}"
                    raise BadRequest(f"{name} of {made.name} {says}.")


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


def _members(type_: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """The members of a union, else the type itself."""
    return get_args(type_) if get_origin(type_) in (UnionType, Union) else (type_,)


def _fits(value: object, type_: Any) -> bool:  # noqa: ANN401
    origin, args = get_origin(type_), get_args(type_)
    if origin in (UnionType, Union):
        return any(_fits(value, arg) for arg in args)
    if origin is Annotated:
        return _fits(value, args[0])
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(part, args[0]) for part in value)
    if origin is Literal:
        return value in args
    if type_ is float:
        return type(value) in (int, float)
    return type(value) is type_


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(map(_said, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _fields(made: Any) -> dict[str, Field[Any]]:  # noqa: ANN401
    return {field.name: field for field in fields(made)} if is_dataclass(made) else {}


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


def _words(type_: Any) -> str:  # noqa: ANN401
    origin, args = get_origin(type_), get_args(type_)
    if origin in (UnionType, Union):
        return " or ".join(map(_words, args))
    if origin is tuple:
        return f"{_words(args[0])} or several joined by +"
    if origin is Literal:
        return f"one of {', '.join(map(str, args))}"
    return _NAMES[type_]
