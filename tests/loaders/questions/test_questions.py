"""Four layouts of questions, one record each, and what a broken record says."""

import json
from itertools import islice

import pytest

from hoptrail.kg.errors import SourceError
from hoptrail.loaders import reading
from hoptrail.loaders.questions.files import Paragraph, read_questions

OURS = {
    "id": "q1",
    "question": "Where was the composer born?",
    "answer": "Bergen",
    "answer_aliases": ["Bjørgvin"],
    "type": "bridge",
    "hops": 2,
    "paragraphs": [{"title": "Grieg", "text": "Born in Bergen.", "is_supporting": True}],
    "evidences": [["Grieg", "place of birth", "Bergen"]],
    "decomposition": [],
}
HOTPOT = {
    "_id": "h1",
    "question": "Which?",
    "answer": "yes",
    "type": "comparison",
    "level": "hard",
    "supporting_facts": [["Ulm", 1]],
    "context": [["Ulm", ["Ulm is a city.", " It is old."]], ["Bonn", ["Bonn is one too."]]],
}
TWO_WIKI = {
    "_id": "w1",
    "question": "Who died first?",
    "answer": "A",
    "type": "bridge_comparison",
    "supporting_facts": [["F", 0]],
    "context": [["F", ["A film.", "By A."]]],
    "evidences": [["F", "director", "A"]],
    "evidences_id": [["Q1", "director", "Q2"]],
}
MUSIQUE = {
    "id": "3hop1__1_2_3",
    "question": "Who?",
    "answer": "A",
    "answer_aliases": ["Aa"],
    "answerable": False,
    "question_decomposition": [{"id": 1, "question": "x", "answer": "y"}],
    "paragraphs": [{"idx": 0, "title": "T", "paragraph_text": "Text.", "is_supporting": False}],
}


def write(path, records, array=False):
    text = json.dumps(records, indent=1) if array else "\n".join(map(json.dumps, records))
    path.write_text(text)
    return path


def test_our_own_layout(tmp_path):
    (question,) = read_questions(write(tmp_path / "q.jsonl", [OURS]))
    assert (question.id, question.answer, question.aliases) == ("q1", "Bergen", ("Bjørgvin",))
    assert (question.type, question.hops, question.answerable) == ("bridge", 2, True)
    assert question.paragraphs == (Paragraph("Grieg", "Born in Bergen.", True),)
    assert question.evidences == (("Grieg", "place of birth", "Bergen"),)


def test_hotpotqa_layout(tmp_path):
    (question,) = read_questions(write(tmp_path / "q.json", [HOTPOT], array=True))
    assert (question.id, question.hops, question.type) == ("h1", 2, "comparison")
    assert question.paragraphs == (
        Paragraph("Ulm", "Ulm is a city. It is old.", True, (0, 14)),
        Paragraph("Bonn", "Bonn is one too.", False, (0,)),
    )


def test_2wikimultihopqa_layout(tmp_path):
    (question,) = read_questions(write(tmp_path / "q.json", [TWO_WIKI], array=True))
    assert question.hops == 4
    assert question.paragraphs == (Paragraph("F", "A film. By A.", True, (0, 8)),)
    assert question.evidences == (("F", "director", "A"),)


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        (["Ulm is old.", " Bonn is not."], [0, 1]),
        (["Ulm is old.", "Bonn is not."], [0, 1]),
        (["", "Ulm is old.", "", " Bonn is not.", ""], [1, 3]),
        (["", "Ulm is old.", "", "Bonn is not.", ""], [1, 3]),
        (["  ", " Ulm is old. ", "Bonn is not. "], [1, 2]),
        (["Ulm is old. Bonn is not."], [0, 0]),
    ],
)
def test_sentences_keep_the_numbers_of_the_file(tmp_path, sentences, found):
    record = HOTPOT | {"context": [["Towns", sentences]]}
    [paragraph] = next(read_questions(write(tmp_path / "q.jsonl", [record]))).paragraphs
    starts = [paragraph.text.index(name) for name in ("Ulm", "Bonn")]
    assert [list(paragraph.sentences_in(at, at + 4)) for at in starts] == [[n] for n in found]
    everything = paragraph.sentences_in(0, len(paragraph.text))
    assert (everything[0], everything[-1]) == (found[0], found[1])


def test_our_own_layout_may_say_where_sentences_begin(tmp_path):
    given = {"title": "Ulm", "text": "  Ulm is old. Bonn is not.", "sent_starts": [2, 14]}
    (question,) = read_questions(write(tmp_path / "q.jsonl", [OURS | {"paragraphs": [given]}]))
    assert question.paragraphs[0].sentences == (0, 12)


def test_musique_layout(tmp_path):
    (question,) = read_questions(write(tmp_path / "q.jsonl", [MUSIQUE]))
    assert (question.hops, question.answerable, question.aliases) == (3, False, ("Aa",))
    assert question.paragraphs == (Paragraph("T", "Text.", False),)


def test_without_an_answer(tmp_path):
    hidden = {k: v for k, v in HOTPOT.items() if k not in ("answer", "supporting_facts")}
    first, second = read_questions(write(tmp_path / "q.jsonl", [hidden, OURS | {"answer": None}]))
    assert (first.answer, first.answerable) == ("", True)
    assert (second.answer, second.answerable) == ("", False)


def test_several_answers_are_each_right(tmp_path):
    asked = [{"question": "Who?", "answers": ["Ann Lee", "A. Lee"]}, {"question": "Why?"}]
    path = write(tmp_path / "q.jsonl", [*asked, {"question": "When?", "answers": []}])
    several, hidden, none = read_questions(path)
    assert (several.answer, several.aliases, several.answerable) == ("Ann Lee", ("A. Lee",), True)
    assert (hidden.answer, hidden.answerable, none.answer, none.answerable) == ("", True, "", False)


@pytest.mark.parametrize("name", ["anwser", "Answer", "answerd"])
def test_a_misspelt_field_is_told_from_none(tmp_path, name):
    path = write(tmp_path / "q.jsonl", [{"question": "Who?", name: "Ann Lee"}])
    with pytest.raises(SourceError, match=f"line 1: field '{name}' is not known; is 'answer' "):
        list(read_questions(path))


@pytest.mark.parametrize("size", [1, 7, 64])
def test_records_cut_anywhere_by_a_block_are_whole(tmp_path, monkeypatch, size):
    records = [HOTPOT | {"_id": n, "question": f"Où « {n} » 😀 \\u00e9?"} for n in range(5)]
    path = write(tmp_path / "q.json", records, array=True)
    monkeypatch.setattr(reading, "CHUNK", size)
    assert [q.question for q in read_questions(path)] == [r["question"] for r in records]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"question": None}, "line 2: field 'question' is missing"),
        ({"answer": ["a"]}, "line 2: field 'answer' must hold text, not a list"),
        ({"answer_aliases": "a"}, "line 2: field 'answer_aliases' must be a list, not text"),
        ({"hops": "two"}, "line 2: field 'hops' must be a whole number"),
        ({"answerable": 1}, "line 2: field 'answerable' must be true or false"),
        ({"evidences": [["a", "b"]]}, r"line 2: field 'evidences\[0\]' must be \[head"),
        ({"paragraphs": ["text"]}, r"line 2, paragraphs\[0\]: must be an object"),
        ({"paragraphs": [{"title": "T"}]}, r"line 2, paragraphs\[0\]: field 'text' is missing"),
        (
            {"paragraphs": [{"text": "T", "sent_starts": ["0"]}]},
            r"line 2, paragraphs\[0\]: field 'sent_starts' must hold",
        ),
        (
            {"paragraphs": [{"text": "Ulm. Bonn.", "sent_starts": [5, 0]}]},
            r"line 2, paragraphs\[0\]: field 'sent_starts' must hold characters in order",
        ),
        ({"context": [["T", "text"]]}, r"line 2: field 'context\[0\]' must be \[title"),
        ({"options": ["Bergen"]}, "line 2: field 'options' must hold what there is to choose from"),
        ({"options": ["Oslo", "Ulm"]}, "line 2: field 'answer' must be one of the options"),
    ],
)
def test_a_malformed_record_is_named(tmp_path, change, message):
    questions = read_questions(write(tmp_path / "q.jsonl", [OURS, OURS | change]))
    assert next(questions).id == "q1"
    with pytest.raises(SourceError, match=rf"q\.jsonl: {message}"):
        next(questions)


def test_a_broken_array_is_found_without_reading_the_rest(tmp_path):
    path = tmp_path / "q.json"
    path.write_text(f"[{json.dumps(OURS)}, {{broken}}, " + "0, " * 2_000_000)
    questions = read_questions(path)
    next(questions)
    with pytest.raises(SourceError, match="record 2: not valid JSON"):
        next(questions)


@pytest.mark.parametrize("array", [True, False])
def test_a_record_of_many_blocks_is_read_whole(tmp_path, monkeypatch, array):
    """Parsed anew at every block, it would take hours."""
    huge = OURS | {"paragraphs": OURS["paragraphs"] * 20_000}
    path = write(tmp_path / "q.json", [huge], array)
    monkeypatch.setattr(reading, "CHUNK", 512)
    (question,) = read_questions(path)
    assert len(question.paragraphs) == 20_000


def test_a_truncated_array_gives_what_is_whole(tmp_path):
    text = json.dumps([HOTPOT | {"_id": n} for n in range(3)])
    path = tmp_path / "q.json"
    path.write_text(text[:-40])
    questions = read_questions(path)
    assert len(list(islice(questions, 2))) == 2
    with pytest.raises(SourceError, match="record 3: not valid JSON"):
        next(questions)


def test_an_id_stands_once(tmp_path):
    """Runs tell questions apart by it."""
    path = write(tmp_path / "q.json", [OURS, HOTPOT, OURS | {"question": "Where?"}], array=True)
    with pytest.raises(SourceError, match=r"q\.json: record 3: id 'q1' comes again"):
        list(read_questions(path))


def test_a_missing_file_is_a_source_error(tmp_path):
    with pytest.raises(SourceError, match="no such file"):
        list(read_questions(tmp_path / "none.jsonl"))


def test_sub_questions_hold_the_answers_of_earlier_ones(tmp_path):
    steps = [
        {"id": 7, "question": "Hello Love >> performer", "answer": "Hank Snow"},
        {"id": 8, "question": "Where did #1 live?", "answer": "Tennessee"},
        {"id": 9, "question": "Did #1 like #2 and #3?", "answer": None},
    ]
    asked = ("Hello Love >> performer", "Where did Hank Snow live?")
    asked += ("Did Hank Snow like Tennessee and #3?",)
    musique, ours = MUSIQUE | {"question_decomposition": steps}, OURS | {"decomposition": steps}
    found = read_questions(write(tmp_path / "q.jsonl", [musique, ours, OURS | {"id": "q2"}]))
    assert [question.subquestions for question in found] == [asked, asked, ()]


@pytest.mark.parametrize("steps", ["x", ["x"], [{"answer": "y"}], [{"question": []}]])
def test_a_broken_sub_question_is_named(tmp_path, steps):
    path = write(tmp_path / "q.jsonl", [OURS, OURS | {"decomposition": steps}])
    with pytest.raises(SourceError, match=r"line 2.*(decomposition|question)"):
        list(read_questions(path))
