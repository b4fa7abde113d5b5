"""`hoptrail evaluate answers`: several methods measured, interrupted, resumed and compared."""

import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from support.fakes import WordEncoder
from world import SymbolicReader, World, pages, questions

from hoptrail.kg.errors import BadRequest, ModelMissing, ModelUnavailable
from hoptrail.reasoning.evaluation.runs.results import AnswerResult
from hoptrail.reasoning.evaluation.runs.run_file import read_lines
from hoptrail.service.evaluation.answers import RunPlan, measure_answers
from hoptrail.service.evaluation.answers_report import Report
from hoptrail.service.hoptrail import Hoptrail

METHODS = ["rag", "ircot", "direct"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Eight questions of the made-up world, two of them without an answer, in a file."""
    world = World.made()
    text = {page.title: page.text for page in pages(world)}
    every = questions(world)
    asked = [q for q in every if q.type == "chain" and q.hops == 2][:6]
    asked += [q for q in every if q.type == "unanswerable"][:2]
    lines = [
        {
            "id": f"q{number}",
            "question": q.text,
            "answer": q.answer,
            "aliases": q.aliases,
            "answerable": bool(q.answer),
            "paragraphs": [
                {"title": t, "text": text[t], "is_supporting": t in q.titles}
                for t in (*q.titles, *[t for t in q.paragraphs if t not in q.titles][:3])
            ],
        }
        for number, q in enumerate(asked)
    ]
    file = tmp_path_factory.mktemp("world") / "world.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return file


class Failing(SymbolicReader):
    """Raises an error at the n-th prompt; every time from there on where it is `forever`."""

    def __init__(self, error: BaseException, at: int, forever: bool = False) -> None:
        super().__init__()
        self.error, self.at, self.forever = error, at, forever

    def generate(self, prompts, decoding):
        self.at -= 1
        if self.at == 0 or (self.at < 0 and self.forever):
            raise self.error
        return super().generate(prompts, decoding)


def measured(data, folder, model=None, methods=METHODS, **setting):
    tools = Hoptrail(encoder=WordEncoder(256), model=model or SymbolicReader())
    how = RunPlan(**{"retriever": "dense", **setting})
    return measure_answers(tools, [data], methods, how, folder)


def rows(result):
    """What came of each question but for the time it took."""
    return [replace(one, seconds=0) for one in result.each]


def lines(folder, method):
    text = (folder / f"world-{method}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """An undisturbed run: its folder and results."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, measured(data, folder)


def test_methods_are_measured_on_the_path_that_ask_takes(whole):
    rag, ircot, direct = whole[1]
    assert [r.method for r in (rag, ircot, direct)] == METHODS
    assert ircot.figures["accuracy"].value > direct.figures["accuracy"].value
    assert direct.figures["supporting_recall"].value == 0
    assert ircot.figures["supporting_recall"].value > 0.5
    assert "document_error" not in direct.figures  # it saw none
    assert 0 < ircot.figures["document_error"].value < 1
    assert ircot.costs["calls"] > rag.costs["calls"] == 1
    assert ircot.costs["tokens_in"] > ircot.costs["tokens_out"] > 0
    assert ircot.abstention.recall == 1  # the symbolic reader says when it does not know
    assert ircot.answered.precision == 1


def test_a_method_has_its_own_retriever_where_none_is_chosen(data, tmp_path):
    methods = ["rag", "rgnn_ret:steps=1"]
    rag, rgnn_ret = measured(data, tmp_path, methods=methods, retriever=None)
    assert (rag.manifest["retriever"], rgnn_ret.manifest["retriever"]) == ("hop", "rgnn")
    assert rgnn_ret.manifest["retriever_settings"]["beta"] == 0.9
    assert "retriever hop or rgnn," in Report.of([rag, rgnn_ret], "rag").markdown()
    chosen = measured(data, tmp_path / "chosen", methods=methods)
    assert [result.manifest["retriever"] for result in chosen] == ["dense", "dense"]


def test_a_run_leaves_a_manifest_and_a_line_for_each_question(data, whole):
    folder, results = whole
    for result in results:
        told = lines(folder, result.method)
        assert read_lines(folder / f"world-{result.method}.jsonl") == list(result.each)
        assert [one["id"] for one in told] == [f"q{n}" for n in range(8)]
        manifest = json.loads((folder / f"world-{result.method}.json").read_text(encoding="utf-8"))
        assert manifest["method"] == result.method
        assert manifest["model"]["fingerprint"] == "symbolic noise=0.0 seed=0"
        assert manifest["graph"]["counts"]["passages"] > 8
        assert manifest["data"]["file"] == data.name


@pytest.mark.parametrize("cut", [False, True], ids=["between lines", "in a line"])
def test_a_run_killed_in_the_middle_goes_on_to_the_same_figures(data, whole, tmp_path, cut):
    with pytest.raises(KeyboardInterrupt):
        measured(data, tmp_path, Failing(KeyboardInterrupt(), at=24))
    assert len(lines(tmp_path, "rag")) == 8
    begun = lines(tmp_path, "ircot")
    assert 0 < len(begun) < 8
    assert not (tmp_path / "world-direct.jsonl").exists()
    if cut:
        with (tmp_path / "world-ircot.jsonl").open("a") as file:
            file.write('{"id": "q')
    model = SymbolicReader()
    again = measured(data, tmp_path, model)
    for first, second in zip(whole[1], again, strict=True):
        assert rows(second) == rows(first)
        assert second.figures == first.figures
    counted = sum(one.calls for result in again for one in result.each)
    before = sum(one["calls"] for one in begun) + 8  # rag asks once
    assert len(model.prompts) == counted - before
    assert len(lines(tmp_path, "ircot")) == 8


def test_a_question_that_fails_is_told_counted_and_asked_again(data, whole, tmp_path):
    model = Failing(ModelUnavailable("The server does not answer."), at=3)
    (result,) = measured(data, tmp_path, model, ["rag"])
    (failed,) = result.failed
    assert (failed.id, failed.failed) == ("q2", "The server does not answer.")
    assert (failed.exact_match, failed.supporting_recall) == (0, 0)
    assert result.questions == 8
    assert lines(tmp_path, "rag")[2]["failed"] == "The server does not answer."
    report = Report.of([result], "rag")
    assert "rag failed at question 'q2': The server does not answer." in list(report.lines())
    assert report.json()[0]["failed"] == ["q2"]
    model = SymbolicReader()
    (again,) = measured(data, tmp_path, model, ["rag"])
    assert len(model.prompts) == 1
    assert rows(again) == rows(whole[1][0])
    assert len(lines(tmp_path, "rag")) == 8


def test_questions_that_failed_for_one_reason_are_told_in_one_line(whole):
    rag = whole[1][0]

    def told(reason):
        each = [replace(one, failed=reason(n)) for n, one in enumerate(rag.each)]
        lines = Report.of([replace(rag, each=each)], "rag").lines()
        return [line for line in lines if "failed at" in line]

    assert told(lambda n: "It is gone." if n > 1 else None) == [
        "rag failed at 6 questions ('q2', 'q3', 'q4', 'q5', 'q6', …): It is gone."
    ]
    *_, fifth, rest = told(lambda n: f"Prompt {n} is too long.")
    assert fifth == "rag failed at question 'q4': Prompt 4 is too long."
    assert rest == "rag failed at 3 more questions."


def test_what_every_question_would_meet_ends_the_run(data, tmp_path):
    with pytest.raises(ModelMissing):
        measured(data, tmp_path, Failing(ModelMissing("It is gone."), at=3, forever=True), ["rag"])
    assert len(lines(tmp_path, "rag")) == 2


def test_a_server_that_has_gone_silent_ends_the_run(data, tmp_path):
    gone = Failing(ModelUnavailable("No answer."), at=3, forever=True)
    with pytest.raises(ModelUnavailable):
        measured(data, tmp_path, gone, ["rag"])
    assert [bool(line["failed"]) for line in lines(tmp_path, "rag")] == [False] * 2 + [True] * 5
    [again] = measured(data, tmp_path, None, ["rag"])
    assert not again.failed


def test_a_folder_with_another_run_is_refused_and_the_difference_named(bench, tmp_path):
    def ask(bench=bench, model=None, method="direct", **setting):
        bench.measured(tmp_path / "runs", model, [method], **setting)

    ask()
    with pytest.raises(BadRequest, match=r"model\.fingerprint was 'symbolic noise=0\.0 seed=0'"):
        ask(model=SymbolicReader(noise=0.5))
    with pytest.raises(BadRequest, match="retriever was 'dense', is 'bm25'"):
        ask(retriever="bm25")
    fewer = tmp_path / "dev.jsonl"
    fewer.write_text(bench.data.read_text(encoding="utf-8").rpartition("\n")[0], encoding="utf-8")
    with pytest.raises(BadRequest, match=r"data\.sha256 was"):
        ask(replace(bench, data=fewer))
    ask(method="direct:max_tokens=5000")  # a run of its own
    (tmp_path / "runs" / "dev-direct.jsonl").write_text('{"id": "q0"}\n')
    with pytest.raises(BadRequest, match="line 1 is no outcome"):
        ask()


def test_methods_are_compared_on_the_same_questions_only(whole):
    rag, ircot, _ = whole[1]
    difference = ircot.against(rag)
    gain = ircot.figures["f1"].value - rag.figures["f1"].value
    assert difference.figures["f1"].value == pytest.approx(gain)
    apart = difference.tests["exact_match"]
    assert apart.better - apart.worse == sum(ircot.values("exact_match")) - sum(
        rag.values("exact_match")
    )
    fewer = AnswerResult(rag.dataset, "rag", rag.each[1:], rag.manifest)
    with pytest.raises(BadRequest, match="1 questions are in one only"):
        Report.of([ircot, fewer], "ircot")
    elsewhere = AnswerResult(rag.dataset, "rag", rag.each, {**rag.manifest, "within": "whole"})
    with pytest.raises(BadRequest, match="Measure both alike"):
        ircot.against(elsewhere)


def test_every_output_tells_the_same(whole):
    report = Report.of(whole[1], "rag")
    told, markdown = "\n".join(report.lines()), report.markdown()
    for text in (told, markdown):
        assert "8 questions, 2 unanswerable, own paragraphs" in text
        assert "language model: symbolic reader" in text
        assert "against rag" in text
        assert "accuracy better" in text
        assert all(method in text for method in METHODS)
    rag, ircot, direct = report.json()
    assert rag["against"] is None
    assert {"exact_match", "f1", "accuracy", "mcnemar"} <= set(ircot["against"])
    assert f"{100 * ircot['accuracy']['value']:.1f}" in told
    assert json.loads(json.dumps(direct))["each"][0]["id"] == "q0"


def test_the_command_measures_without_a_language_model(run, data, tmp_path):
    lines = data.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "world.jsonl").write_text(lines[0], encoding="utf-8")
    files = ("--json", "f.json", "--markdown", "f.md", "--plot", "f.svg", "--out", "runs")
    methods = ("--methods", "trace, trace:beams=1", "--retriever", "bm25")
    status, out, err = run("evaluate", "answers", "world.jsonl", *methods, *files)
    assert status == 0, err
    figures = json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))
    assert [figure["method"] for figure in figures] == ["trace", "trace:beams=1"]
    assert figures[0]["a_question"]["calls"] == 0
    assert figures[0]["supporting_recall"]["value"] > 0
    assert figures[0]["manifest"]["model"] is None
    markdown, plot = ((tmp_path / name).read_text(encoding="utf-8") for name in ("f.md", "f.svg"))
    for text in (out, markdown, plot):
        assert "trace:beams=1" in text
    assert len(list((tmp_path / "runs").glob("*.jsonl"))) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--methods", "trace,rag"], "rag takes a language model"),
        (["--methods", "psychic"], "No method 'psychic'"),
        (["--methods", "trace:beams=0"], "beams"),
        (["--methods", ","], "names no method"),
        (["--against", "rag"], "not among --methods"),
        (["--out", "bare.jsonl"], "is a file"),
        (["--plot", "f.jpg"], ".png"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(run, data, tmp_path, arguments, says):
    (tmp_path / "bare.jsonl").write_text('{"question": "Where is Ulm?", "answer": "here"}')
    status, out, err = run("evaluate", "answers", str(data), *arguments)
    assert (status, out, says in err) == (2, "", True), err


def test_no_run_is_hidden_by_its_name(data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = [Path(folder) / data.name for folder in ("one", ".other")]  # named by their paths
    for file in files:
        file.parent.mkdir()
        shutil.copy(data, file)
    tools = Hoptrail(encoder=WordEncoder(256), model=SymbolicReader())
    measure_answers(tools, files, ["direct"], RunPlan("dense"), Path("runs"))
    names = [file.name for file in Path("runs").glob("*.jsonl")]
    assert len(names) == 2
    assert not any(name.startswith(".") for name in names)


def test_a_model_that_is_not_there_is_told_before_anything_is_ingested(run, data, tmp_path):
    (tmp_path / "broken.txt").write_bytes(b"\xff")
    asked = ("evaluate", "answers", str(data), "--corpus", "broken.txt")
    status, _, err = run("--model", "gone.gguf", *asked)
    assert (status, "gone.gguf" in err, "broken.txt" in err) == (1, True, False), err


def test_questions_without_paragraphs_want_something_to_be_answered_from(
    run, tmp_path, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "bare.jsonl").write_text('{"question": "Where is Ulm?", "answer": "Danube"}')
    status, _, err = run("evaluate", "answers", "bare.jsonl")
    assert (status, "--whole" in err) == (2, True)
    status, _, err = run("evaluate", "answers", "bare.jsonl", "--whole")
    assert (status, "--corpus PATH" in err) == (2, True)
    (tmp_path / "ulm.txt").write_text("Ulm lies on the Danube.")
    found = run("evaluate", "answers", "bare.jsonl", "--whole", "--corpus", "ulm.txt")
    assert (found[0], "1 question, whole graph, 1 passage in the graph," in found[1]) == (0, True)
    assert not list(tmp_path.glob("hoptrail-*"))


def test_a_model_is_shown_the_options_it_chooses_from(data, tmp_path):
    asked = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()][:1]
    asked[0]["options"] = ["Nobody", asked[0]["answer"]]
    file, model = tmp_path / "choice.jsonl", SymbolicReader()
    file.write_text(json.dumps(asked[0]), encoding="utf-8")
    measured(file, None, model, ["rag"])
    assert f"A. Nobody\nB. {asked[0]['answer']}\n" in model.prompts[-1]
