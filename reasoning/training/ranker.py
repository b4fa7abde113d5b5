"""Fitting the learned ranker to questions with known passages, and what that is worth.

Boosted trees by LambdaRank (Burges 2010) where LightGBM is installed (`pip install
hoptrail[ranker]`), else logistic regression. Worth is measured on questions held out.
"""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...loaders.questions.files import Question
from ...models.encoder import Encoder
from ..evaluation.metrics.intervals import Interval, paired
from ..fitted import Fitted, provenance
from ..registry import settings_of
from ..retrieval.hop import Hop
from ..retrieval.ranker import DEPTH, HOP, Boosted, Linear, RankerParameters
from ..retrieval.ranker_features import Floats, features
from ..retrieval.trees import Trees

Kind = Literal["trees", "linear"]
Labels = NDArray[np.int_]
MIN_QUESTIONS = 20  # questions; fewer say nothing about what is gained
CUT = 5  # recall at


@dataclass(frozen=True, slots=True)
class Training:
    """Settings of the fit, chosen by cross-validation on three benchmarks' train questions.

    Args:
        kind: boosted trees or logistic regression; None takes trees where they can be fitted.
        trees: how many.
        leaves: of a tree.
        rate: what a tree adds, as a share of what it found.
        smallest: passages a leaf has at least.
        hop: what the hop's score counts beside the trees', which correct it: with few questions
            they do better so.
        penalty: on the squares of the regression's weights.
        folds: of the cross-validation.
    """

    kind: Kind | None = None
    trees: int = 150
    leaves: int = 7
    rate: float = 0.05
    smallest: int = 20
    hop: float = 3.0
    penalty: float = 1.0
    folds: int = 5

    @property
    def chosen(self) -> Kind:
        """The kind of model, as far as this machine can fit it.

        Raises:
            BadRequest: trees are asked for, and LightGBM is not installed.
        """
        there = importlib.util.find_spec("lightgbm") is not None
        if self.kind == "trees" and not there:
            raise BadRequest("Fitting trees needs LightGBM: pip install 'hoptrail[ranker]'.")
        return self.kind or ("trees" if there else "linear")


@dataclass(frozen=True, slots=True)
class Example:
    """A question as the ranker sees it: the hop's best, in the hop's order.

    Args:
        question: its text.
        source: which file it is of.
        rows: (n, len(FEATURES)).
        documents: (n,), the paragraph that each passage is of.
        supporting: paragraphs, found or not.
    """

    question: str
    source: str
    rows: Floats
    documents: Sequence[str]
    supporting: frozenset[str]

    @property
    def right(self) -> Labels:
        """Which passages support the answer: (n,), 1 where one does."""
        return np.array([document in self.supporting for document in self.documents], int)

    def recall(self, scores: Floats | None = None) -> float:
        """Return the share of supporting paragraphs in the first CUT, by scores or the hop's."""
        order = range(len(self.documents))
        if scores is not None:
            order = np.argsort(-scores, kind="stable").tolist()
        first = list(dict.fromkeys(self.documents[place] for place in order))[:CUT]
        return len(self.supporting.intersection(first)) / len(self.supporting)


@dataclass(frozen=True, slots=True)
class Worth:
    """Recall@CUT on one file's questions, by rankers that were not fitted to the question.

    Args:
        gain: the ranker's over the hop's, paired by question.
        without: the same of a ranker fitted to the other files alone; None with one file.
    """

    source: str
    questions: int
    hop: float
    ranker: float
    gain: Interval
    without: Interval | None


def examples(
    graph: Graph,
    encoder: Encoder,
    questions: Sequence[Question],
    source: str,
    progress: Callable[[], None] = lambda: None,
) -> list[Example]:
    """Look at the questions of a file whose supporting paragraphs the graph holds.

    Args:
        graph: what the hop searches: a question's paragraphs among all others.
        progress: called after every question.
    """
    hop, found = Hop(graph, encoder), []
    for question in questions:
        wanted = [p.document_id for p in question.paragraphs if p.is_supporting and p.text]
        supporting = frozenset(graph.documents(wanted))
        if supporting:
            look = hop.look(question.question, hop.chosen)
            ranked = hop.rank(look, DEPTH)
            rows = features(look, ranked)
            passages = graph.passages([scored.id for scored in ranked])
            documents = [passage.document_id for passage in passages.values()]
            found.append(Example(question.question, source, rows, documents, supporting))
        progress()
    return found


def fit(
    questions: Sequence[Example],
    hop: Hop,
    training: Training,
    sources: Sequence[Mapping[str, Any]] = (),
    progress: Callable[[], None] = lambda: None,
) -> tuple[Fitted[RankerParameters], list[Worth]]:
    """Fit a ranker to all questions, and measure such rankers on questions held out.

    Args:
        hop: that `examples` used: its settings and encoder go into the result.
        sources: files with their hashes, for the provenance.
        progress: called after every model that was fitted; see `steps`.

    Raises:
        BadRequest: fewer than MIN_QUESTIONS questions to learn from, or trees without LightGBM.
    """
    telling = len({example.question for example in questions if example.right.any()})
    if telling < MIN_QUESTIONS:
        raise BadRequest(
            f"The hop finds supporting paragraphs of {telling} questions; the ranker needs at "
            f"least {MIN_QUESTIONS} to learn from. Add questions, with their paragraphs in the "
            "graph."
        )
    worth = measure(questions, training, progress)
    model = learn(questions, training)
    progress()
    about = provenance(
        sources,
        len(questions),
        training=asdict(training) | {"kind": training.chosen},
        worth=[asdict(one) for one in worth],
    )
    parameters = RankerParameters(model, settings_of(hop), DEPTH)
    return Fitted(parameters, hop.encoder.fingerprint, about), worth


def steps(training: Training, sources: int) -> int:
    """Count the models that `fit` fits."""
    return training.folds + (sources if sources > 1 else 0) + 1


def measure(
    questions: Sequence[Example], training: Training, progress: Callable[[], None] = lambda: None
) -> list[Worth]:
    """Measure each file by cross-validation over the questions of all, and without the file."""
    hop = np.array([example.recall() for example in questions])
    fold = _folds(questions, training.folds)
    ranker = np.zeros(len(questions))
    for number in range(training.folds):
        _hold_out(questions, fold == number, training, ranker)
        progress()
    owner = np.array([example.source for example in questions])
    sources = list(dict.fromkeys(owner.tolist()))
    found = []
    for source in sources:
        own, without = owner == source, None
        if len(sources) > 1:
            alone = np.zeros(len(questions))
            _hold_out(questions, own, training, alone)
            without = paired(alone[own], hop[own])
            progress()
        gain = paired(ranker[own], hop[own])
        means = float(hop[own].mean()), float(ranker[own].mean())
        found.append(Worth(source, int(own.sum()), *means, gain, without))
    return found


def learn(questions: Sequence[Example], training: Training) -> Boosted | Linear:
    """Fit one model; it keeps the hop's order where the questions teach nothing."""
    rows = np.concatenate([example.rows for example in questions])
    right = np.concatenate([example.right for example in questions])
    if right.all() or not right.any():
        return Linear(np.zeros(rows.shape[1]))
    if training.chosen == "trees":
        return _trees(rows, right, [len(example.rows) for example in questions], training)
    return _linear(rows, right, training)


def _hold_out(
    questions: Sequence[Example], held: NDArray[np.bool_], training: Training, recall: Floats
) -> None:
    """Fit to the others and write down the recall of those held out."""
    pairs = list(zip(questions, held.tolist(), strict=True))
    model = learn([example for example, out in pairs if not out], training)
    recall[held] = [example.recall(model.scores(example.rows)) for example, out in pairs if out]


def _folds(questions: Sequence[Example], folds: int) -> NDArray[np.int_]:
    """Which fold each question is held out in: the same question is always in one."""
    texts = sorted({example.question for example in questions})
    shuffled = np.random.default_rng(0).permutation(len(texts)) % folds
    fold = dict(zip(texts, shuffled.tolist(), strict=True))
    return np.array([fold[example.question] for example in questions])


def _trees(rows: Floats, right: Labels, groups: list[int], training: Training) -> Boosted:
    import lightgbm

    data = lightgbm.Dataset(rows, right, group=groups, init_score=training.hop * rows[:, HOP])
    parameters = {
        "objective": "lambdarank",
        "lambdarank_truncation_level": 2 * CUT,
        "num_leaves": training.leaves,
        "learning_rate": training.rate,
        "min_data_in_leaf": training.smallest,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,  # more do not add up in the same order
        "seed": 0,
        "verbose": -1,
    }
    booster = lightgbm.train(parameters, data, training.trees)
    grown = booster.dump_model()["tree_info"]
    return Boosted(training.hop, Trees.of([tree["tree_structure"] for tree in grown]))


def _linear(rows: Floats, right: Labels, training: Training) -> Linear:
    from sklearn.linear_model import LogisticRegression

    scale = rows.std(axis=0)
    scale[scale == 0] = 1.0
    regression = LogisticRegression(C=1 / training.penalty, max_iter=2000)
    regression.fit((rows - rows.mean(axis=0)) / scale, right)
    return Linear(regression.coef_[0] / scale)
