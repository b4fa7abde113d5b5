"""The work of `train knowtrace`: ask, keep what was answered exactly, distil, write."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from ...kg.answers import Answer
from ...kg.errors import BadRequest
from ...loaders.questions.files import Question
from ...models.language import LanguageModel
from ...reasoning.evaluation.metrics.gold import Holdings
from ...reasoning.evaluation.metrics.scoring import score
from ...reasoning.evaluation.runs.manifest import question_file
from ...reasoning.methods import configured, settings
from ...reasoning.methods.knowtrace.method import KnowTrace
from ...reasoning.methods.knowtrace.trajectory import Said
from ...reasoning.registry import settings_of
from ...reasoning.session.session import Session
from ...reasoning.training.knowtrace import Distilled
from ..console.progress import counting_bar
from ..evaluation.graphs import question_sets, temporary_graph
from ..graph.parameters import require_passages
from ..hoptrail import Hoptrail
from ..settings import DEFAULT_RETRIEVER


@dataclass(frozen=True)
class Overheard(KnowTrace):
    """KnowTrace that remembers what was said for the question it answered last."""

    said: list[Said] = field(default_factory=list)

    def answer(self, session: Session) -> Answer:
        """Answer, and remember what was said on the way."""
        answer, self.said[:] = self.run(session)
        return answer


@dataclass(frozen=True, slots=True)
class Collecting:
    """How training questions are asked.

    Args:
        method: its word, with settings.
        own: from each question's own paragraphs, else from the whole graph.
        fixed_graph: over the graph as it is, instead of a temporary one for each file.
        backtracing: see Distilled.
    """

    method: str = KnowTrace.name
    retriever: str = DEFAULT_RETRIEVER
    own: bool = False
    fixed_graph: bool = False
    backtracing: bool = True


def collect(tools: Hoptrail, files: Sequence[Path], how: Collecting, out: Path) -> Distilled:
    """Ask the questions of files once, and write what is learned from them into a folder.

    Raises:
        BadRequest: another method, no language model, or a file without questions.
        EmptyGraph: the graph holds nothing.
        ModelMissing, ModelUnavailable: the language model can't be used.
        SourceError: a record can't be read.
    """
    made, budget = configured(how.method)
    if not isinstance(made, KnowTrace):
        raise BadRequest(f"Only {KnowTrace.name} traces a graph to learn from, not {how.method}.")
    if tools.model is None:
        raise BadRequest("Training asks a language model: set --model.")
    method, sets = Overheard(**settings_of(made)), question_sets(files)
    found = Distilled(how.backtracing)
    with tools:
        if how.fixed_graph:
            require_passages(tools.store)
        for name, (file, questions) in sets.items():
            graph = nullcontext(tools) if how.fixed_graph else temporary_graph(tools, [file])
            with graph as hop, counting_bar() as progress:
                task = progress.add_task(name, total=len(questions))
                held = Holdings(hop.store)
                for question in questions:
                    _ask(hop, held, method, question, how, found)
                    progress.advance(task)
        found.write(out, _about(tools.model, sets, how, settings(made, budget)))
    return found


def _ask(
    hop: Hoptrail,
    held: Holdings,
    method: Overheard,
    question: Question,
    how: Collecting,
    found: Distilled,
) -> None:
    within = hop.store.passages_of(held.own(question)) if how.own else None
    answer = hop.ask(
        question.question,
        method=method,
        retriever=how.retriever,
        within=within,
        options=question.options,
        record=False,
    )
    found.asked += 1
    if answer.text and score(question, answer.text).exact_match == 1:
        tokens = int(answer.usage["filtered_tokens"]), int(answer.usage["traced_tokens"])
        found.take(method.said, set(answer.tracing.evidence()), tokens)


def _about(
    model: LanguageModel,
    sets: Mapping[str, tuple[Path, Sequence[Question]]],
    how: Collecting,
    set_to: Mapping[str, object],
) -> dict[str, object]:
    return {
        "round": 1,
        "method": how.method,
        "settings": dict(set_to),
        "retriever": how.retriever,
        "within": "own paragraphs" if how.own else "whole graph",
        "model": {"name": model.name, "fingerprint": model.fingerprint},
        "data": [question_file(file) for file, _ in sets.values()],
    }
