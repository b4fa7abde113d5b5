"""Records of every layout with something wrong in them: questions, or a message that says where.

HOPTRAIL_TEST_EXAMPLES multiplies how many: 25 makes 10,000.
"""

import json
import os
import re
from random import Random

import pytest
from support.layouts import (
    BAMBOOGLE,
    FEVER,
    FULL_WIKI,
    IIRC,
    MUSIQUE,
    OPEN,
    OURS,
    QUALITY,
    TWO_WIKI,
)
from support.mutations import mutated

from hoptrail.kg.errors import SourceError
from hoptrail.kg.types import Document
from hoptrail.loaders import documents
from hoptrail.loaders.questions.files import read_questions

SEEDS = (BAMBOOGLE, FEVER, FULL_WIKI, IIRC, MUSIQUE, OPEN, OURS, QUALITY, TWO_WIKI)
TIMES = int(os.environ.get("HOPTRAIL_TEST_EXAMPLES", "1"))
EACH = 45 * TIMES
NAMES = ("question", "text", "claim", "context", "article", "answer", "\ud800")
PLACE = re.compile(r"q\.json: record 2[:,].*(field '\w+|must be an object|comes again)", re.S)
LONGEST = 700  # characters of a message


def outcome(path):
    """What was wrong, "" where nothing was."""
    try:
        found = list(read_questions(path))
    except SourceError as error:
        return str(error)
    "".join(map(str, found)).encode()
    return ""


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_a_record_with_something_wrong_is_read_or_named(tmp_path, seed):
    path = tmp_path / "q.json"
    read = refused = 0
    for number in range(EACH):
        random = Random(number)
        record = mutated(SEEDS[seed], random, NAMES)
        path.write_text(json.dumps([{"id": "sound", "question": "Who?"}, record]))
        said = outcome(path)
        said.encode()
        read, refused = read + (said == ""), refused + (said != "")
        assert said == "" or PLACE.search(said), (number, said[:LONGEST])
        assert len(said) < LONGEST
        for one in documents([path]):
            (one.text if isinstance(one, Document) else one.reason).encode()
    assert min(read, refused) > 0
