"""What clients may send: names from those there are, settings within bounds, strict types."""

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
)

from ...kg.errors import BadRequest
from ...kg.where import Condition
from ..given import MAX_QUESTION
from ..settings import METHODS, RETRIEVERS


def _one_of(names: Sequence[str]) -> Callable[[str], str]:
    def known(name: str) -> str:
        if name not in names:
            raise ValueError(f"there are: {', '.join(names)}")
        return name

    return known


MethodName = Annotated[
    str, AfterValidator(_one_of(METHODS)), Field(json_schema_extra={"enum": list(METHODS)})
]
RetrieverName = Annotated[
    str, AfterValidator(_one_of(RETRIEVERS)), Field(json_schema_extra={"enum": list(RETRIEVERS)})
]
Id = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[^\x00-\x1f]+$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_CONDITION = r"^[^=<>~!*\s][^=<>~!*]*([<>!]=|!~|[=~<>])[^*]*(\*[^*]*){0,2}$"


def _condition(text: str) -> str:
    if re.match(_CONDITION, text):  # whether its value can be compared with, no schema tells
        return text
    try:
        Condition.read(text)
    except BadRequest as error:
        raise ValueError(error.cause) from None
    # each * makes comparing dearer, and clients are strangers
    raise ValueError(f"{text!r} has more than two *, or one in the name of its field")


ConditionText = Annotated[
    str,
    StringConstraints(max_length=200),
    AfterValidator(_condition),
    Field(json_schema_extra={"pattern": _CONDITION}),
]
_Conditions = Annotated[list[ConditionText], Field(max_length=8)]
Conditions = Annotated[
    _Conditions,
    BeforeValidator(
        lambda given: [given] if isinstance(given, str) else given,
        json_schema_input_type=ConditionText | _Conditions,
    ),
]


def _with_documents(named: list[str]) -> list[str]:
    if "documents" not in named:
        raise ValueError("questions are asked of documents, of wikidata besides")
    return named


Sources = (
    Annotated[
        list[Literal["documents", "wikidata"]],
        Field(max_length=2, json_schema_extra={"contains": {"const": "documents"}}),
        AfterValidator(_with_documents),
    ]
    | None
)


def _whole(number: object) -> object:
    """1.0 is an integer in JSON."""
    if isinstance(number, float) and number.is_integer():
        return int(number)
    return number


Whole = BeforeValidator(_whole)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class MethodSettings(_Strict):
    """Settings of a method, as far as it has them; what is left out is as it is by default."""

    passages: Annotated[int, Field(ge=1, le=50), Whole] | None = None
    max_hops: Annotated[int, Field(ge=1, le=6), Whole] | None = None
    beams: Annotated[int, Field(ge=1, le=10), Whole] | None = None
    chains: Annotated[int, Field(ge=1, le=10), Whole] | None = None

    def of(self, method: str) -> dict[str, Any]:
        """Return those that are set.

        Raises:
            BadRequest: the method has no such setting.
        """
        from ...reasoning import registry

        given = self.model_dump(exclude_none=True)
        there = registry.settable(registry.METHODS[method])
        for name in given:
            if name not in there:
                raise BadRequest(f"The method {method} has no setting {name!r}.")
        return given


class Question(_Strict):
    """A question and how it is to be answered."""

    question: Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUESTION)]
    method: MethodName = METHODS[0]
    retriever: RetrieverName | None = None
    settings: MethodSettings = MethodSettings()
    options: Annotated[list[Text], Field(max_length=26)] = []
    within: Annotated[list[Id], Field(max_length=1000)] | None = None
    where: Conditions = []
    sources: Sources = None
    record: bool | None = None
    timeout: Annotated[float, Field(ge=0.1, le=3600, strict=False)] | None = None


class NewDocument(_Strict):
    """A text to put into the graph; the same source again replaces it."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    text: Annotated[str, StringConstraints(min_length=1)]
    source: Annotated[str, StringConstraints(max_length=300)] = ""
    metadata: Annotated[
        dict[str, str | int | Annotated[float, Field(allow_inf_nan=False)] | bool],
        Field(max_length=50),
    ] = {}
