"""Names lead to classes, and cost nothing before."""

import subprocess
import sys

import pytest

from hoptrail.reasoning.registry import METHODS, RETRIEVERS


@pytest.mark.parametrize("name", RETRIEVERS)
def test_a_retriever_is_called_what_it_calls_itself(name):
    assert RETRIEVERS[name].name == name


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_called_what_it_calls_itself_and_answers(name):
    assert METHODS[name].name == name
    assert callable(METHODS[name].answer)


def test_help_texts_name_what_they_do_not_load():
    check = (
        "import sys; from hoptrail.service import settings; "
        "print(*settings.METHODS, *settings.RETRIEVERS); "
        "print(*(m for m in sys.modules if m.startswith('hoptrail.reasoning.')))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    names, loaded = done.stdout.splitlines()
    assert names.split() == [*METHODS, *RETRIEVERS]
    assert loaded.split() == ["hoptrail.reasoning.registry", "hoptrail.reasoning.sources"]
