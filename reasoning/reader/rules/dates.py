"""Dates as far as a text gives them: a year, a month, a day."""

import re
from dataclasses import dataclass

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_YEAR = re.compile(r"(?<![\d,.])(\d{3,4})(?![\d,.]*\d)")
_MONTH = re.compile(r"\b(" + "|".join(_MONTHS) + r")\b", re.IGNORECASE)
_DAY = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")
_BEFORE_CHRIST = re.compile(r"\bB\.?C\.?(?:E\.?)?(?!\w)")


@dataclass(frozen=True, slots=True)
class Date:
    """A date; month and day are 0 where the text has none. Years before Christ are negative."""

    year: int
    month: int = 0
    day: int = 0

    def before(self, other: "Date") -> bool | None:
        """Tell whether this is earlier; None when both leave it open ("1950", "3 May 1950")."""
        for mine, theirs in (
            (self.year, other.year),
            (self.month, other.month),
            (self.day, other.day),
        ):
            if 0 in (mine, theirs):
                return None
            if mine != theirs:
                return mine < theirs
        return None

    @property
    def number(self) -> float:
        """The date in years, for spans of time; what is missing is taken as its middle."""
        return self.year + ((self.month or 6.5) - 0.5) / 12 + (self.day or 15) / 366


def read_date(text: str) -> Date | None:
    """Read the first year of a text with month and day beside it; None without a year."""
    year = _YEAR.search(text)
    if year is None:
        return None
    number = int(year.group(1))
    if _BEFORE_CHRIST.search(text):
        return Date(-number)
    rest = text[max(0, year.start() - 20) : year.start()] + " " + text[year.end() : year.end() + 15]
    month = _MONTH.search(rest)
    if month is None:
        return Date(number)
    day = _DAY.search(rest)
    return Date(
        number,
        _MONTHS.index(month.group(1).casefold()) + 1,
        int(day.group(1)) if day and 1 <= int(day.group(1)) <= 31 else 0,
    )
