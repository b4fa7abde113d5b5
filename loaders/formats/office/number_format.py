"""Numbers of a workbook as its number formats show them, as far as they change what is said."""

import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])  # built in
_DURATION = 46  # built in: [h]:mm:ss
_PERCENT = frozenset([9, 10])  # built in
_DATED = re.compile(r"[ymdhs]", re.I)
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.I)
_LITERAL = re.compile(r"\"[^\"]*\"|\\.|_.|\*.|\[[^\[\]]*\]")
_CURRENCY = re.compile(r"\[\$([^\]\-]{1,4})(?:-[^\]]{0,20})?\]|([€$£¥])|\"([^\W\d_]{3}|[€$£¥])\"")
_EPOCH = datetime(1899, 12, 30)  # day 0, as 1900 has a 29th of February there
_HALF_A_SECOND = timedelta(milliseconds=500)
_LAST_DAY = 2_958_466  # also more than any other format is believed
_UNITS = {"h": 24, "m": 24 * 60, "s": 24 * 60 * 60}  # of a day


class NumberFormat(NamedTuple):
    """How a cell's number is meant.

    Args:
        kind: "date", "h", "m" or "s" (time elapsed, in the largest unit), "percent" or "".
        currency: sign or code, "" without one.
    """

    kind: str = ""
    currency: str = ""


def built_in(number: int) -> NumberFormat:
    """Return the meaning of a format that workbooks need not spell out."""
    if number == _DURATION:
        return NumberFormat("h")
    if number in _PERCENT:
        return NumberFormat("percent")
    return NumberFormat("date" if number in _DATES else "")


def format_of(code: str) -> NumberFormat:
    """Return the meaning of a format code: `[h]:mm`, `0 %`, `#,##0.00 "€"`, `yyyy-mm-dd`."""
    code = code.split(";", 1)[0]
    if elapsed := _ELAPSED.search(code):
        return NumberFormat(elapsed[1][0].lower())
    bare = _LITERAL.sub("", code)
    if _DATED.search(bare):
        return NumberFormat("date")
    if "%" in bare:
        return NumberFormat("percent")
    found = _CURRENCY.search(code)
    return NumberFormat("", next(filter(None, found.groups())) if found else "")


def shown(value: float, form: NumberFormat, later: int = 0) -> str:
    """Write a number as it is meant.

    Args:
        later: days by which the workbook's days are later than those since 1900.
    """
    if form.kind == "date" and 0 <= value < _LAST_DAY - later:
        return _moment(value, later)
    if form.kind in _UNITS and abs(value) < _LAST_DAY:
        return _elapsed(value, form.kind)
    if form.kind == "percent" and abs(value) < _LAST_DAY:
        return f"{_plain(float(Decimal(repr(value)) * 100))} %"
    return f"{_plain(value)} {form.currency}".rstrip()


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.12g}"


def _moment(value: float, later: int) -> str:
    moment = min(_EPOCH + timedelta(days=value + later), datetime.max - _HALF_A_SECOND)
    moment = (moment + _HALF_A_SECOND).replace(microsecond=0)
    if value < 1:
        return moment.strftime("%H:%M")
    whole = moment.time() == datetime.min.time()
    return date.isoformat(moment) if whole else f"{moment:%Y-%m-%d %H:%M}"


def _elapsed(value: float, unit: str) -> str:
    """Time as "27:15" (hours), "15:30" (minutes) or seconds."""
    sign, value = ("-" if value < 0 else ""), abs(value)
    if unit == "s":
        return f"{sign}{round(value * _UNITS['s'])}"
    whole, rest = divmod(round(value * _UNITS["m" if unit == "h" else "s"]), 60)
    return f"{sign}{whole}:{rest:02}"
