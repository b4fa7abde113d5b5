import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from hoptrail.kg.errors import BadRequest, ModelMissing, SourceError
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Weights
from hoptrail.reasoning.reader.judging.weights import PACKAGED, READER
from hoptrail.reasoning.training.reader import examples_of, source_of, study_of, train

PAINTERS = ("Ida Holm", "Jens Moe", "Kari Dahl", "Ola Fjeld", "Berit Lie", "Nils Aas", "Liv Berg")
TOWNS = ("Bergen", "Narvik", "Molde", "Bodø", "Hamar", "Horten", "Alta")
WORKS = ("Grey Sea", "Low Tide", "Red Barn", "Old Pier", "Tall Mast", "Cold Bay", "First Snow")


def questions(answers: tuple[str, ...] = TOWNS) -> list[dict[str, object]]:
    """Where a painter of a painting grew up: two passages needed, one beside the point."""
    return [
        {
            "id": str(n),
            "question": f"In which town did the painter who showed {work} in Paris grow up?",
            "answer": answer,
            "answer_aliases": [],
            "type": "bridge",
            "hops": 2,
            "paragraphs": [
                _paragraph(work, f"{work} is a painting that {painter} showed in Paris.", True),
                _paragraph(painter, f"{painter} is a painter who grew up in {town}.", True),
                _paragraph("Paris", "Paris is the capital of France. It lies on the Seine.", False),
            ],
            "evidences": [],
        }
        for n, (painter, town, work, answer) in enumerate(
            zip(PAINTERS, TOWNS, WORKS, answers, strict=True)
        )
    ]


def _paragraph(title: str, text: str, is_supporting: bool) -> dict[str, object]:
    return {"title": title, "text": text, "is_supporting": is_supporting}


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "painters.jsonl", questions())


def written(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_trained_weights_answer_and_say_where_they_come_from(
    path: Path, pipeline: Pipeline
) -> None:
    heard: list[tuple[int, int]] = []
    trained = train([path], pipeline, lambda done, total: heard.append((done, total)))
    source = source_of(path)
    for question in source.questions:
        study = study_of(question, pipeline, "retrieved")
        assert study is not None
        assert study.reading(trained.parameters).text == question.answer
    assert heard[-1] == (7, 7)
    assert trained.provenance["files"] == [
        {"name": "painters.jsonl", "sha256": source.sha256, "questions": 7}
    ]
    assert trained.provenance["pipeline"] == pipeline.fingerprint


def test_weights_are_the_same_after_saving_and_loading(
    path: Path, pipeline: Pipeline, tmp_path: Path
) -> None:
    trained = train([path], pipeline)
    READER.save(trained, tmp_path / "first.json")
    read = READER.load(tmp_path / "first.json")
    READER.save(read, tmp_path / "second.json")
    weights, loaded = trained.parameters, read.parameters
    assert (tmp_path / "first.json").read_bytes() == (tmp_path / "second.json").read_bytes()
    np.testing.assert_array_equal(loaded.coefficients, weights.coefficients)
    np.testing.assert_array_equal(loaded.crossed, weights.crossed)
    np.testing.assert_array_equal(loaded.calibration, weights.calibration)


def test_questions_whose_answers_are_nowhere_teach_nothing(
    tmp_path: Path, pipeline: Pipeline
) -> None:
    path = written(tmp_path / "odd.jsonl", questions(answers=("Timbuktu",) * 7))
    with pytest.raises(BadRequest, match="Only 0 questions"):
        train([path], pipeline)


def test_a_question_without_an_answer_counts_more_than_one_with(
    tmp_path: Path, pipeline: Pipeline
) -> None:
    told = questions()
    untold = [{**one, "id": f"{one['id']}-", "answer": "", "answerable": False} for one in told]
    path = written(tmp_path / "both.jsonl", told + untold)
    weights = train([path], pipeline).parameters
    study = study_of(source_of(path).questions[0], pipeline, "retrieved")
    assert study is not None
    assert study.reading(weights).confidence < 0.4  # every other one is right


def test_an_example_answered_by_what_a_line_says_goes_to_another_process(
    tmp_path: Path, pipeline: Pipeline
) -> None:
    record = {
        **questions()[0],
        "question": "What does --quiet do?",
        "answer": "Prints nothing but errors.",
        "paragraphs": [_paragraph("Options", "--quiet: Prints nothing but errors.", True)],
    }
    [asked] = source_of(written(tmp_path / "options.jsonl", [record])).questions
    example = next(examples_of(asked, pipeline))
    assert example.ruling is not None
    assert pickle.loads(pickle.dumps(example)).ruling.answer == example.ruling.answer


def test_an_empty_file_is_refused(tmp_path: Path, pipeline: Pipeline) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    with pytest.raises(SourceError, match="empty"):
        train([path], pipeline)


@pytest.mark.parametrize("content", ["", "{}", '{"format": 99}', "[1]"])
def test_a_file_that_holds_no_weights_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content)
    with pytest.raises(ModelMissing, match=r"broken\.json.*hoptrail train reader"):
        Weights.load(path)


def test_weights_for_other_features_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    record = json.loads(PACKAGED.read_text(encoding="utf-8"))
    record["scorer"]["features"]["moon phase"] = record["scorer"]["features"].pop("rank")
    path.write_text(json.dumps(record))
    with pytest.raises(ModelMissing, match="moon phase"):
        Weights.load(path)


def test_the_packaged_weights_name_their_data() -> None:
    provenance = READER.from_json(PACKAGED.read_text(encoding="utf-8"), "reader.json").provenance
    assert {f["name"] for f in provenance["files"]} >= {
        "hotpotqa_train.jsonl",
        "2wiki_train.jsonl",
        "musique_train.jsonl",
        "drone.jsonl",  # of benchmarks/own_documents
    }
    assert all(len(f["sha256"]) == 64 for f in provenance["files"])
