"""Options, symbols and addresses: what is no word is an answer, too."""

from collections.abc import Callable

import pytest

from hoptrail.kg.types import Passage
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader
from hoptrail.reasoning.reader.asked.names import told_apart
from hoptrail.reasoning.reader.asked.question import take_apart
from hoptrail.reasoning.reader.trimmed import trimmed

from .conftest import Given

PLOVER = """\
The plover utility lists the headers of a mailbox. It understands these options:

-Q prints nothing except error messages.

-q prints a message only if there are unread messages in the mailbox.

-S prints a summary line at the end.

-s selects the messages that have the given status.

The comment character of plover is "#".
The escape character of plover is '~' by default."""
SNIPE = """\
The --F3 <x> option controls the threshold for passing the Forward filter of snipe. \
The default is 1e-5.
The --F2 <x> option controls the threshold for passing the Viterbi filter of snipe. \
The default is 0.001."""
FAQ = """\
The current maintainer of the Whimbrel FAQ is Arno Berger (<arno@berger.example>). If you want to
contribute, write to avocet+help@lists.example.org first."""

Found = Callable[[str, str], list[str]]


@pytest.fixture
def found(reader: Reader, given: Given) -> Found:
    def of(question: str, text: str) -> list[str]:
        study = reader.study(question, given([Passage("manual", 0, "Manual", text)]))
        return [candidate.text for candidate in study.found]

    return of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (".75 inch", "75 inch"),
        ("**", "*"),
        ("-q", "-Q"),
        ("-q", "q"),
        ("%s", "%S"),
        ("C++", "C"),
        ("~", "#"),
        ("-5", "5"),
        ("x", "X"),
    ],
)
def test_sign_and_case_tell_codes_apart(one: str, other: str) -> None:
    assert told_apart(one) != told_apart(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("The Cat", "cat"), ("$5", "5"), ("--F3 <X>", "--F3 x"), ("Graz, Austria", "Graz Austria")],
)
def test_of_words_they_do_not(one: str, other: str) -> None:
    assert told_apart(one) == told_apart(other)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What is the comment character of plover?", PLOVER, "#"),
        ("What is the escape character of plover?", PLOVER, "~"),
        ("Which option of plover selects the messages that have a given status?", PLOVER, "-s"),
        ("Which option controls the threshold for passing the Forward filter?", SNIPE, "--F3"),
    ],
)
def test_symbols_and_options_are_answers(
    reader: Reader, given: Given, question: str, text: str, answer: str
) -> None:
    assert reader.read(question, given([Passage("manual", 0, "Manual", text)])).text == answer


def test_options_that_differ_in_case_are_two(found: Found) -> None:
    assert {"-Q", "-q", "-S", "-s"} <= set(found("Which option prints a summary?", PLOVER))


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("Use –narrowband for speech.", "–narrowband"),
        ("Call it with -o,--out=FILE for that.", "--out"),
        ("Call it with [-a] for all.", "-a"),
    ],
)
def test_an_option_is_found_however_it_is_written(found: Found, text: str, option: str) -> None:
    assert option in found("Which option is for that?", text)


def test_an_address_with_a_plus_is_whole(found: Found) -> None:
    texts = found("Which address do I write to first to contribute?", FAQ)
    assert {"avocet+help@lists.example.org", "arno@berger.example"} <= set(texts)
    assert not {"help@lists.example.org", "@berger.example", "lists.example.org"} & set(texts)


def test_a_compound_with_dots_or_hyphens_is_whole(found: Found) -> None:
    text = "Curlew writes an entry for the names if you set col.names = NA. Use named-curlew there."
    texts = found("Which argument makes curlew write an entry for the names?", text)
    assert any(text.startswith("col.names") for text in texts)
    assert not {"names = NA", "curlew there"} & set(texts)


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("The blade is .75 inch thick.", ".75 inch"),
        ("The line space is .5em.", ".5em"),
        ("The offset is -.3 V.", "-.3"),
        ("The discount is $.75 a visit.", "$.75"),
    ],
)
def test_a_decimal_without_a_nought_is_whole(found: Found, text: str, figure: str) -> None:
    texts = found("How big is it?", text)
    assert figure in texts
    assert figure.lstrip("-$.") not in texts


def test_a_point_that_ends_a_sentence_is_no_decimal(found: Found) -> None:
    assert "5 euros" in found("What does it cost?", "It costs money...5 euros are due.")


def test_a_figure_behind_its_noun_has_its_unit(found: Found) -> None:
    texts = found("What is the deposit on jobs?", "Deposit 20 % on all jobs over £1,000.")
    assert "20 %" in texts
    assert "20" not in texts


GLOBS = """\
Backup files are left out, pattern used: **~
Folders of lost and found things are left out, pattern used: **/lost+found*/
** matches anything, including slashes.
To get bold text, enclose it between [* and *]."""


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("Which pattern is used for backup files?", "**~"),
        ("Which pattern is used for lost and found things?", "**/lost+found*/"),
        ("Which wildcard matches everything?", "**"),
        ("What should be put around text to make it bold?", "[* and *]"),
    ],
)
def test_patterns_and_marks_are_whole(found: Found, question: str, symbol: str) -> None:
    texts = found(question, GLOBS)
    assert symbol in texts
    assert not {"lost+found", "~", "* and *", "*]"} & set(texts)


@pytest.mark.parametrize("text", ["* one\n* two\n", "It is **so** good.", "A - b & c | d"])
def test_bullets_stress_and_dashes_are_no_symbols(found: Found, text: str) -> None:
    assert all(any(map(str.isalnum, one)) for one in found("Which pattern is it?", text))


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Which address do I write to?", "contact"),
        ("Where do I send bug reports?", "contact"),
        ("Where should users report a bug?", "contact"),
        ("What is the contact e-mail of the project?", "mail"),
        ("What is the e-mail policy?", ""),
        ("Where do I send the form?", ""),
    ],
)
def test_who_asks_where_to_write_asks_for_an_address(
    pipeline: Pipeline, question: str, form: str
) -> None:
    assert take_apart(question, next(iter(pipeline([question])))).form == form


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("the file ¶", "the file"),
        ("Usage #", "Usage"),
        ("C#", "C#"),
        ("yuki>", "yuki"),
        ("lp [file]", "lp [file]"),
        ("lp [file", "lp"),
        ("F3 <x>", "F3 <x>"),
        ("plus --trace", "--trace"),
        ("typing 'yes' twice", "typing 'yes' twice"),
    ],
)
def test_what_is_only_at_its_ends_goes(text: str, left: str) -> None:
    assert trimmed(text, text, 0, 0) == left


def test_what_is_said_before_a_key_goes() -> None:
    assert trimmed('press "J', 'Now press "J".', 4, 12) == '"J"'


def test_who_speaks_in_a_chat_is_no_part_of_what_is_said() -> None:
    assert trimmed("yuki> hello", "<yuki> hello", 1, 12) == "hello"
