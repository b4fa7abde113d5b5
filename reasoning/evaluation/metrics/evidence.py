"""Measures of evidence: supporting facts, passages, triples, and all of it with the answer.

Sources: `hotpot_evaluate_v1.py` (HotpotQA), `2wikimultihop_evaluate_v1.1.py` (2WikiMultihopQA),
`metrics/support.py` and `metrics/group_*_sufficiency.py` (MuSiQue); document error rate: TRACE,
Table 5.
"""

import math
import string
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass

from ....loaders.questions.files import Fact, Question
from ...matching import Agreement

_PUNCTUATION = str.maketrans("", "", string.punctuation)

Triple = tuple[str, str, str]


def support(predicted: Iterable[Hashable], gold: Iterable[Hashable]) -> Agreement:
    """Compare two sets: facts, titles of paragraphs, or ids of documents.

    Nothing predicted where nothing was wanted is exact; its F1 is 0 as in HotpotQA's script.
    """
    said, meant = set(predicted), set(gold)
    return _agreement(len(said & meant), len(said), len(meant))


def paragraph_support(predicted: Iterable[Hashable], gold: Iterable[Hashable]) -> Agreement:
    """Compare paragraphs as MuSiQue does: nothing where nothing was wanted has F1 1."""
    found = support(predicted, gold)
    both_empty = found.exact == 1.0 and found.f1 == 0.0
    return Agreement(1.0, 1.0, 0.0, 0.0) if both_empty else found


def facts(predicted: Iterable[Fact], question: Question) -> Agreement:
    """Compare supporting facts, sentence by sentence; 2WikiMultihopQA's titles in any case."""
    fold = question.dataset == "2wikimultihopqa"
    gold = question.supporting_facts
    return support(_titled(predicted, fold), _titled(gold, fold))


def evidence(predicted: Iterable[Triple], question: Question) -> Agreement:
    """Compare 2WikiMultihopQA's triples, by any known name of head and tail; articles count."""
    said = {(_plain(head), _plain(relation), _plain(tail)) for head, relation, tail in predicted}
    names = question.evidence_names or [((), ())] * len(question.evidences)
    gold: list[tuple[set[str], str, set[str]]] = []
    for (head, relation, tail), (heads, tails) in zip(question.evidences, names, strict=True):
        gold.append(
            (
                {_plain(name) for name in (head, *heads)},
                _plain(relation),
                {_plain(name) for name in (tail, *tails)},
            )
        )
    matches = sum(
        any(head in heads and relation == wanted and tail in tails for heads, wanted, tails in gold)
        for head, relation, tail in said
    )
    return _agreement(matches, len(said), len(gold))


def joint(*parts: Agreement) -> Agreement:
    """Join answer and support (HotpotQA), and evidence (2WikiMultihopQA): right in all of them.

    Precision, recall and exactness are the products, F1 that of precision and recall.
    """
    precision = math.prod(part.precision for part in parts)
    recall = math.prod(part.recall for part in parts)
    exact = math.prod(part.exact for part in parts)
    return Agreement(exact, _harmonic(precision, recall), precision, recall)


@dataclass(frozen=True, slots=True)
class Twin:
    """One of MuSiQue's two questions of a pair.

    Args:
        pair: what both share.
        answerable: one is, the other is not.
        abstained: it was said to be unanswerable.
        score: of its answer or support; that of the unanswerable one does not count.
    """

    pair: str
    answerable: bool
    abstained: bool
    score: float


def pair_scores(twins: Iterable[Twin]) -> list[float]:
    """Score MuSiQue's pairs: the score where both twins were judged rightly, else 0.

    Nothing where a question lacks its twin: it is no full file then.
    """
    pairs = defaultdict[str, list[Twin]](list)
    for twin in twins:
        pairs[twin.pair].append(twin)
    if any(sorted(twin.answerable for twin in pair) != [False, True] for pair in pairs.values()):
        return []
    return [
        sum(twin.score for twin in pair if twin.answerable)
        * all(twin.answerable != twin.abstained for twin in pair)
        for pair in pairs.values()
    ]


def supporting_recall(shown: Sequence[str], gold: Collection[str], k: int | None = None) -> float:
    """Return the share of supporting documents among the first k shown (None: all).

    Raises:
        ValueError: there are none to find.
    """
    if not gold:
        raise ValueError("no supporting documents")
    return len(set(gold).intersection(shown[:k])) / len(set(gold))


def all_supporting(shown: Sequence[str], gold: Collection[str], k: int | None = None) -> float:
    """Return 1 when every supporting document is among the first k, else 0 (None: all)."""
    return float(supporting_recall(shown, gold, k) == 1.0)


def document_error_rate(shown: Iterable[str], gold: Collection[str]) -> float | None:
    """Return the share of documents shown that support nothing; None without any."""
    seen = set(shown)
    return len(seen.difference(gold)) / len(seen) if seen else None


def _agreement(matches: int, said: int, meant: int) -> Agreement:
    precision = matches / said if said else 0.0
    recall = matches / meant if meant else 0.0
    exact = float(matches == said == meant)
    return Agreement(exact, _harmonic(precision, recall), precision, recall)


def _harmonic(precision: float, recall: float) -> float:
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0


def _titled(sentences: Iterable[Fact], fold: bool) -> Iterable[Fact]:
    return ((title.lower() if fold else title, number) for title, number in sentences)


def _plain(text: str) -> str:
    return " ".join(text.lower().translate(_PUNCTUATION).split())
