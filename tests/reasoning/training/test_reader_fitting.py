"""The calibrator: as sure as the reader is right on questions that it has not seen, as in use."""

from dataclasses import replace

import numpy as np

from hoptrail.reasoning.reader.candidates import LABELS
from hoptrail.reasoning.reader.confidence import CIRCUMSTANCES, signs
from hoptrail.reasoning.reader.features import FEATURES
from hoptrail.reasoning.reader.question import KINDS, Asked
from hoptrail.reasoning.training.reader_fitting import Example, fit

QUESTIONS, CANDIDATES = 60, 5
ASKED = Asked("Is it?", KINDS[0], (), "", frozenset(), frozenset(), "is it")


def example(number, features, right, *, retrieved=True):
    return Example(
        question=str(number),
        asked=ASKED,
        texts=[f"candidate {n}" for n in range(CANDIDATES)],
        labels=[LABELS[0]] * CANDIDATES,
        features=features,
        around=np.ones(len(CIRCUMSTANCES), np.float32),
        right=np.arange(CANDIDATES) == right,
        ruling=None,
        ruled_right=False,
        verdict=False,
        retrieved=retrieved,
        weight=1.0,
    )


def noise(seed):
    shape = QUESTIONS, CANDIDATES, len(FEATURES)
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def sure(weights, examples):
    """How sure the weights are of their best candidate, on average."""
    found = []
    for one in examples:
        logits = weights.logits(one.features, one.asked.kind, one.labels)
        seen = signs(one.around, one.asked, one.texts, logits, one.features, None)
        found.append(weights.confidence(seen))
    return float(np.mean(found))


def test_what_was_learned_by_heart_makes_nothing_sure():
    right = np.random.default_rng(1).integers(0, CANDIDATES, QUESTIONS)
    examples = [example(n, rows, right[n]) for n, rows in enumerate(noise(4))]
    # By chance one in five is right; of a scorer that has seen them it would say one in three.
    assert sure(fit(examples), examples) < 0.28


def test_paragraphs_that_retrieval_would_not_give_make_nothing_sure():
    rows = noise(0)
    rows[:, 0, 0] += 8.0  # the first candidate is the one to choose
    gold = [example(n, rows[n], 0, retrieved=False) for n in range(QUESTIONS)]
    as_found = [replace(one, retrieved=True) for one in gold]
    # As in use, every second has the right candidate elsewhere.
    used = [example(n, rows[n], 0 if n % 2 else 3) for n in range(QUESTIONS)]
    assert 0.2 < sure(fit(gold + used), used) < sure(fit(as_found + used), used) - 0.1


def test_the_answer_that_is_given_is_judged_not_what_scores_best():
    rows = noise(3)
    rows[:, 0, 0] += 8.0  # the first candidate scores best …
    rows[:, :, FEATURES.index("stated")] = [0, 1, 0, 0, 0]  # … and the second is stated, so given
    asked = replace(ASKED, kind="place")
    used = [replace(example(n, rows[n], 0 if n % 10 else 1), asked=asked) for n in range(QUESTIONS)]
    assert sure(fit(used), used) < 0.2
