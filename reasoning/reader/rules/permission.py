"""The rule for what is allowed or forbidden: "Are dogs allowed in the saloon?"."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....kg.text.words import stems
from ..asked.alike import alike
from ..pages import Evidence, Page
from .clauses.ellipsis import ON_CONDITION, filled_in
from .clauses.joined import clauses
from .rulings import REPLY, Ruling

if TYPE_CHECKING:
    from spacy.tokens import Token

_ASKS = re.compile(
    r"^(?:(?:can|could|may) \S|(?:is|are|was|were|am|will|do|does) .*"
    r"\b(?:allowed|permitted|forbidden|prohibited|banned|welcome|allow|permit)\b)",
    re.IGNORECASE,
)
_ASKS_OF_BAN = re.compile(r"\b(?:forbidden|prohibited|banned|not)\b|n['’]t\b", re.IGNORECASE)
_BAN = re.compile(
    r"(?:(?:\b(?:not|never|no longer)|n['’]t)(?: be)? (?:allowed|permitted|welcome)"
    r"|\b(?:forbidden|prohibited|banned|(?:may|must|can|shall) ?not|can['’]t|mustn['’]t)"
    r"|\A\W*no (?!longer)(?:[\w'’-]+ ){1,4}?(?:may|(?:is|are) (?:allowed|permitted|welcome)))\b",
    re.IGNORECASE,
)
_LEAVE = re.compile(
    r"\b(?:(?-i:may)|(?:is|are)(?: always| also)? (?:allowed|permitted|welcome))\b(?! not\b)",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"\b(?:unless|except\w*|only|if|save|but|without|apart from|other than|until|till|before|after"
    r"|when\w*|provided|while|during|as long as|subject to|some|most|at least|at most|up to)\b",
    re.IGNORECASE,
)
_LIFTED = re.compile(
    r"(?:\b(?:not|never|no longer|hardly|rarely)|n['’]t)\b[\w ]{0,12}"
    r"\b(?:forbidden|prohibited|banned)\b"
    r"|\b(?:used to|once|formerly)\b",
    re.IGNORECASE,
)
"""Of a ban: it is none, or no more."""
_DENIED = re.compile(
    r"\b(?:nobody|none|nowhere|neither|nor|hardly|barely|scarcely|rarely|seldom|not|never|few)\b"
    r"|n['’]t\b|\?\W*\Z",
    re.IGNORECASE,
)
"""Of leave: it is not given, or asked for."""
_LITTLE = frozenset(
    stems(
        "allowed permitted permit allow forbidden forbid prohibit ban prohibited banned welcome may"
        " can must not never"
        " bring take get use go there here my our your i you we us me one any anyone people person"
        " called named brought taken used"
    )
)
"""Words of such a question or sentence that say of nothing what is allowed."""
_EVERYWHERE = re.compile(r"\b(?:everywhere|anywhere|at all times|throughout)\b")
_FREE, _CHARGE = re.compile(r"\bfree of charge\b"), frozenset(stems("free charge"))


def by_permission(evidence: Evidence) -> Ruling | None:
    """Decide by the one sentence that says all words of the question and whether it is allowed.

    Where it sets a condition or speaks of something narrower, what it says is only shown.
    """
    asked = evidence.asked
    content = asked.stems - _LITTLE
    if asked.kind != "yesno" or not content or not _ASKS.match(asked.text):
        return None
    shown = None
    told: dict[str, tuple[Page, int]] = {}
    for page in evidence.pages:
        above = frozenset(stems(f"{page.passage.title} {page.passage.heading}"))
        wanted = content - above or content
        for number, tokens, denied in _clauses(page):
            text = _text(tokens)
            verdict = _verdict(text) if _all_said(wanted, page, tokens) else ""
            if verdict and bool(_ASKS_OF_BAN.search(asked.text)) != bool(denied):
                verdict = "no" if verdict == "yes" else "yes"
            if verdict and not CONDITION.search(text) and not _narrower(content, page, tokens):
                told.setdefault(verdict, (page, number))
            elif verdict and shown is None:
                shown = Ruling(verdict, "default", read=(page, number))
    if len(told) == 1 and shown is None:
        [(verdict, read)] = told.items()
        return Ruling(verdict, REPLY, read=read)
    return shown


def _verdict(text: str) -> str:
    """What a sentence says of what it speaks of: "no", "yes" or "" for neither or both."""
    if _BAN.search(text):
        return "" if _LEAVE.search(_BAN.sub(" ", text)) or _LIFTED.search(text) else "no"
    return "yes" if _LEAVE.search(text) and not _DENIED.search(text) else ""


def _text(tokens: "Sequence[Token]") -> str:
    """The text of tokens, parted where they do not stand side by side."""
    pairs = zip(tokens, [*tokens[1:], None], strict=True)
    return "".join(
        f"{t.text} " if after is not None and after.i != t.i + 1 else t.text_with_ws
        for t, after in pairs
    )


def _clauses(page: Page) -> "Iterator[tuple[int, Sequence[Token], int]]":
    """Sentence, tokens and denials of each clause of a page."""
    for number, span in enumerate(page.spans):
        whole = ON_CONDITION.search(span.text) is not None
        parts = [(list(span), 0)] if whole else filled_in(span) or clauses(span)
        yield from ((number, tokens, denied) for tokens, denied in parts)


def _all_said(content: frozenset[str], page: Page, tokens: "Sequence[Token]") -> bool:
    said = frozenset[str]().union(*(page.stemmed[token.i] for token in tokens))
    return all(not said.isdisjoint(alike(stem)) for stem in content)


def _narrower(content: frozenset[str], page: Page, tokens: "Sequence[Token]") -> bool:
    """Whether a clause says more than the question: dogs in the saloon are not all dogs.

    Nor is anything allowed of bicycles that may be removed.
    """
    passage, text = page.passage, " ".join(token.lower_ for token in tokens)
    if _EVERYWHERE.search(text):
        return False
    known = content.union(*map(alike, content), _LITTLE)
    known |= frozenset(stems(f"{passage.title} {passage.heading}"))
    known |= _CHARGE if _FREE.search(text) else frozenset()
    return any(
        token.pos_ in ("NOUN", "PROPN", "NUM", "ADJ", "VERB")
        and not known.issuperset(page.stemmed[token.i])
        for token in tokens
    )
