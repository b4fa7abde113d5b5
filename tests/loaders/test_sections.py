"""From a file of each format with headings to passages that carry them."""

import pytest
from support.archives import book, word

from hoptrail.kg.ingest.pipeline import Ingestion, Tools
from hoptrail.loaders import documents
from hoptrail.models.parser import Pipeline

pytestmark = pytest.mark.one_release

FIRST = "Grieg was a composer of Norway. He wrote for the piano, and for the theatre too."
SECOND = "He went to Leipzig. The school there was strict. He left it after four long years."


def fill(document):
    document.add_heading("Grieg", 0)
    document.add_paragraph(FIRST)
    document.add_heading("School years", 1)
    document.add_paragraph(SECOND)


FILES = {
    "a.md": f"# Grieg\n\n{FIRST}\n\n## School years\n\n{SECOND}".encode(),
    "b.html": f"<h1>Grieg</h1><p>{FIRST}<h2>School years</h2><p>{SECOND}".encode(),
    "c.docx": word(fill),
    "d.epub": book(
        {"1.xhtml": f"<p>{FIRST}</p>", "2.xhtml": f"<h2>School years</h2><p>{SECOND}</p>"},
        "<dc:title>Grieg</dc:title>",
    ),
}


def test_a_passage_knows_its_heading(tmp_path, new_store, encoder):
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    store = new_store()
    tools = Tools(
        lambda: encoder.fingerprint, encoder.encode_passages, encoder.count_tokens, Pipeline()
    )
    report = Ingestion(store, tools, limit=20).run(documents([tmp_path]))
    assert (report.added, report.failures) == (len(FILES), [])
    for document in documents([tmp_path]):
        passages = store.passages(store.passages_of([document.id])).values()
        first, second = passages
        assert (first.title, first.heading, first.text) == ("Grieg", "", FIRST)
        assert (second.title, second.heading) == ("Grieg", "School years")
        assert second.text == f"School years\n\n{SECOND}"
