"""What llama.cpp's source has of real models."""

import os
from pathlib import Path

import pytest
from support.llama_cpp_source import CannotFetch, models


@pytest.fixture(scope="session")
def real_models() -> Path:
    """The folder with vocabularies of real models, and chat templates in `templates`."""
    try:
        return models()
    except CannotFetch as error:
        if os.environ.get("CI"):
            pytest.fail(f"in CI the tests with real vocabularies have to run: {error}")
        pytest.skip(str(error))
