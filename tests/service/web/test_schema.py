"""Routes do what OpenAPI says: cases made from it by Schemathesis, valid and not."""

import re
from contextlib import suppress

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

EXAMPLES = 4
UNSAID = ("bad-request", "unknown-format", "no-name")
"""Problems of what no schema tells: a method's needs, a file's name."""
quick = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def findings(operation, mode):
    """What is wrong with the answers to cases of a route, as text; "" for nothing."""

    accepting = CHECKS.get_by_names(["positive_data_acceptance"])

    @quick
    @given(case=operation.as_strategy(generation_mode=mode))
    def answer(case):
        response = case.call(timeout=60)
        unsaid = any(f"/problems/{kind}".encode() in response.content for kind in UNSAID)
        case.validate_response(response, excluded_checks=accepting if unsaid else [])

    try:
        with suppress(Unsatisfiable):  # what takes nothing can't be asked wrongly
            answer()
    except BaseExceptionGroup as found:
        return f"{operation.label}, {mode.name}: " + "; ".join(map(str, found.exceptions))
    return ""


def test_every_route_does_what_openapi_says(service):
    described = str(service.base_url).rstrip("/") + "/openapi.json"
    operations = [one.ok() for one in schemathesis.openapi.from_url(described).get_all_operations()]
    assert len(operations) > 20
    wrong = [findings(one, mode) for one in operations for mode in GenerationMode]
    assert [one for one in wrong if one] == []


def test_operations_have_names_and_numbers_bounds_for_assistants_that_take_openapi(service):
    said = service.get("/openapi.json").json()
    names = [one["operationId"] for ways in said["paths"].values() for one in ways.values()]
    assert {"ask", "search", "things", "send_document", "remove_document"} <= set(names)
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z_]{2,40}", name) for name in names)
    [passages, _] = said["components"]["schemas"]["MethodSettings"]["properties"]["passages"][
        "anyOf"
    ]
    assert passages == {"type": "integer", "minimum": 1, "maximum": 50}
