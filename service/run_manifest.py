"""What a run of `evaluate answers` says of itself."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..loaders.questions.files import Question
from ..reasoning.evaluation.runs.manifest import (
    content_hash,
    graph_fingerprint,
    question_file,
    text_hash,
)
from ..reasoning.prompts import own_folder
from ..reasoning.registry import settings_of
from ..reasoning.retrieval import Ranker, retriever
from .hoptrail import Hoptrail

if TYPE_CHECKING:
    from .measuring_answers import Setting


def about_run(
    hop: Hoptrail, name: str, file: Path, questions: Sequence[Question], setting: "Setting"
) -> dict[str, Any]:
    """The manifest of a run but for its method: all that decides what comes of the questions."""
    prompts = own_folder()
    model = hop.model
    found = retriever(setting.retriever, hop.store, hop.encoder)
    return {
        "hoptrail": version("hoptrail"),
        "dataset": name,
        "data": question_file(file),
        "questions": len(questions),
        "within": "own paragraphs" if setting.own else "whole graph",
        "corpus": {one.resolve().name: content_hash(one) for one in setting.corpus},
        "graph": graph_fingerprint(hop.store),
        "pipeline": hop.pipeline.fingerprint,
        "model": model and {"name": model.name, "fingerprint": model.fingerprint},
        "retriever": setting.retriever,
        "retriever_settings": settings_of(found),
        "ranker": text_hash(found.fitted.to_json()) if isinstance(found, Ranker) else None,
        "reader": content_hash(Path(hop.reader)) if hop.reader else "packaged",
        "prompts": content_hash(prompts) if prompts else "packaged",
        "at_once": setting.at_once,
    }
