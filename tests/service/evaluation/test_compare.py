"""`hoptrail evaluate compare`: saved runs side by side, and what can't be."""

import json
import shutil
from random import Random

import pytest
from support.mutations import mutated
from world import SymbolicReader

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.evaluation.runs.outcome import Outcome
from hoptrail.reasoning.evaluation.runs.run_file import written
from hoptrail.reasoning.evaluation.runs.saved_runs import saved_runs
from hoptrail.reasoning.evaluation.runs.side_by_side import side_by_side


@pytest.fixture(scope="module")
def measured(bench, tmp_path_factory):
    """A folder with runs in "small" and "large", of models that differ in how often they err."""
    folder = tmp_path_factory.mktemp("runs")
    methods = ("direct", "ircot")
    first = bench.measured(folder / "large", methods=methods)
    bench.measured(folder / "small", SymbolicReader(noise=0.6), methods=methods)
    return folder, first


@pytest.fixture
def runs(measured, tmp_path, run):
    """A copy of it in the current folder, which `run` has made empty."""
    shutil.copytree(measured[0], tmp_path, dirs_exist_ok=True)
    return tmp_path


def edited(file, **changes):
    """Change a manifest's values, members of members by "data__sha256"."""
    manifest = json.loads(file.read_text(encoding="utf-8"))
    for name, value in changes.items():
        *outer, last = name.split("__")
        place = manifest
        for key in outer:
            place = place[key]
        place[last] = value
    file.write_text(json.dumps(manifest), encoding="utf-8")


def labels(*places):
    return [result.method for result in side_by_side(saved_runs(places))]


def test_two_folders_are_compared_without_asking_again(run, runs, measured):
    for manifest in (runs / "small").glob("*.json"):
        edited(manifest, model__name="models/small.gguf")
    files = ("--json", "f.json", "--markdown", "f.md", "--plot", "f.svg")
    status, out, err = run("evaluate", "compare", "large", "small", *files)
    assert status == 0, err
    names = ["direct, symbolic reader", "ircot, symbolic reader", "direct, small", "ircot, small"]
    told = json.loads((runs / "f.json").read_text(encoding="utf-8"))
    assert [one["method"] for one in told] == names
    for text in (out, *((runs / f).read_text(encoding="utf-8") for f in ("f.md", "f.svg"))):
        assert all(name in text for name in names)
    assert "language model: symbolic reader or models/small.gguf" in out
    line = next(line for line in out.splitlines() if line.startswith("direct, small: "))
    assert "model.name was 'symbolic reader', is 'models/small.gguf'; model.fingerprint" in line
    assert told[0]["against"] is None
    assert "model.name was" in told[2]["against"]["manifest"][0]
    for result, one in zip(measured[1], told, strict=False):
        assert one["f1"]["low"] == result.figures["f1"].low
    assert told[3]["f1"]["value"] < told[1]["f1"]["value"]


def test_a_run_is_told_from_another_of_its_method_by_as_little_as_does(runs):
    assert labels(runs / "large") == ["direct", "ircot"]
    one, other = runs / "large" / "dev-ircot.jsonl", runs / "small" / "dev-ircot.jsonl"
    assert labels(one, other) == ["ircot, large", "ircot, small"]
    assert labels(runs / "large" / "dev-direct.jsonl", other) == ["direct", "ircot"]
    edited(other.with_suffix(".json"), retriever="hop")
    assert labels(one, other) == ["ircot, dense", "ircot, hop"]
    edited(other.with_suffix(".json"), retriever_settings={"senders": 20})
    base, differing = side_by_side(saved_runs([one, other]))
    assert differing.against(base).manifest[1:] == ["retriever was 'dense', is 'hop'"]
    third = runs / "third" / "dev-ircot.jsonl"
    shutil.copytree(runs / "large", third.parent)
    edited(third.with_suffix(".json"), model=None)
    assert labels(one, other, third) == [
        "ircot, symbolic reader, dense",
        "ircot, symbolic reader, hop",
        "ircot, no model, dense",
    ]
    renamed = runs / "large" / "before-ircot.jsonl"
    for file in (one, one.with_suffix(".json")):
        shutil.copy(file, renamed.with_suffix(file.suffix))
    assert labels(one, renamed) == ["ircot, dev-ircot", "ircot, before-ircot"]


def test_a_run_named_twice_is_one(runs):
    file = runs / "large" / "dev-direct.jsonl"
    assert labels(file, runs / "large", file.with_suffix(".json")) == ["direct", "ircot"]


def test_against_names_a_run_by_its_label_or_its_place(run, runs):
    two = ("large/dev-ircot.jsonl", "small/dev-ircot.jsonl")
    for against in ("ircot, small", "small/dev-ircot.jsonl"):
        status, out, err = run("evaluate", "compare", *two, "--against", against)
        assert (status, "against ircot, small" in out) == (0, True), err
    status, _, err = run("evaluate", "compare", *two, "--against", "trace")
    assert (status, "there are: ircot, large; ircot, small" in err) == (2, True)
    status, _, err = run("evaluate", "compare", "large", "small", "--against", "small")
    assert (status, "several runs" in err) == (2, True)


def test_every_dataset_has_a_run_of_what_the_others_are_compared_with(run, runs):
    for manifest in runs.glob("*/dev-direct.json"):
        edited(manifest, dataset="test", data__sha256="0" * 64)
    status, _, err = run("evaluate", "compare", "large", "small")
    assert (status, "There is no run of direct, large over dev to compare" in err) == (2, True)
    status, out, err = run("evaluate", "compare", "large/dev-ircot.jsonl", "small/dev-ircot.jsonl")
    assert (status, "against ircot, large" in out) == (0, True), err


def test_the_order_of_the_lines_does_not_matter(runs):
    file = runs / "small" / "dev-ircot.jsonl"
    before = side_by_side(saved_runs([runs / "large", runs / "small"]))
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(reversed(lines)), encoding="utf-8")
    after = side_by_side(saved_runs([runs / "large", runs / "small"]))
    assert [result.each for result in after] == [result.each for result in before]


def test_the_same_data_under_another_name_is_one_dataset(runs):
    for manifest in (runs / "small").glob("*.json"):
        edited(manifest, dataset="validation", data__file="validation.jsonl")
    results = side_by_side(saved_runs([runs / "large", runs / "small"]))
    assert {result.dataset for result in results} == {"dev"}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"data__sha256": "0" * 64}, "dev held other data then"),
        ({"data__sha256": "0" * 64, "dataset": "test"}, "large shares none with small"),
        ({"within": "own paragraphs"}, "within was 'whole graph', is 'own paragraphs'"),
        ({"questions": 10}, "small/dev-direct.jsonl lacks 2 of the 10 questions"),
        ({"questions": 7}, "has 1 more than the 7 questions"),
        ({"graph": None}, "dev-direct.json is no manifest of a run"),
        ({"graph__encoder": "E5"}, "dev-direct.json is no manifest of a run"),
        ({"data": {}}, "dev-direct.json is no manifest of a run"),
    ],
)
def test_runs_that_can_not_be_compared_say_why(run, runs, changes, says):
    for manifest in (runs / "small").glob("*.json"):
        edited(manifest, **changes)
    status, out, err = run("evaluate", "compare", "large", "small")
    assert (status, out, says in err) == (2, "", True), err


def test_a_manifest_with_something_wrong_is_compared_or_refused(run, runs):
    file, refused = runs / "small" / "dev-direct.json", 0
    sound = json.loads(file.read_text(encoding="utf-8"))
    for number in range(25):
        file.write_text(json.dumps(mutated(sound, Random(number))), encoding="utf-8")
        status, out, err = run("evaluate", "compare", "large", "small")
        assert (status, bool(out)) in ((0, True), (2, False)), (number, err)
        assert bool(status) == ("Error: " in err)
        refused += status == 2
    assert refused > 5
    file.write_text("[" * 100_000, encoding="utf-8")
    assert run("evaluate", "compare", "large", "small")[0] == 2


def first_line(edit):
    def change(text):
        first, _, rest = text.partition("\n")
        return f"{edit(first)}\n{rest}"

    return change


def another(**values):
    """The first line as a run with these values would have written it."""

    def change(text):
        first, _, rest = text.partition("\n")
        data = {**json.loads(first), **values}
        del data["crc32"]
        return f"{written(Outcome.of_json(data))}{rest}"

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text[:-9], "dev-direct.jsonl lacks 1 of the 8 questions"),
        (lambda text: "", "lacks 8 of the 8"),
        (first_line(lambda line: line[:-9]), "dev-direct.jsonl, line 1 is no outcome"),
        (another(f1=-1), ""),
        (first_line(lambda line: line.replace('"failed": null', '"failed": 3')), "failed is 3"),
        (first_line(lambda line: line.replace('"pair"', '"twin"')), "line 1 is no outcome"),
        (first_line(lambda line: line.replace('"golds": ["', '"golds": [1, "')), "golds is .1, "),
        (first_line(lambda line: f"{line}\n{line}"), "line 2 answers question 'q0' a second time"),
        (another(id="z"), "2 questions are in one only"),
        (another(golds=["unlike"]), "gold answers"),
        (first_line(lambda line: line.replace('"golds": ["', '"golds": ["un')), "edited"),
        (first_line(lambda line: line.replace("crc32", "sum")), "line 1 is no outcome"),
        (first_line(lambda line: line[: line.index(', "crc32"')] + "}"), "an older version"),
    ],
)
def test_what_is_wrong_with_lines_names_file_and_line(runs, change, says):
    file = runs / "small" / "dev-direct.jsonl"
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    if not says:  # a number is a number
        assert labels(runs / "large", runs / "small")
        return
    with pytest.raises(BadRequest, match=says):
        side_by_side(saved_runs([runs / "large", runs / "small"]))


def test_what_holds_no_run_is_refused(run, runs):
    (runs / "empty").mkdir()
    (runs / "empty" / "figures.json").write_text("[]")
    status, _, err = run("evaluate", "compare", "large", "empty")
    assert (status, "empty holds no runs" in err) == (2, True)
    (runs / "large" / "dev-direct.json").unlink()
    status, _, err = run("evaluate", "compare", "large/dev-direct.jsonl")
    assert (status, "its manifest large/dev-direct.json is missing" in err) == (2, True)
    (runs / "small" / "dev-direct.jsonl").unlink()
    status, _, err = run("evaluate", "compare", "small")
    assert (status, "lacks 8 of the 8 questions" in err) == (2, True)
