"""One answer against its question, by the measures of the dataset it is from."""

from dataclasses import dataclass

from ....loaders.questions.files import Question
from ...matching import agreement, chosen, contains, exact_match, f1
from .labels import label
from .spans import NONE, parts, span_agreement

_LIKE_HOTPOTQA = ("hotpotqa", "2wikimultihopqa")


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one answer; 0 to 1.

    Args:
        exact_match: it is the gold answer or one of its aliases, after normalisation.
        f1: of its words.
        accuracy: it contains the gold answer or one of its aliases.
    """

    exact_match: float
    f1: float
    accuracy: float


def score(question: Question, text: str, abstained: bool = False) -> Score:
    """Score an answer by the measures of its question's dataset.

    Where there are options all three say whether the right one was chosen. A question that can't
    be answered is right when the method abstained, as in SQuAD 2 and IIRC; MuSiQue's script leaves
    those out of its means of EM and F1.

    Args:
        question: with its gold answer.
        text: of the answer, "" when there is none.
        abstained: the method said that there is no answer; its text does not count then.
    """
    if question.dataset == "fever":
        return _all(bool(question.answer) and label(text, abstained) == question.answer)
    if not question.answerable:
        return _all(abstained or (question.dataset == "iirc" and text.strip().lower() == NONE))
    if abstained or not (question.answer or question.spans):
        return _all(False)
    if question.options:
        number = chosen(text, question.options)
        return _all(number is not None and question.options[number] == question.answer)
    golds = [question.answer, *question.aliases]
    if question.dataset == "iirc":
        return _spans(question, text, golds)
    if question.dataset in _LIKE_HOTPOTQA:
        found = agreement(text, golds)
        return Score(found.exact, found.f1, contains(text, golds))
    verdicts = question.dataset != "musique"
    return Score(
        exact_match(text, golds), f1(text, golds, verdicts=verdicts), contains(text, golds)
    )


def _spans(question: Question, text: str, golds: list[str]) -> Score:
    """The text is taken as a list where a list is wanted: how else would a text name several?"""
    if question.spans:
        exact, overlap = span_agreement(parts(text), question.spans)
        held = min(contains(text, [span]) for span in question.spans)
    else:
        found = [span_agreement([text], [gold]) for gold in golds]
        exact, overlap = (max(figures) for figures in zip(*found, strict=True))
        held = contains(text, golds)
    return Score(exact, overlap, max(exact, held))  # "12.0" matches "12" as a number


def _all(right: bool) -> Score:
    return Score(*[float(right)] * 3)
