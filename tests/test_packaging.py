"""What a wheel holds: a package that is missing there is noticed only by those who install one."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hoptrail

ROOT = Path(__file__).parents[1]
ROOMS = ("client", "cypher", "kg", "loaders", "models", "reasoning", "service")


def test_every_package_is_installed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    installed = set(project["tool"]["setuptools"]["packages"])
    there = {
        ".".join(["hoptrail", *file.parent.relative_to(ROOT).parts])
        for room in ROOMS
        for file in (ROOT / room).rglob("*.py")
    }
    assert installed == there | {
        "hoptrail",
        "hoptrail.service.demo.corpus",
        "hoptrail.service.web.page",
    }


def test_the_package_is_a_program_and_says_its_version():
    said = subprocess.run(
        [sys.executable, "-m", "hoptrail", "--version"], capture_output=True, text=True, check=True
    )
    assert said.stdout.split()[-1] == hoptrail.__version__


def test_importing_the_package_loads_none_of_it():
    code = (
        "import sys, hoptrail; from hoptrail import Hoptrail; "
        "print(Hoptrail.__name__, {'torch', 'spacy', 'sentence_transformers'} & set(sys.modules))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert said == "Hoptrail set()\n"


def test_every_name_of_the_package_is_there():
    for name in hoptrail.__all__:
        assert getattr(hoptrail, name)
    with pytest.raises(AttributeError):
        _ = hoptrail.Hoptrial
