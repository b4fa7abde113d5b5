"""Files of every dataset as they are published, the whole way from the file to the figures."""

import json
import re

import pytest
from support.fakes import WordEncoder
from support.layouts import (
    BAMBOOGLE,
    FEVER,
    FULL_WIKI,
    IIRC,
    MUSIQUE,
    OPEN,
    QUALITY,
    TWO_WIKI,
    WIKI_PAGE,
)

from hoptrail.kg.errors import BadRequest, SourceError
from hoptrail.loaders.questions.files import read_questions
from hoptrail.models.language import Completion
from hoptrail.service.evaluation.answers import RunPlan, measure_answers
from hoptrail.service.evaluation.answers_report import Report
from hoptrail.service.hoptrail import Hoptrail

ARTICLES = {
    "vik": "<a href='x'>Vik</a> is a town. It is 900 years old.",
    "bonn": "Bonn is a town on the Rhine.",
    "ada brun": "For which towns on a river did she row? A stranger's article.",
}
BAND = WIKI_PAGE | {"id": "Ada_Brun", "text": "", "lines": "0\tAda Brun was in a band .\n"}
TWIN = {"answerable": False, "question": "Whose?"}  # in truth the same question
FILES = {
    "hotpotqa": ("hotpot_dev_fullwiki_v1.json", [FULL_WIKI]),
    "2wikimultihopqa": ("dev.json", [TWO_WIKI]),
    "musique": ("musique_full_v1.0_dev.jsonl", [MUSIQUE, MUSIQUE | TWIN]),
    "bamboogle": ("Bamboogle Prerelease - Sheet1.csv", [BAMBOOGLE]),
    "iirc": ("dev.json", [IIRC]),
    "quality": ("QuALITY.v1.0.1.htmlstripped.dev", [QUALITY]),
    "fever": ("shared_task_dev.jsonl", [FEVER, OPEN]),
}
CORPORA = {
    "bamboogle": ("wiki-001.jsonl", [WIKI_PAGE]),
    "fever": ("wiki-001.jsonl", [WIKI_PAGE, BAND]),
    "iirc": ("context_articles.json", ARTICLES),
}


class Knowing:
    """Answers a prompt that reads passages with the gold answer, or with its option's letter."""

    name = fingerprint = "knowing"
    context_length = 10_000

    def __init__(self, file) -> None:
        self.golds = {q.question: q for q in read_questions(file)}
        self.prompts: list[str] = []

    def count_tokens(self, text):
        return len(text.split())

    def generate(self, prompts, decoding):
        self.prompts += prompts
        return [Completion(self._said(prompt), None, "stop", 1, 1) for prompt in prompts]

    def _said(self, prompt):
        asked = prompt.partition("## Question\n")[2]
        [question] = [q for text, q in self.golds.items() if asked.startswith(f"{text}\n")]
        for letter, option in re.findall(r"^([A-Z])\. (.*)$", asked, re.M):
            if option == question.answer:
                return letter
        return question.answer if question.answer and question.answerable else "unknown"


def put(path, records):
    if path.suffix == ".csv":
        lines = [",".join(f'"{cell}"' for cell in row) for row in (records[0], records[0].values())]
        path.write_text("\r\n".join(lines))
    elif path.suffix == ".json":
        path.write_text(json.dumps(records))
    else:
        path.write_text("\n".join(map(json.dumps, records)))
    return path


def measured(folder, dataset, method="rag", **setting):
    name, records = FILES[dataset]
    file = put(folder / name, records)
    model = Knowing(file)
    tools = Hoptrail(encoder=WordEncoder(256), model=model)
    results = measure_answers(tools, [file], [method], RunPlan("bm25", **setting))
    return results[0], model


def corpus(folder, dataset):
    if dataset not in CORPORA:
        return ()
    name, records = CORPORA[dataset]
    (folder / "corpus").mkdir()
    return (put(folder / "corpus" / name, records),)


@pytest.mark.parametrize("dataset", FILES)
def test_who_knows_the_answers_is_right(tmp_path, dataset):
    own = dataset not in ("bamboogle", "fever")
    result, _ = measured(tmp_path, dataset, own=own, corpus=corpus(tmp_path, dataset))
    told = {one.id: one.exact_match for one in result.each if one.golds or not one.answerable}
    assert set(told.values()) == {1.0}
    assert not result.failed
    assert result.abstention.recall in (1, None)
    expected = {"musique": 2, "iirc": 4, "quality": 1, "fever": 2}
    assert len(told) == expected.get(dataset, 1)


def test_own_documents_of_iirc_are_the_passage_and_the_articles_it_links_to(tmp_path):
    result, model = measured(tmp_path, "iirc", corpus=corpus(tmp_path, "iirc"))
    assert "Bonn is a town on the Rhine." in model.prompts[0]
    assert "A stranger" not in "".join(model.prompts)
    assert result.each[0].supporting_recall == 1


def test_links_without_their_articles_are_refused_before_any_work(tmp_path):
    with pytest.raises(BadRequest, match=r"--corpus context_articles\.json"):
        measured(tmp_path, "iirc")
    other = put(tmp_path / "other.jsonl", [{"title": "Ulm", "text": "Ulm is a town."}])
    with pytest.raises(BadRequest, match="None of the 2 articles that dev links to"):
        measured(tmp_path, "iirc", corpus=(other,))


def test_answers_that_the_file_keeps_back_are_said_to_count_as_wrong(tmp_path):
    result, _ = measured(tmp_path, "quality")
    assert "2 questions, 1 whose answer the file does not tell" in next(
        Report.of([result], "rag").lines()
    )


@pytest.mark.parametrize(
    ("dataset", "setting", "says"),
    [
        ("bamboogle", {}, "Answer from a whole corpus: --whole --corpus PATH"),
        ("fever", {"own": False}, "bring no paragraphs. Name what they are answered from"),
    ],
)
def test_questions_over_nothing_are_refused(tmp_path, dataset, setting, says):
    with pytest.raises(BadRequest, match=says):
        measured(tmp_path, dataset, **setting)


def test_a_corpus_of_no_known_format_is_refused(tmp_path):
    (tmp_path / "corpus" / "AA").mkdir(parents=True)
    put(tmp_path / "corpus" / "AA" / "wiki_00", [{"title": "Ulm", "text": "Ulm is a town."}])
    with pytest.raises(SourceError, match="corpus: holds no file of a known format"):
        measured(tmp_path, "bamboogle", own=False, corpus=(tmp_path / "corpus",))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["Bamboogle Prerelease - Sheet1.csv"], "no question names supporting paragraphs"),
        (["shared_task_dev.jsonl"], "bring no paragraphs"),
        (["shared_task_dev.jsonl", "--own"], "leave --own out"),
        (["dev.json"], "--corpus context_articles.json"),
    ],
)
def test_retrieval_over_nothing_is_refused(run, tmp_path, arguments, says):
    for name, records in (FILES[name] for name in ("bamboogle", "iirc", "fever")):
        put(tmp_path / name, records)
    status, out, err = run("evaluate", "retrieval", *arguments, "--retrievers", "bm25")
    assert (status, out, says in err) == (2, "", True), err
