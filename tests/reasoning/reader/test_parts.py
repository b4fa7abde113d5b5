import pytest

from hoptrail.reasoning.reader.asked.question import kind_of, options_of
from hoptrail.reasoning.reader.rules.dates import Date, read_date
from hoptrail.reasoning.training.reader import rank


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("3 May 1920", Date(1920, 5, 3)),
        ("August 12, 1977", Date(1977, 8, 12)),
        ("March 1899", Date(1899, 3)),
        ("in 1954", Date(1954)),
        ("44 BC", None),
        ("480 BC", Date(-480)),
        ("no year here", None),
    ],
)
def test_dates_as_far_as_the_text_gives_them(text: str, date: Date | None) -> None:
    assert read_date(text) == date


def test_dates_are_compared_only_where_both_are_known() -> None:
    assert Date(1920).before(Date(1921, 1)) is True
    assert Date(1920, 5, 3).before(Date(1920, 4, 30)) is False
    assert Date(1920).before(Date(1920, 4)) is None
    assert Date(-480).before(Date(1920)) is True
    assert Date(1920, 5, 3).before(Date(1920, 5, 3)) is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Are Oslo and Bergen both cities?", "yesno"),
        ("Who is older, Ida Holm or Poul Krag?", "choice"),
        ("How many islands belong to Gotland?", "number"),
        ("What is the date of birth of Ida Holm?", "date"),
        ("Where was the composer of The Tidal Clock buried?", "place"),
        ("Which small coastal town is the band from?", "place"),
        ("Who wrote it?", "person"),
        ("Which German novel won?", "work"),
        ("What university did she attend?", "group"),
        ("What did the treaty end?", "other"),
        ("Since when has Ida Holm led the yard?", "date"),
        ("How heavy is the bell?", "number"),
    ],
)
def test_the_kind_of_answer(question: str, kind: str) -> None:
    assert kind_of(question) == kind


@pytest.mark.parametrize(
    ("question", "options"),
    [
        (
            "Which film came first, Grey Harbour or The Salt Lantern?",
            ("Grey Harbour", "Salt Lantern"),
        ),
        ("Between Ida Holm and Poul Krag, who was born later?", ("Ida Holm", "Poul Krag")),
        (
            "Which is larger, the film Grey Harbour or film Blue Kite?",
            ("Grey Harbour", "Blue Kite"),
        ),
        ("Who directed Grey Harbour?", ()),
    ],
)
def test_what_a_question_lets_choose_from(question: str, options: tuple[str, ...]) -> None:
    assert tuple(option.removeprefix("The ") for option in options_of(question)) == options


def test_the_second_hop_outranks_a_lookalike() -> None:
    paragraphs = [
        ("The Salt Lamp", "The Salt Lamp is a novel about a theatre and who designed it."),
        ("Old Vaagur Theatre", "The Old Vaagur Theatre is a house by Jens Thorkil."),
        ("The Salt Lantern", "The Salt Lantern opened at the Old Vaagur Theatre."),
    ]
    order = rank("Who designed the theatre where The Salt Lantern opened?", paragraphs)
    assert [i for i, _ in order] == [2, 1, 0]
    assert rank("Who?", []) == []
