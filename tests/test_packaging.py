"""What a wheel holds: a package that is missing there is noticed only by those who install one."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("cypher", "kg", "loaders", "models", "reasoning", "service")


def test_every_package_is_installed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    installed = set(project["tool"]["setuptools"]["packages"])
    there = {
        ".".join(["hoptrail", *file.parent.relative_to(ROOT).parts])
        for room in ROOMS
        for file in (ROOT / room).rglob("*.py")
    }
    assert installed == there | {"hoptrail", "hoptrail.service.demo.corpus"}
