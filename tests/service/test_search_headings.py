"""What a hit of `search` is headed by."""

from hoptrail import Hoptrail
from hoptrail.service.console.printing import print_hits


def test_a_hit_is_headed_as_the_sentence_that_it_quotes_first(tmp_path, capsys):
    path = tmp_path / "rowing.md"
    path.write_text(
        "# Rowing School\n\n## Groups\n\nMinnows row on Saturday.\n\n"
        "## Waiting list\n\nNineteen children wait for a place.\n"
    )
    with Hoptrail(tmp_path / "graph.db") as hoptrail:
        hoptrail.ingest(path)
        question = "How many children wait for a place?"
        print_hits(hoptrail.search(question, limit=1), question)
    first = capsys.readouterr().out.split("\n")[0]
    assert "Rowing School, Waiting list" in first
    assert "Groups" not in first
