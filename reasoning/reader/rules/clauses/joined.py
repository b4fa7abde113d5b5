"""The clauses that a sentence joins, and what it says of each thing in its lists."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .ellipsis import DENIES, ON_CONDITION, SUBJECTS, Clause, filled_in

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_TIMES = frozenset("when while until till".split())
AT_TIMES = re.compile(
    r"\b(?:spring|summer|autumn|winter|season|\w+days?|weekends?|mornings?|evenings?|nights?|jan\w*"
    r"|feb\w*|march|april|may|june|july|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|cases?|times)\b"
)
_HANGS_ON = frozenset({"prep", "mark", "advmod", "aux", "npadvmod"})
_HELPS = frozenset({"aux", "auxpass"})
_MAY = frozenset("can ca may could".split())
_LISTED = frozenset({"nsubj", "nsubjpass", "dobj", "attr", "acomp", "pobj"})
_PLACES = frozenset("in at on for with to by into about".split())
"""Prepositions before a list of which each is so for itself, as "between" is not."""
_OF_ITS_OWN = frozenset({"det", "poss", "preconj", "neg", "cc", "punct"})
_VERBAL = frozenset({"VERB", "AUX"})
_MUTUAL = frozenset("marry meet divorce separate merge differ agree quarrel argue talk".split())
_TOGETHER = re.compile(
    r"\b(?:together|each other|one another|between|jointly|respectively|both|same|more|less"
    r"|fewer|than|not (?:only|just))\b",
    re.IGNORECASE,
)


def clauses(sentence: "Span") -> "Iterator[Clause]":
    """The clauses that a sentence joins, and how often each is denied beyond its own words."""
    for part in _parts(sentence):
        at = next(
            (n for n, t in enumerate(part) if t.lower_ == "but" and _is(part, n + 1, "not")), 0
        )
        place = next((n for n in range(at - 1, 0, -1) if part[n].dep_ in ("prep", "agent")), 0)
        if at and place and _as_narrow(part[place:at], part[at + 2 :]):
            yield part[:at], 0
            yield [*part[:place], *part[at + 2 :]], 1
        else:
            yield part, 0


def _as_narrow(told: "Sequence[Token]", denied: "Sequence[Token]") -> bool:
    """Whether "in the garden but not in the hall" tells places apart, or "not in July" excepts."""
    if not denied or denied[0].pos_ != "ADP" or denied[0].lower_ != told[0].lower_:
        return False
    times = [bool(AT_TIMES.search(" ".join(t.lower_ for t in part))) for part in (told, denied)]
    return times[0] == times[1]


def told_apart(sentence: "Span") -> "Iterator[Clause]":
    """What a sentence says besides the whole: by clauses, by verbs of one subject, by lists.

    "Dogs are welcome in the garden but not in the dining room" says that they are in the garden,
    and that they are not in the dining room; "She spoke German, but no French" that she spoke no
    French.
    """
    past = sentence.root.tag_ == "VBD"
    conditions = {found.group().lower() for found in ON_CONDITION.finditer(sentence.text)}
    conditions -= {sentence.root.lower_}  # "Towels are provided"
    if conditions - (_TIMES if past else frozenset()):
        return
    if short := filled_in(sentence):
        yield from short
        return
    parts = list(clauses(sentence))
    if len(parts) > 1 and _are_told(sentence, parts):
        yield from parts
    else:
        parts = [(list(sentence), 0)]
    for part, denied in parts:
        for one, more in _by_verb(part):
            if len(one) < len(part):
                yield one, denied + more
            if not _TOGETHER.search(sentence.text):
                yield from ((each, denied + more + no) for each, no in _by_list(one))


def _are_told(sentence: "Span", parts: "Sequence[Clause]") -> bool:
    """Whether each clause is said for itself: it hangs on no verb of saying, nor on "in winter"."""
    if ";" in sentence.text:
        return True
    verbs = {sentence.root, *sentence.root.conjuncts}
    first = next((token for token in sentence if token.dep_ in SUBJECTS), None)
    if first is None or first.head not in verbs:
        return False
    before = sentence[: first.left_edge.i - sentence.start]
    if any(token.dep_ in _HANGS_ON for token in before):
        return False
    later = (part for part, _ in parts[1:])
    return all(any(t.head in verbs for t in part if t.dep_ in SUBJECTS) for part in later)


def _parts(sentence: "Span") -> "list[list[Token]]":
    """The clauses of a sentence with subjects of their own, parted by a semicolon, "but", "and"."""
    parts: list[list[Token]] = []
    part: list[Token] = []
    for token in sentence:
        part.append(token)
        joins = token.text == ";" or (token.dep_ == "cc" and token.lower_ in ("but", "and", "so"))
        behind = sentence.doc[token.i + 1 : sentence.end]
        if joins and any(t.dep_ in SUBJECTS for t in part) and _begins_clause(behind):
            parts.append(part[:-1])
            part = []
    return [*parts, part]


def _begins_clause(span: "Span") -> bool:
    """Whether a subject stands before any verb."""
    for token in span:
        if token.dep_ in SUBJECTS:
            return True
        if token.pos_ in _VERBAL or token.text in (",", ";"):
            return False
    return False


def _by_verb(clause: "Sequence[Token]") -> "Iterator[Clause]":
    """What a clause says by each of the verbs that share its subject; itself, where it has one."""
    within = set(clause)
    told = (t for t in clause if t.dep_ in SUBJECTS)
    subject = next((t for t in told if t.head.dep_ == "ROOT" or t.head.head not in within), None)
    if subject is None:
        yield clause, 0
        return
    main = subject.head
    others = [t for t in main.conjuncts if t in within and t.pos_ in _VERBAL]
    others = [t for t in others if not any(c.dep_ in SUBJECTS for c in t.children)]
    placed = any(t.dep_ in _HANGS_ON for t in clause if t.i < subject.left_edge.i)
    if not others or placed:
        yield clause, 0
        return
    own = _own(main, within)
    trails = any(t.dep_ == "prep" for t in others[-1].children)
    neither = any(t.lower_ == "neither" for t in main.children)
    but = any(t.lower_ == "but" for t in main.children)
    taken_back = but and not any(t.dep_ == "neg" for other in others for t in other.children)
    helps = [t for t in main.children if t.dep_ in _HELPS]
    placed = any(t.dep_ == "prep" for t in main.children) or _says_what(main)
    shared = trails and not placed and bool(helps) and others[-1].tag_ == main.tag_
    if not taken_back and (not trails or placed or shared):  # "You can't eat or drink in the hall"
        behind = [t for c in others[-1].children if c.dep_ == "prep" for t in c.subtree]
        said = [*own, *(behind if shared else ())]
        yield [t for t in said if t.lower_ != "neither"], int(neither)
    for verb in others:
        said = _own(verb, within)
        denied = any(t.dep_ == "neg" for t in main.children)
        bare = not any(t.dep_ in _HELPS for t in verb.children)
        lacks = bare and verb.tag_ in ("VB", "VBN", "VBG") and bool(helps)
        if lacks and denied and "or" not in (t.lower_ for t in main.children):
            continue
        about = [t for t in clause if t in set(subject.subtree)]
        yield [*about, *(helps if lacks else ()), *said], int(neither or (lacks and denied))


def _says_what(verb: "Token") -> bool:
    """Whether a verb only says what something is: "is no part of it and remains with us"."""
    return verb.lemma_ == "be" and any(t.dep_ in ("attr", "acomp") for t in verb.children)


def _own(verb: "Token", within: "set[Token]") -> "list[Token]":
    """A verb with what hangs on it, without the verbs that are joined to it."""
    taken = {t for c in verb.children if c.dep_ == "conj" for t in c.subtree}
    taken |= {c for c in verb.children if c.dep_ in ("cc", "punct")}
    return [t for t in verb.subtree if t not in taken and t in within]


def _by_list(clause: "Sequence[Token]") -> "Iterator[Clause]":
    """What a clause says of each thing alone that it lists."""
    within = set(clause)
    for head in clause:
        if head.dep_ not in _LISTED or head.pos_ in _VERBAL:
            continue
        beside = (t for t in head.head.children if t.dep_ == "conj" and t.pos_ not in _VERBAL)
        listed = (t for one in (head, *_apposed(head)) for t in (one, *one.conjuncts))
        items = [t for t in dict.fromkeys(listed) if t in within]
        items += [t for t in beside if t in within and t not in items and _parted(_phrase(t))]
        if len(items) == 1 or (head.dep_ == "pobj" and head.head.lower_ not in _PLACES):
            continue
        mutual = head.dep_ in SUBJECTS and head.head.lemma_ in _MUTUAL
        if not mutual and not _is_one_name(items):
            yield from _each(clause, items)


def _is_one_name(items: "Sequence[Token]") -> bool:
    first, last = items[0].i, items[-1].i
    return any(e.start <= first and last < e.end for e in items[0].doc.ents)


def _each(clause: "Sequence[Token]", items: "Sequence[Token]") -> "Iterator[Clause]":
    """The clause with one of the items for all, where each is said for itself."""
    head = items[0]
    phrases = [_phrase(item) for item in items]
    group = {*head.subtree, *(t for phrase in phrases for t in phrase)}
    before = {t.lower_ for t in clause if t not in group}
    joins = {t.lower_ for item in items for t in item.children if t.dep_ in ("cc", "preconj")}
    none = next((t for t in head.children if t.lower_ == "no"), None)
    denied = bool(DENIES & before) or none is not None
    apart = [_parted(phrase) for phrase in phrases]
    if any(apart):
        joins -= {"but"}
    neither = "neither" in joins or any(t.lower_ == "neither" for t in phrases[0])
    known = {"neither", "nor"} if neither else {"or", "nor"} if denied else {"and"}
    if (denied and head.dep_ in SUBJECTS and none is None) or (not denied and not neither):
        known |= {"and"}
    if not denied and before & _MAY:
        known |= {"or", "either"}
    if not joins <= known or (any(apart) and denied) or (none is not None and head.dep_ == "pobj"):
        return
    tail = [t for t in phrases[-1] if t.i > items[-1].i]
    for n, (item, phrase) in enumerate(zip(items, phrases, strict=True)):
        if n and not neither and not _whole(item, head):
            continue
        said = [
            t
            for t in phrase
            if t != none and t.lower_ != "neither" and not (apart[n] and t.lower_ in DENIES)
        ]
        if item != items[-1] and not any(t.i > item.i for t in said):
            said += tail
        at = next(k for k, t in enumerate(clause) if t in group)
        rest = [t for t in clause[at:] if t not in group and not _links(t, items)]
        yield [*clause[:at], *said, *rest], int(neither or apart[n] or none is not None)


def _phrase(item: "Token") -> "list[Token]":
    """An item of a list with its own words."""
    joined = (*(c for c in item.children if c.dep_ == "conj"), *_apposed(item))
    others = {t for c in joined for t in c.subtree}
    others |= {c for c in item.children if c.dep_ in ("cc", "punct", "preconj")}
    return [t for t in item.subtree if t not in others]


def _apposed(item: "Token") -> "list[Token]":
    """The second of three that are listed, where the parse has it as another name of the first."""
    return [
        c for c in item.children if c.dep_ == "appos" and any(t.dep_ == "conj" for t in c.children)
    ]


def _parted(phrase: "Sequence[Token]") -> bool:
    """Whether an item is what is not so: "but no French", "but not French"."""
    first = phrase[0]
    before = first.doc[max(0, first.i - 2) : first.i]
    said = [t.lower_ for t in before]
    return (said[-1:] == ["but"] and first.lower_ in ("no", "not", "never")) or said == [
        "but",
        "not",
    ]


def _links(token: "Token", items: "Sequence[Token]") -> bool:
    """Whether a word between the items joins them, though the parse has it elsewhere."""
    within = items[0].i < token.i < items[-1].i
    return within and (token.lower_ in ("but", "not", "and", "or", "nor") or token.is_punct)


def _whole(item: "Token", head: "Token") -> bool:
    """Whether a later item has words of its own where the first has some that may mean it too."""
    return not _described(head) or _described(item) or any(c.dep_ == "det" for c in item.children)


def _described(item: "Token") -> bool:
    return any(c.i < item.i and c.dep_ not in _OF_ITS_OWN | {"conj"} for c in item.children)


def _is(tokens: "Sequence[Token]", n: int, word: str) -> bool:
    return n < len(tokens) and tokens[n].lower_ == word
