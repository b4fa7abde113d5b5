"""Countries by their names and by what their people and things are called."""

import csv
import functools
from collections.abc import Mapping
from importlib import resources

from ..kg.text.words import normal_form

_PART_OF = {name: "United Kingdom" for name in ("England", "Scotland", "Wales", "Northern Ireland")}


def country_of(text: str) -> str | None:
    """Give the country that "French", "France" or "Paris, France" names; None for no country.

    England, Scotland, Wales and Northern Ireland are the United Kingdom.
    """
    for part in (text, text.rpartition(",")[2]):
        if found := _known().get(normal_form(part)):
            return _PART_OF.get(found, found)
    return None


@functools.cache
def _known() -> Mapping[str, str]:
    """Countries by the keys of their names; the first name of each line is the country's."""
    file = resources.files("hoptrail.reasoning") / "countries.csv"
    lines = csv.reader(file.read_text("utf-8").splitlines())
    return {normal_form(name): names[0] for names in lines for name in names if name}
