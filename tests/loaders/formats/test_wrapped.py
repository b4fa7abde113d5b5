"""Short texts whose lines were wrapped: sentences are whole, and lines stay lines."""

import email.message

import pytest

from hoptrail.loaders import documents


def text_of(path, text):
    path.write_text(text)
    (document,) = documents([path])
    return document.text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (
            "The shed was built by Olle\nNord in 1977. Its roof was\nmade by Sten Tak.",
            "The shed was built by Olle Nord in 1977. Its roof was made by Sten Tak.",
        ),
        (
            "Present were Ann Lee and Bo Ek. The next meeting is on 3 May 2026 in the\n"
            "Lantern Hall. It was decided\nthat nobody pays.\n\nKind regards\nAnn Lee",
            "Present were Ann Lee and Bo Ek. The next meeting is on 3 May 2026 in the "
            "Lantern Hall. It was decided that nobody pays.\n\nKind regards\nAnn Lee",
        ),
        (
            "- Bread for the guests who come from\n  the other side.\n- Milk.",
            "- Bread for the guests who come from the other side.\n- Milk.",
        ),
        (
            "All about the shed\nIt was built by Ann Lee and\nher brother in 1977.",
            "All about the shed\nIt was built by Ann Lee and her brother in 1977.",
        ),
    ],
)
def test_sentences_of_a_short_text_are_whole(tmp_path, text, whole):
    assert text_of(tmp_path / "a.txt", f"Short note.\n\n{text}\n") == f"Short note.\n\n{whole}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "The sea was calm, the wind was low,\nand in the bay the boats lay still;\n"
            "the keeper knew that he must go\nto light his lantern on the hill.",
            id="verse",
        ),
        pytest.param("To the Committee of the Town\nattn. Ann Lee\n5 Main St\nOslo", id="address"),
        pytest.param("Ann Lee of the lighthouse\nBo van der Berg\nCy de la Cruz", id="names"),
        pytest.param("Name: Ann Lee of the north\nTown: Oslo\nRole: keeper of it.", id="labels"),
        pytest.param("Name      Town\nAnn Lee   Oslo, in the\nBo Ek     north.", id="columns"),
        pytest.param("for x in the_list:\n    print(x, that)\n    return the.", id="code"),
        pytest.param("ann: are you coming to the\nbo: yes, I am at the house.", id="chat"),
        pytest.param("10:30 server started by the\n10:31 keeper of all logs.", id="log"),
        pytest.param("1901: the club was founded by\n1911: it moved to the quay.", id="years"),
        pytest.param("3 May 2020 Meeting in the\n4 June 2020 Dinner in the hall.", id="days"),
        pytest.param("Mon-Fri 9 to 5, by the\nSun closed. Ring the bell.", id="hours"),
        pytest.param("Duckling – a punt of the\nSwan – a skiff. Both leak.", id="things"),
        pytest.param("Please bring these:\nbread for the guests and\nmilk for the cat.", id="list"),
        pytest.param("GENERAL MEETING OF THE CLUB\nheld on 3 May in Oslo.", id="heading"),
    ],
)
def test_lines_of_a_short_text_that_nobody_wrapped_stay(tmp_path, text):
    written = f"Short note.\n\nIt is so.\n\n{text}\n"
    assert text_of(tmp_path / "a.txt", written).split() == written.split()
    assert text_of(tmp_path / "a.txt", written).count("\n") >= written.strip().count("\n")


def test_sentences_of_a_short_message_are_whole(tmp_path):
    message = email.message.EmailMessage()
    message["From"], message["Subject"] = "ann@dock.example", "Keys"
    message.set_content("The key of the boat house is with Olle and\nthe chain with Sten Tak.\n")
    written = text_of(tmp_path / "a.eml", message.as_string())
    assert "with Olle and the chain with Sten Tak." in written


TERMS = [
    ("open", "to whoever has a boat, and to their guests who come with\n        them."),
    ("by invitation", "This day is for those who were asked."),
    ("closed", "nobody may come in before the bell."),
]


def listed(terms):
    return "Days of the harbour.\n\n" + "".join(f"  {t}\n        {said}\n\n" for t, said in terms)


def test_a_term_and_its_definition_are_one_line(tmp_path):
    text = text_of(tmp_path / "a.txt", f"{listed(TERMS)}Bell\n====\n\nIt rings at six.\n")
    assert "open: to whoever has a boat, and to their guests who come with them." in text
    assert "by invitation: This day is for those who were asked." in text
    (document,) = documents([tmp_path / "a.txt"])
    assert [text[s.start :].split("\n")[0] for s in document.sections] == ["Bell"]


@pytest.mark.parametrize(
    "terms",
    [
        pytest.param(TERMS[:2], id="two"),
        pytest.param([(t, f"{t} = 1 and so on.") for t, _ in TERMS], id="code"),
        pytest.param([(t, "5 Quay Street Oslo") for t, _ in TERMS], id="addresses"),
        pytest.param([(t, f"{said}\n\n        And more.") for t, said in TERMS], id="sections"),
    ],
)
def test_what_is_no_list_of_terms_stays_in_lines(tmp_path, terms):
    assert "open:" not in text_of(tmp_path / "a.txt", listed(terms))
