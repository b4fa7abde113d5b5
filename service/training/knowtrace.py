"""The work of `train knowtrace`: ask, keep what was answered exactly, distil, fine-tune, again."""

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from ...kg.answers import Answer
from ...kg.errors import BadRequest
from ...loaders.questions.files import Question
from ...loaders.writing import write_whole
from ...models.language import LanguageModel
from ...models.opening import require_file, with_adapters
from ...reasoning.evaluation.metrics.gold import Holdings
from ...reasoning.evaluation.metrics.scoring import score
from ...reasoning.evaluation.runs.manifest import question_file
from ...reasoning.evaluation.runs.run_file import read_manifest
from ...reasoning.methods import configured, settings
from ...reasoning.methods.knowtrace.method import KnowTrace
from ...reasoning.methods.knowtrace.trajectory import Said
from ...reasoning.registry import settings_of
from ...reasoning.session.session import Session
from ...reasoning.training.knowtrace import ADAPTERS, Asked, Distilled
from ...reasoning.training.lora import Lora
from ..console.progress import counting_bar, progress_bar
from ..evaluation.graphs import graph_of, question_sets
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
        backtracing: leave out what is no evidence; without, all that was said is kept, as in the
            paper's ablation.
    """

    method: str = KnowTrace.name
    retriever: str = DEFAULT_RETRIEVER
    own: bool = False
    fixed_graph: bool = False
    backtracing: bool = True


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is done with what was collected.

    Args:
        trainer: "none" writes it alone; "lora" trains two adapters of the base.
        rounds: Z of Algorithm 2; all but the first ask with the adapters of the one before.
        weights: of the base, a folder that transformers wrote; None takes them from the GGUF file.
    """

    trainer: Literal["none", "lora"] = "none"
    rounds: int = 1
    weights: Path | None = None
    lora: Lora = field(default_factory=Lora)


Sets = Mapping[str, tuple[Path, list[Question]]]


def self_train(
    tools: Hoptrail, files: Sequence[Path], how: Collecting, tuning: Tuning, out: Path
) -> Iterator[dict[str, Any]]:
    """Ask the questions of files in rounds, and learn from those that are answered exactly.

    What an earlier run left in the folder is not done again.

    Args:
        out: a folder; round N writes explore.jsonl, complete.jsonl, manifest.json and, where there
            is a trainer, adapters/ into round-N/ of it.

    Yields:
        The manifest of each round, once all of it is written.

    Raises:
        BadRequest: another method, no language model, none that can be fine-tuned, a file without
            questions, a folder of another training, or a loss that is no number.
        EmptyGraph: the graph holds nothing.
        ModelMissing, ModelUnavailable: the language model can't be used.
        SourceError: a record can't be read.
    """
    method = _method(how)
    if tools.model is None:
        raise BadRequest("Training asks a language model: set --model.")
    if tuning.trainer == "none" and tuning.rounds > 1:
        raise BadRequest("Rounds after the first ask a fine-tuned model: --trainer lora.")
    base = tools.model
    if tuning.trainer == "lora":
        require_file(base)
    sets = question_sets(files)
    if how.fixed_graph:
        require_passages(tools.store)
    _same_training(out, _about(base, sets, how, tuning))
    with tools, contextlib.ExitStack() as stack:
        graphs = _Graphs(tools, sets, how, stack)
        for number in range(1, tuning.rounds + 1):
            folder = out / f"round-{number}"
            folder.mkdir(exist_ok=True)
            if tuning.trainer == "lora":
                before = out / f"round-{number - 1}" / "adapters" if number > 1 else None
                graphs.model = with_adapters(base, before)
            found = _collect(graphs, method, folder)
            if tuning.trainer == "lora":
                graphs.model.close()  # the one that is trained has the memory now
                _tune(found, with_adapters(base, None), tuning, folder)
            yield found.write(folder, {"round": number, "model": graphs.model.name})


def _method(how: Collecting) -> Overheard:
    made, _ = configured(how.method)
    if not isinstance(made, KnowTrace):
        raise BadRequest(f"Only {KnowTrace.name} traces a graph to learn from, not {how.method}.")
    return Overheard(**settings_of(made))


@dataclass
class _Graphs:
    """The graph of each file, made when it is first asked; all rounds ask the same.

    Attributes:
        model: that is asked.
    """

    tools: Hoptrail
    sets: Sets
    how: Collecting
    stack: contextlib.ExitStack
    model: LanguageModel = field(init=False)
    _made: dict[str, tuple[Hoptrail, Holdings]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        assert self.tools.model is not None
        self.model = self.tools.model

    def ask(self, name: str, method: Overheard, question: Question) -> Asked:
        """Ask one question, and distil what was said."""
        if name not in self._made:
            made = graph_of(self.tools, [self.sets[name][0]], self.how.fixed_graph)
            hop = self.stack.enter_context(made)
            self._made[name] = hop, Holdings(hop.store)
        hop, held = self._made[name]
        hop.model = self.model
        answer = hop.ask(
            question.question,
            method=method,
            retriever=self.how.retriever,
            within=hop.store.passages_of(held.own(question)) if self.how.own else None,
            options=question.options,
            record=False,
        )
        if not answer.text or score(question, answer.text).exact_match != 1:
            return Asked()
        evidence = set(answer.tracing.evidence()) if self.how.backtracing else None
        tokens = int(answer.usage["filtered_tokens"]), int(answer.usage["traced_tokens"])
        return Asked.of(method.said, evidence, tokens)


def _collect(graphs: _Graphs, method: Overheard, folder: Path) -> Distilled:
    """Ask the questions that an earlier run did not; each is kept once it is answered."""
    kept = folder / "asked.jsonl"
    done = Asked.read(kept)
    write_whole(kept, "".join(one.line() for one in done))
    with kept.open("a", encoding="utf-8") as file, counting_bar() as progress:
        skipped = len(done)
        for name, (_, questions) in graphs.sets.items():
            task = progress.add_task(f"{folder.name}: {name}", total=len(questions))
            for question in questions:
                if skipped:
                    skipped -= 1
                else:
                    done.append(graphs.ask(name, method, question))
                    file.write(done[-1].line())
                    file.flush()
                progress.advance(task)
    return Distilled(done)


def _tune(found: Distilled, base: LanguageModel, tuning: Tuning, folder: Path) -> None:
    """Train the adapters that are not there yet, each on the base anew (Algorithm 2, line 12)."""
    from ...reasoning.training.adapter_file import write_adapter
    from ...reasoning.training.lora import fine_tune, load_base

    adapters, model = folder / "adapters", require_file(base)
    adapters.mkdir(exist_ok=True)
    missing = [name for name in ADAPTERS if not (adapters / f"{name}.gguf").exists()]
    taught = {
        name: [model.supervision(one.prompt, one.told) for one in found.pairs(name)]
        for name in missing
    }
    lacking = next((name for name, examples in taught.items() if not examples), None)
    if lacking:
        raise BadRequest(
            f"{folder.name} gave the adapter {lacking} nothing to learn: {found.kept} of "
            f"{len(found.asked)} questions were answered exactly. Take more or easier ones."
        )
    weights = load_base(tuning.weights or Path(model.path)) if missing else None
    for name, examples in taught.items():
        with progress_bar() as progress:
            task = progress.add_task(f"{folder.name}: {name}")
            tuned = fine_tune(
                weights,
                examples,
                tuning.lora,
                folder / "checkpoints" / name,
                lambda at, of, task=task: progress.update(task, completed=at, total=of),
            )
        prompts = [prompt for prompt, _ in examples]
        write_adapter(tuned, tuning.lora, model, prompts, adapters / f"{name}.gguf")
        weights = tuned.unload()
    model.close()


def _same_training(out: Path, about: Mapping[str, object]) -> None:
    """Keep what is trained in the folder, which may hold the beginning of the same alone."""
    out.mkdir(parents=True, exist_ok=True)
    file = out / "training.json"
    before = read_manifest(file) if file.exists() else about
    if before is None:
        raise BadRequest(f"{file} says of no training what it was. Name another folder: --out.")
    other = [name for name, value in about.items() if before.get(name) != value]
    if other:
        raise BadRequest(
            f"{out} holds another training ({', '.join(other)} differ). Name another folder: --out."
        )
    write_whole(file, json.dumps(about, indent=2, ensure_ascii=False) + "\n")


def _about(model: LanguageModel, sets: Sets, how: Collecting, tuning: Tuning) -> dict[str, object]:
    """What has to be the same when a training goes on; the rounds may become more."""
    made, budget = configured(how.method)
    return {
        "method": how.method,
        "settings": {name: str(value) for name, value in settings(made, budget).items()},
        "retriever": how.retriever,
        "within": "own paragraphs" if how.own else "whole graph",
        "backtracing": how.backtracing,
        "model": {"name": model.name, "fingerprint": model.fingerprint},
        "data": [question_file(file) for file, _ in sets.values()],
        **({"lora": asdict(tuning.lora)} if tuning.trainer == "lora" else {}),
    }
