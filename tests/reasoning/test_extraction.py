import re
from dataclasses import dataclass, field

import pytest
from support.fakes import WordEncoder

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.types import Passage, Triple
from hoptrail.models.language import GREEDY, Completion
from hoptrail.reasoning.extraction import FORM, ModelTriples, locate
from hoptrail.reasoning.prompts import Template

TEXT = "Ada Vale was born in Ostby. She wrote The Long Tide in 1911."
PASSAGE = Passage("d", 0, "Ada Vale", TEXT)
ENCODE = WordEncoder().encode_passages
VECTOR = ENCODE([f"Ada Vale\n{TEXT}"])


@dataclass
class Says:
    """Says what it is told to, whatever the prompt."""

    text: str = "none"
    finish: str = "stop"
    context_length: int = 4096
    name: str = "says"
    fingerprint: str = "says-1"
    prompts: list[str] = field(default_factory=list)

    def count_tokens(self, text):
        return len(text.split())

    def generate(self, prompts, decoding=GREEDY):
        assert decoding.form is not None
        self.prompts += prompts
        return [Completion(self.text, None, self.finish, 1, 1) for _ in prompts]


def extract(said, **settings):
    model = Says(said, **settings)
    return ModelTriples(model, ENCODE)([PASSAGE], VECTOR)[0], model


def test_triples_are_where_their_words_stand():
    found, _ = extract(
        "⟨Ada Vale; was born in; Ostby⟩\n⟨Ada Vale; wrote; The Long Tide⟩\n"
        "⟨The Long Tide; appeared in; 1911⟩\n⟨A. Vale; lived in; the town⟩"
    )
    assert [TEXT[s.start : s.end] if s.start is not None else None for s in found] == [
        "Ada Vale was born in Ostby",
        "Ada Vale was born in Ostby. She wrote The Long Tide",
        "The Long Tide in 1911",
        None,
    ]
    assert {s.passage_id for s in found} == {PASSAGE.id}


def test_a_line_that_was_cut_off_is_no_triple():
    found, _ = extract("⟨Ada Vale; was born in; Ostby⟩\n⟨Ada Vale; wro", finish="length")
    assert [s.triple.tail for s in found] == ["Ostby"]


@pytest.mark.parametrize(
    "said",
    [
        "Sure! Here are the triples:\n\n<Ada Vale; was born in; Ostby>\n<Ada Vale; wrote; a book>",
        "⟨Ada Vale;was born in;Ostby⟩\n⟨Ada Vale;wrote;a book⟩",
        "<think>\n⟨a; b; c⟩?\n</think>\n(Ada Vale; was born in; Ostby)\n(Ada Vale; wrote; a book)",
        "1. **Ada Vale; was born in; Ostby**\n2. **Ada Vale; wrote; a book**",
    ],
)
def test_triples_of_a_server_that_holds_to_no_form_are_read(said):
    found, _ = extract(said, finish="invalid")
    assert [s.triple.tail for s in found] == ["Ostby", "a book"]


def test_a_repeated_triple_is_one():
    found, _ = extract("\n".join(["⟨Ada Vale; was born in; Ostby⟩"] * 30))
    assert len(found) == 1


def test_nothing_stated_and_nothing_valid_are_told_apart():
    assert extract("none")[0] == []
    assert extract("⟨Ada Vale; was", finish="length")[0] is None
    assert extract("Sure! Here are the triples", finish="invalid")[0] is None
    assert extract("⟨–; is; …⟩")[0] is None  # no end that could be an entity


def test_the_nearest_demonstrations_stand_next_to_the_passage():
    shown = [
        {"title": title, "text": text, "triples": [["a", "b", "c"]]}
        for title, text in [
            ("Stock", "Shares fell by three per cent."),
            ("Nils Orm", "Nils Orm was born in Ostby and wrote novels."),
            ("Lake", "The lake is deep."),
        ]
    ]
    template = Template("shared/triples", Template.named("shared/triples").text, tuple(shown))
    model = Says()
    ModelTriples(model, ENCODE, template, demonstrations=2)([PASSAGE], VECTOR)
    titles = re.findall(r"^\[1\] (.*)$", model.prompts[0], re.MULTILINE)
    assert titles[-2:] == ["Nils Orm", "Ada Vale"]
    assert len(titles) == 3


def test_a_short_context_shows_fewer_demonstrations_and_one_too_short_is_an_error():
    _, roomy = extract("none")
    _, tight = extract("none", context_length=750)
    assert 1 <= tight.prompts[0].count("## Passage") < roomy.prompts[0].count("## Passage") == 6
    with pytest.raises(BadRequest, match=r"does not fit into the 520 tokens.*--passage-tokens"):
        extract("none", context_length=520)


def test_another_model_prompt_or_setting_is_another_extractor():
    encode = ENCODE
    packaged = ModelTriples(Says(), encode)
    other_prompt = Template("shared/triples", "List. {demonstrations} {title} {text}", ())
    others = [
        ModelTriples(Says(fingerprint="says-2"), encode),
        ModelTriples(Says(), encode, other_prompt),
        ModelTriples(Says(), encode, demonstrations=1),
    ]
    assert len({packaged.extractor, *(other.extractor for other in others)}) == 4
    assert packaged.extractor == ModelTriples(Says(), encode).extractor
    assert packaged.extractor.startswith("says ")


def test_every_demonstration_has_the_form_asked_for_and_says_what_its_text_says():
    for demonstration in Template.named("shared/triples").demonstrations:
        lines = [f"⟨{'; '.join(triple)}⟩" for triple in demonstration["triples"]] or ["none"]
        assert re.fullmatch(FORM.pattern, "\n".join(lines))
        for head, relation, tail in demonstration["triples"]:
            start, _ = locate(
                f"{demonstration['title']}. {demonstration['text']}",
                Triple(head, relation, tail, "x"),
            )
            assert start is not None, (head, relation, tail)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("none", True),
        ("⟨a; b; c⟩", True),
        ("⟨a; b; c⟩\n⟨d e; f; g-h⟩", True),
        ("⟨a; b; c⟩\n", False),
        ("⟨a; b⟩", False),
        ("⟨a; b; c; d⟩", False),
        ("⟨; b; c⟩", False),
        ("Here: ⟨a; b; c⟩", False),
        ("", False),
    ],
)
def test_the_form(text, valid):
    assert bool(re.fullmatch(FORM.pattern, text)) is valid
