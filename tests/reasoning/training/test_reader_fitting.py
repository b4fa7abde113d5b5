"""The judge: as sure as the reader is right on questions that it has not seen, as in use."""

from dataclasses import replace

import numpy as np

from hoptrail.reasoning.reader.asked.question import KINDS, Asked
from hoptrail.reasoning.reader.candidates import LABELS
from hoptrail.reasoning.reader.judging.confidence import CIRCUMSTANCES, signs
from hoptrail.reasoning.reader.judging.judged import Judgement, judge
from hoptrail.reasoning.reader.placed.features import FEATURES
from hoptrail.reasoning.reader.reader import THRESHOLD
from hoptrail.reasoning.reader.rules.rulings import Ruling
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


def judged(weights, one) -> Judgement:
    logits = weights.logits(one.features, one.asked.kind, one.labels)
    return judge(weights.trees, one.asked, one.texts, logits, one.features, one.around)


def sure(weights, examples):
    """How sure the weights are of their best candidate, on average."""
    each = (judged(weights, one) for one in examples)
    return float(np.mean([of.chances[of.best] for of in each]))


def test_what_was_learned_by_heart_makes_nothing_sure():
    said = []
    for seed in range(8, 12):
        right = np.random.default_rng(seed - 3).integers(0, CANDIDATES, QUESTIONS)
        weights = fit([example(n, rows, right[n]) for n, rows in enumerate(noise(seed))])
        said.append(
            sure(weights, [example(n, rows, 0) for n, rows in enumerate(noise(seed + 100))])
        )
    # By chance one in five is right; of a scorer that has seen them it would say over one in three.
    assert np.mean(said) < 0.3


def test_paragraphs_that_retrieval_would_not_give_make_nothing_sure():
    rows = noise(0)
    rows[:, 0, 0] += 8.0  # the first candidate is the one to choose
    gold = [example(n, rows[n], 0, retrieved=False) for n in range(QUESTIONS)]
    as_found = [replace(one, retrieved=True) for one in gold]
    # As in use, every second has the right candidate elsewhere.
    used = [example(n, rows[n], 0 if n % 2 else 3) for n in range(QUESTIONS)]
    assert 0.2 < sure(fit(gold + used), used) < sure(fit(as_found + used), used) - 0.1


def test_what_only_two_signs_together_tell_is_told():
    rows = noise(3)
    first, second = FEATURES.index("linked"), FEATURES.index("named")
    rows[:, :, [first, second]] = [(1, 1), (4, -1), (-1, 4), (-1, -1), (-1, -1)]
    used = [example(n, rows[n], 0) for n in range(QUESTIONS)]
    weights = fit(used)
    scored = [weights.logits(one.features, one.asked.kind, one.labels) for one in used]
    assert sum(int(np.argmax(logits)) == 0 for logits in scored) < QUESTIONS
    assert all(judged(weights, one).best == 0 for one in used)


def test_thirty_easy_questions_make_a_reader_that_is_sure_enough_to_answer():
    rows = noise(6)[:30]
    rows[:, 0, FEATURES.index("relation")] += 8.0
    used = [example(n, rows[n], 0) for n in range(len(rows))]
    assert sure(fit(used), used) > THRESHOLD


def test_three_answers_of_rules_make_no_rule_certain():
    ruling = Ruling("candidate 0", "path", ())
    used = [example(n, rows, 0) for n, rows in enumerate(noise(7))]
    used[:3] = [replace(one, ruling=ruling, ruled_right=True) for one in used[:3]]
    weights = fit(used)
    logits = weights.logits(used[0].features, used[0].asked.kind, used[0].labels)
    seen = signs(used[0].around, used[0].asked, used[0].texts, logits, ruling)
    assert 0.5 < weights.confidence(seen) < 0.95
