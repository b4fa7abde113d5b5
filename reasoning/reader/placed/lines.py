"""Whether the line, or clause, beside an answer's own says more of what is asked about."""

import re

from ....kg.text.words import stems
from ..candidates import Mention
from ..pages import Page
from .listed import has_figure

_OPENS = r"[*•\-–\s\"“'‘`(]*"  # before an item's first word
_OPENING = re.compile(_OPENS)
_TIE = re.compile(r"[\"”'’`)]* (for|if|when|where|on|means|marks|shows|stands|=)(?!\w)")
_LONGEST = 40  # characters of what a line begins with
_ASIDE = re.compile(r"\([^()]*\)")
_CLAUSES = re.compile(r"[;:]\s|,? (?:and|but|while|whereas) |, ")
_SYMBOL = re.compile(r"(?<!\w)[\"“‘'`]?([^\w\s\"“”‘’'`]{1,4})(?=[\s\"”’'`.,;:]|\Z)")
_NO_MARKS = re.compile(r"[^.,;:()!?\-–]")


def line_beside(page: Page, mention: Mention, text: str, wanted: frozenset[str]) -> int | None:
    """Find the line beside an answer's own that says what is asked about instead, and the like.

    Of "28 June, club regatta" and "6 September, barbecue" below it, the latter is not when the
    regatta is. Nor is yellow the colour of empty answers in "cyan for empty answers" and "yellow
    for invalid answers" below: the first says all that this one does, and more.

    Args:
        text: the answer's.
        wanted: stems of the question, without those of the type asked for.

    Returns:
        The number of the other line's sentence, None without such.
    """
    sentence = mention.sentence
    if not mention.end:
        return None
    own = wanted & page.said[sentence]
    beside = [n for n in (sentence - 1, sentence + 1) if 0 <= n < len(page.spans)]
    beside = [n for n in beside if own < wanted & page.said[n]]
    if own:
        tie = _TIE.match(page.text, mention.end) if opens(page, mention) else None
        like = re.compile(rf"{_OPENS}\w[^.,;:\n]{{0,{_LONGEST}}}?{tie.group()}\b") if tie else None
        found = (n for n in beside if like and page.is_apart(max(n, sentence)))
        return next((n for n in found if like and like.match(page.texts[n])), None)
    if not page.is_line(sentence):
        return None
    label = page.recognised.get((mention.start, mention.end), mention.label)
    return next((n for n in beside if page.is_line(n) and _has_like(page, n, label, text)), None)


def opens(page: Page, mention: Mention) -> bool:
    """Whether a sentence begins with it."""
    return bool(_OPENING.fullmatch(page.text, page.starts[mention.sentence], mention.start))


def _has_like(page: Page, sentence: int, label: str, text: str) -> bool:
    if has_figure(text):
        return has_figure(page.texts[sentence])
    return any(entity.label_ == label for entity in page.spans[sentence].ents)


def of_another_clause(page: Page, mention: Mention, text: str, wanted: frozenset[str]) -> bool:
    """Whether another clause with a symbol says all that a symbol's own does, and more.

    Of "simple items begin with a *, and double items with a **" the former does not begin double
    items.
    """
    if not mention.end or text[:1].isalnum() or not (first := _SYMBOL.match(text)):
        return False
    start = mention.start - page.starts[mention.sentence]
    whole = _ASIDE.sub(lambda aside: " " * len(aside.group()), page.texts[mention.sentence])
    own, others, at = frozenset[str](), list[frozenset[str]](), 0
    for part in (*_CLAUSES.finditer(whole), None):
        end = part.start() if part else len(whole)
        symbols = {one[1] for one in _SYMBOL.finditer(whole, at, end) if _NO_MARKS.search(one[1])}
        said = wanted.intersection(stems(whole[at:end]))
        if at <= start < end:
            own = said
        elif symbols - {first[1]}:
            others.append(said)
        at = part.end() if part else end
    return bool(own) and any(own < other for other in others)
