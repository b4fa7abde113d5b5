"""The rules in the order in which they are asked."""

from .comparison import by_class, by_country, by_date, by_default
from .pages import Evidence
from .paths import by_path
from .rulings import Ruling

_IN_ORDER = (by_date, by_country, by_class, by_default, by_path)


def ruling(evidence: Evidence) -> Ruling | None:
    """Return what the first rule that understands the question decides, or None."""
    return next((found for rule in _IN_ORDER if (found := rule(evidence)) is not None), None)
