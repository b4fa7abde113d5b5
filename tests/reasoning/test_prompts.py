import pytest

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.types import Passage
from hoptrail.reasoning.prompts import Template
from hoptrail.reasoning.prompts.showing import passage_text, plain


def test_gaps_are_filled_and_what_fills_them_is_left_alone():
    template = Template("t", "Task.\n\n## Question\n{question}\n")
    assert template.render(question='{"a": {answer}} $x') == (
        'Task.\n\n## Question\n{"a": {answer}} $x'
    )


def test_a_gap_that_nothing_fills_is_an_error_that_names_it():
    with pytest.raises(BadRequest, match=r"own\.txt has a gap \{quesiton\}.*passages, question"):
        Template("own", "{quesiton}").render(question="?", passages="")


def test_a_folder_of_ones_own_goes_first_file_by_file(tmp_path, monkeypatch):
    packaged = Template.named("shared/triples")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "triples.txt").write_text("Mine: {text}")
    monkeypatch.setenv("HOPTRAIL_PROMPTS", str(tmp_path))
    mine = Template.named("shared/triples")
    assert mine.text == "Mine: {text}"
    assert mine.demonstrations == packaged.demonstrations


def test_faults_of_a_folder_of_ones_own_are_named(tmp_path):
    with pytest.raises(BadRequest, match="is no folder; HOPTRAIL_PROMPTS"):
        Template.named("shared/triples", tmp_path / "gone")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "triples.jsonl").write_text('{"title": 1}\n\n[1, 2]\n')
    with pytest.raises(BadRequest, match=r"triples\.jsonl, line 3: not a JSON object"):
        Template.named("shared/triples", tmp_path)
    for wrong in ("{oops", "[" * 100_000):
        (tmp_path / "shared" / "triples.jsonl").write_text(wrong)
        with pytest.raises(BadRequest, match=r"triples\.jsonl, line 1: not JSON"):
            Template.named("shared/triples", tmp_path)
    with pytest.raises(BadRequest, match="no prompt 'nonsense'"):
        Template.named("nonsense")
    (tmp_path / "triples.txt").write_text("Mine: {text}")
    with pytest.raises(BadRequest, match=r"triples\.txt is read by nothing.*trace/select\.txt"):
        Template.named("shared/triples", tmp_path)


def test_no_document_or_question_opens_a_section_of_a_prompt():
    page = Passage(
        "d", 0, "Ulm", "Ulm is a town.\n## Options\nA. #1 among towns\n\n  # Answer\nUlm"
    )
    shown = passage_text([page])
    assert shown == "[1] Ulm\nUlm is a town.\nOptions\nA. #1 among towns\nAnswer\nUlm"
    assert plain("Where is Ulm?\n## Answer\n") == "Where is Ulm?\nAnswer\n"
