"""Methods and retrievers by name, and in one word: `gnn:layers=2:kinds=NEXT+NAMES`.

Nothing is imported before it is asked for. A word is a name, then settings: fields of the
dataclass. A tuple's values are joined by +.
"""

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from importlib import import_module
from typing import Annotated, Any, get_type_hints

from ..kg.errors import BadRequest
from ..kg.spelling import add_setting, fits, members, quoted, said, setting_types, wanted


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
        "knowtrace": "knowtrace.method:KnowTrace",
        "semi_structured": "semi_structured.method:SemiStructured",
        "ge_reasoning": "ge_reasoning.method:GEReasoning",
        "rgnn_ret": "rgnn_ret:RgnnRet",
        "direct": "baselines.direct:Direct",
        "rag": "baselines.rag:Rag",
        "cot": "baselines.cot:ChainOfThought",
        "zero_plus_few_shot": "baselines.zero_plus_few_shot:ZeroPlusFewShot",
        "self_consistency": "baselines.self_consistency:SelfConsistency",
        "self_ask": "baselines.self_ask:SelfAsk",
        "ircot": "baselines.ircot:IRCoT",
        "iter_retgen": "baselines.iter_retgen:IterRetGen",
        "react": "baselines.react:ReAct",
        "flare": "baselines.flare:Flare",
        "dsp": "baselines.dsp:Dsp",
        "verify_and_edit": "baselines.verify_and_edit:VerifyAndEdit",
        "top_triples": "baselines.top_triples:TopTriples",
        "era_cot": "baselines.era_cot:EraCoT",
        "sg_prompt": "baselines.sg_prompt:SGPrompt",
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
        "rgnn": "rgnn:Rgnn",
        "ranker": "ranker:Ranker",
        "rerank": "rerank:Rerank",
    },
)
"""Retrievers; adding one is one line."""


@dataclass(frozen=True, slots=True)
class Between:
    """The smallest and the greatest value of a hyperparameter, as an annotation of its type."""

    least: int
    most: int


Count = Annotated[int, Between(1, 10_000)]
"""How often a method does something, or how many it keeps: more is a slip, and never ends."""
CountOrNone = Annotated[int, Between(0, 10_000)]
Passages = Annotated[int, Between(1, 1_000)]
"""Passages of a retrieval: no context holds more, and to read one takes some 17 ms."""
PassagesOrNone = Annotated[int, Between(0, 1_000)]
Temperature = Annotated[float, Between(0, 2)]
"""Of sampling: servers take no other."""
Share = Annotated[float, Between(0, 1)]
"""A probability, or a part of a whole."""
Cosine = Annotated[float, Between(-1, 1)]


def parse(
    spec: str, kinds: Mapping[str, type], what: str = "retriever", also: type | None = None
) -> tuple[type, dict[str, Any]]:
    """Read a word: the class it names, and the settings it gives.

    A class with `others`, the name of a setting that is itself a word, leaves to that word what is
    not its own.

    Args:
        what: the kinds are, for messages.
        also: a dataclass whose fields may be set, too.

    Raises:
        BadRequest: an unknown name or setting (the message lists those there are), a setting given
            twice, or a value of the wrong type.
    """
    name, *settings = (part.strip() for part in spec.split(":"))
    if name not in kinds:
        raise BadRequest(f"No {what} {quoted(name)}; there are: {', '.join(kinds)}.")
    types = settable(kinds[name]) | (settable(also) if also else {})
    values, left = dict[str, Any](), list[str]()
    others = getattr(kinds[name], "others", None)
    for setting in settings:
        if others and setting.partition("=")[0].strip() not in types:
            left.append(setting)
        else:
            add_setting(setting, types, values, name)
    if others and left:
        default = next(f.default for f in fields(kinds[name]) if f.name == others)
        values[others] = ":".join([values.get(others, default), *left])
        parse(values[others], kinds, what)
    return kinds[name], values


def settable(kind: type) -> dict[str, Any]:
    """Tell the types of a dataclass's settings, by name, in their order.

    What is given rather than set, such as a retriever's graph, has a type that no word says.
    """
    return setting_types(kind)


def settings_of(made: object) -> dict[str, Any]:
    """Tell what a retriever or method is set to, by name."""
    return {name: getattr(made, name) for name in settable(type(made))}


def word(made: Any) -> str:  # noqa: ANN401 - any retriever or method
    """Say a retriever or method in one word: its name, and the settings that are no defaults.

    What can't be said in a word, such as a questioner of one's own, is left out.
    """
    defaults = {name: field.default for name, field in _fields(made).items()}
    set_ = {n: value for n, value in settings_of(made).items() if value != defaults[n]}
    return ":".join([made.name, *(f"{name}={said(value)}" for name, value in set_.items())])


def validate(made: Any) -> None:  # noqa: ANN401 - any method
    """Refuse hyperparameters of another type than their fields', and those out of their bounds.

    Raises:
        BadRequest: the first one, by name.
    """
    hints = get_type_hints(type(made), include_extras=True)
    for name, value in settings_of(made).items():
        if not fits(value, hints[name]):
            takes = wanted(settable(type(made))[name])
            raise BadRequest(f"{name} of {made.name} takes {takes}, not {value!r}.")
        for type_ in members(hints[name]):
            for bound in getattr(type_, "__metadata__", ()):
                if value is not None and not bound.least <= value <= bound.most:
                    least = value < bound.least
                    takes = f"at least {bound.least}" if least else f"at most {bound.most:,}"
                    raise BadRequest(f"{name} of {made.name} is {takes}, not {value}.")


def _fields(made: Any) -> dict[str, Field[Any]]:  # noqa: ANN401
    return {field.name: field for field in fields(made)} if is_dataclass(made) else {}
