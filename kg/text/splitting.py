"""Passages of a text: whole sentences, and whole paragraphs where they fit."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from .exclaimed import STARTERS, exclaimed
from .foreign_stops import goes_on
from .lines import MARKS, ROW

_PARAGRAPH = re.compile(r"\n[^\S\n]*+\n\s*+")
_LINE_END = re.compile(r"(?<![^\S\n])[^\S\n]*+\n\s*+")  # once a run: of a blob's blanks
_SENTENCE_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+\s++(?=[^\sa-z])|(?<![。！？؟۔।])[。！？؟۔।]++[」』”）]*+\s*+"
)
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]*$")
_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        """mr mrs ms dr prof st sr jr rev hon gen col lt maj capt cmdr sgt adm gov sen rep pres mt
        ft no nos vol vols pp ed eds fig figs vs cf ca approx dept univ inc ltd co corp bros al e.g
        i.e etc tel ext dep arr bldg rm para incl excl max min cl
        fl jan feb mar apr jun jul aug sep sept oct nov dec""",
    )
)
_ENDS_EITHER_WAY = frozenset(  # "… of Acme Inc. The …"
    "inc ltd co corp bros jr sr etc al max min incl excl ext para cl".split()
)
_GOES_ON = frozenset(("a.k.a", "e.g", "i.e", "aka"))  # whatever follows
_RECURRING = re.compile(r"(?:\A|\n\n)([A-Z][^\W\d]+(?: [^\W\d]+){0,2})(?=\n\n\S)")  # "Procedure"
_NUMBER = re.compile(r"\s*\(?\d{1,3}(?:\.\d{1,3})*\)?")  # of an item: "3. Make or override"
_CAPTION = re.compile(r"(?:Table|Listing|Example) [\dA-Z][\w.-]{0,9}[.:]? \S")
_TERM = re.compile(r"(?=.*\w)[^\n]{0,78}[^\s.!?;,…。！？]")  # "--quiet", "You need:"
_STOPPED = re.compile(r"[.!?…。！？:][\"'”’)\]]*\Z")
_QUOTED = re.compile(r"From: [^\n]{1,100}\n(?:Sent|Date|To|Cc|Subject): ")  # a mail in a mail
MAX_TOKEN_CHARACTERS = 20  # on average: encoders may call 10 kB without a blank one token
_CODE = "    "  # begins its lines
MAX_TERMS = 2  # names of one thing; more short lines below each other are a list or an address
LEAD = 200  # characters of a paragraph that leads in the next: "You need:", "Table 3. Fees"
OFTEN = 3  # times that a heading stands which no format told
WORDS = 3  # of it at most
ROOM = 2000  # characters that are never too many

Span = tuple[int, int]


def split(
    text: str,
    title: str,
    count_tokens: Callable[[str], int],
    limit: int = 200,
    overlap: int = 0,
    headings: Collection[int] = (),
    breaks: Collection[int] = (),
    language: str = "",
) -> list[Span]:
    """Find where passages of at most `limit` tokens begin and end in a text, without blanks.

    Without overlap no character but blanks is lost. A sentence beyond the limit is cut between
    words, a word beyond it between characters.

    Args:
        text: of a document.
        title: what ends in a full stop in it ends no sentence ("Warner Bros."); not in the budget.
        count_tokens: of the encoder; called a few times a sentence, never with all of a long text.
        limit: tokens.
        overlap: sentences at the end of a passage that open the next one too, as many as fit.
        headings: where paragraphs begin that are headings: they go with the one after them.
        breaks: where a passage begins whatever else fits.
        language: of the text where it is not English, ISO 639-1: whose abbreviations end none.

    Raises:
        ValueError: limit below 1 or overlap below 0.
    """
    if limit < 1 or overlap < 0:
        raise ValueError(
            f"limit must be at least 1 and overlap at least 0, not {limit} and {overlap}"
        )
    if inner := sorted(place for place in breaks if 0 < place < len(text)):
        return [
            (start + first, end + first)
            for first, last in pairwise([0, *inner, len(text)])
            for start, end in split(
                text[first:last],
                title,
                count_tokens,
                limit,
                overlap,
                {h - first for h in headings},
                language=language,
            )
        ]
    most = max(ROOM, MAX_TOKEN_CHARACTERS * limit)

    def fits(piece: str) -> bool:
        return len(piece) <= most and count_tokens(piece) <= limit

    whole = _stripped(text, 0, len(text))
    if whole[0] == whole[1]:
        return []
    if fits(text[slice(*whole)]):
        return [whole]
    stops = _stops(title, language, text)
    headings = set(headings).union(_recurring(text))
    packer = _Packer(text, count_tokens, limit, most, overlap, headings)
    for start, body, end in _paragraphs(text, headings):
        sentences = list(_sentences(text, start, end, stops, fits))
        packer.add(sentences, sum(one[0] < body for one in sentences))
    return packer.passages()


class _Packer:
    """Fills passages with sentences, first come, first packed."""

    def __init__(
        self,
        text: str,
        count: Callable[[str], int],
        limit: int,
        most: int,
        overlap: int,
        headings: Collection[int],
    ) -> None:
        self._text, self._count, self._limit, self._most = text, count, limit, most
        self._overlap, self._headings = overlap, headings
        self._open: list[
            tuple[Span, int]
        ] = []  # sentences of the passage being filled, with their tokens
        self._used = 0  # tokens of them all
        self._new = 0  # how many of them are in no earlier passage
        self._done: list[Span] = []

    def add(self, sentences: list[Span], headings: int) -> None:
        """Add a paragraph, which begins with so many sentences of headings.

        It starts a new passage when that keeps it in one piece, or else its headings with what
        follows them.
        """
        counted = [(span, self._tokens(span)) for span in sentences]
        for kept in (counted, counted[: headings + 1] if headings else []):
            whole = sum(tokens for _, tokens in kept)
            if 0 < whole <= self._limit:
                if not self._room(whole, kept[-1][0][1]):
                    self._close(before=sentences[0])
                break
        for span, tokens in counted:
            if tokens > self._limit:
                self._close(keep=False)
                self._done += self._cut(span)
                continue
            if not self._room(tokens, span[1]):
                self._close(before=span)
                while len(self._open) > self._new and not self._room(tokens, span[1]):
                    self._used -= self._open.pop(0)[1]
                if not self._room(tokens, span[1]):
                    self._close(keep=False)
            self._open.append((span, tokens))
            self._used += tokens
            self._new += 1

    def passages(self) -> list[Span]:
        """Return all passages, once everything has been added."""
        self._close(keep=False)
        return self._done

    def _tokens(self, span: Span) -> int:
        piece = self._text[slice(*span)]
        return self._count(piece) if len(piece) <= self._most else self._limit + 1

    def _room(self, tokens: int, end: int) -> bool:
        if not self._open:
            return True
        return self._used + tokens <= self._limit and end - self._open[0][0][0] <= self._most

    def _close(self, keep: bool = True, before: Span | None = None) -> None:
        """End the passage; names of what is described `before` which it ends go to the next one."""
        terms = self._terms(before) if before else 0
        carried = self._open[len(self._open) - terms :]
        del self._open[len(self._open) - terms :]
        self._new -= terms
        if self._new:
            span = _stripped(self._text, self._open[0][0][0], self._open[-1][0][1])
            # Counts of sentences need not add up to the count of the passage.
            whole = self._count(self._text[slice(*span)]) <= self._limit
            self._done += [span] if whole else self._cut(span)
        self._open = self._open[-self._overlap :] if keep and self._overlap else []
        self._open += carried
        self._used = sum(tokens for _, tokens in self._open)
        self._new = len(carried)

    def _terms(self, before: Span) -> int:
        """How many sentences at the end name what is described `before` which it ends."""
        described = self._text[slice(*before)].strip()
        begins = described[:1]
        if not _STOPPED.search(described) or begins in MARKS or begins.islower():
            return 0
        first, terms, headed = before[0], 0, False
        while terms <= MAX_TERMS:
            line = _last_line(self._text, self._open[0][0][0], first)
            is_heading = line is not None and line[0] in self._headings
            if line is None or not (is_heading or (_is_term(self._text, line) and not headed)):
                carried = sum(span[0] >= first for span, _ in self._open)
                return carried if carried < self._new else 0
            first, terms, headed = line[0], terms + (not is_heading), headed or is_heading
        return 0

    def _cut(self, span: Span) -> Iterator[Span]:
        """Pieces of at most `limit` tokens, cut between words where there is a blank.

        Guesses a size from the piece before, so that a long text costs a few counts for each piece.
        """
        start, last = span
        size = min(self._most, 4 * self._limit)
        while start < last:
            end = _blank_before(self._text, start, start + size, last)
            tokens = self._count(self._text[start:end])
            if tokens > self._limit and end - start > 1:
                size = max(1, min(end - start - 1, (end - start) * self._limit // tokens))
                continue
            piece = _stripped(self._text, start, end)
            if piece[0] < piece[1]:
                yield piece
            size = max(1, min(self._most, (end - start) * self._limit // max(1, tokens)))
            start = end


def sentences(text: str) -> list[str]:
    """Give the sentences of a text, without the blanks between them; a line end ends one."""
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str, title: str = "", language: str = "") -> list[Span]:
    """Find the characters [start, end) of each sentence; what ends the title's words ends none."""
    spans = _sentences(text, 0, len(text), _stops(title, language, text))
    return [_stripped(text, start, end) for start, end in spans]


def _paragraphs(text: str, headings: Collection[int]) -> Iterator[tuple[int, int, int]]:
    """(first character, first behind headings and lead-ins, one past the last) of each."""
    first, last = -1, -1  # of what waits for its paragraph
    for start, end in _between(_PARAGRAPH, text, 0, len(text)):
        first, last = start if first < 0 else first, end
        colon = text[end - 1] == ":"
        if colon and end - start > LEAD and (line := text.rfind("\n", start, end) + 1):
            yield first, start, line  # a list whose last item leads in
            first = start = line
        leads = colon or _CAPTION.match(text, start) or _QUOTED.match(text, start)
        leads = leads and end - start <= LEAD and end < len(text)
        if start not in headings and not leads:
            yield first, start, end
            first = -1
    if first >= 0:
        yield first, last, last


def _recurring(text: str) -> Iterator[int]:
    """Where the headings begin that no format told, but that stand over texts again and again."""
    found = [line for line in _RECURRING.finditer(text) if _is_text(text, line.end())]
    times = Counter(line[1] for line in found)
    return (line.start(1) for line in found if times[line[1]] >= OFTEN)


def _is_text(text: str, start: int) -> bool:
    """Whether the paragraph behind a place has more words than a heading."""
    return len(text[start : start + LEAD].lstrip().split("\n\n", 1)[0].split()) > WORDS


def _last_line(text: str, start: int, end: int) -> Span | None:
    """The last line before a line's first character, without blanks; None where there is none."""
    begun = text.rfind("\n", start, end) + 1
    if not begun or text[begun:end].strip():
        return None
    last = len(text[start:begun].rstrip()) + start
    line = _stripped(text, max(text.rfind("\n", start, last) + 1, start), last)
    return line if line[0] < line[1] else None


def _is_term(text: str, line: Span) -> bool:
    """Whether a line is short and has no full stop, and is no row of a table, and no code."""
    if not _TERM.fullmatch(text, *line) or ROW.match(text, *line):
        return False
    return not text.endswith(_CODE, 0, line[0])


def _between(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Span]:
    for match in pattern.finditer(text, start, end):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if text[start:end].strip():
        yield start, end


@dataclass(frozen=True, slots=True)
class _Stops:
    """What tells which stops end a sentence: the title's words, names in "!", the language."""

    title: frozenset[str]
    exclaimed: frozenset[str]
    language: str


def _stops(title: str, language: str, text: str) -> _Stops:
    words = frozenset(word[:-1].lower() for word in title.split() if word.endswith("."))
    named = frozenset(w for w in title.split()[:-1] if w.endswith("!") and w[0].isupper())
    return _Stops(words, named | exclaimed(text), language)


def _sentences(
    text: str,
    start: int,
    end: int,
    stops: _Stops,
    fits: Callable[[str], bool] = lambda row: True,
) -> Iterator[Span]:
    """Find each sentence; a row of a table is one, where it fits."""
    for line in _between(_LINE_END, text, start, end):
        if ROW.match(text, *line) and fits(text[slice(*line)]):
            yield line
        else:
            yield from _sentences_of_line(text, *line, stops)


def _sentences_of_line(text: str, start: int, end: int, stops: _Stops) -> Iterator[Span]:
    for match in _SENTENCE_END.finditer(text, start, end):
        if match.end() < end and _ends_sentence(text, match, start, stops):
            yield start, match.end()
            start = match.end()
    if start < end:
        yield start, end


def _ends_sentence(text: str, stop: re.Match[str], start: int, stops: _Stops) -> bool:
    if stop.group().startswith(("!", "?")) and stops.exclaimed:
        before = _LAST_WORD.search(text[max(start, stop.start() - 40) : stop.start()])
        name = f"{before.group()}{stop.group().rstrip()}" if before else ""
        return name not in stops.exclaimed or STARTERS.match(text, stop.end()) is not None
    if _NUMBER.fullmatch(text, start, stop.start()):
        return False
    if not stop.group().startswith(".") or stop.group().startswith(".."):
        return True
    before = _LAST_WORD.search(text[max(start, stop.start() - 20) : stop.start()])
    word = before.group().lower() if before else ""
    if len(word) == 1 and word.isalpha() and word != "i":  # an initial
        return False
    if word in _GOES_ON:
        return False
    if stops.language and goes_on(word, text, stop.end(), stops.language):
        return False
    stopped = stops.title
    if (
        word not in _ABBREVIATIONS
        and word not in stopped
        and not re.fullmatch(r"(?:\w\.)+\w", word)
    ):
        return True
    either_way = word in _ENDS_EITHER_WAY or word in stopped or "." in word
    return either_way and STARTERS.match(text, stop.end()) is not None


def _stripped(text: str, start: int, end: int) -> Span:
    """The span without the blanks at its ends; empty where it is nothing else."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())


def _blank_before(text: str, start: int, end: int, last: int) -> int:
    """Where to cut text[start:last] short: at its last blank up to `end` if there is one."""
    if end >= last:
        return last
    for at in range(end, start, -1):
        if text[at].isspace():
            return at
    return end
