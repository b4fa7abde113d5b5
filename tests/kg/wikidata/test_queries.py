"""The queries are plain SPARQL 1.1, which every public endpoint takes (docs/wikidata.md)."""

import re
from importlib.resources import files

import pytest
import rdflib.plugins.sparql

from hoptrail.kg.wikidata.queries import query

FOLDER = files("hoptrail.kg.wikidata.queries")
NAMES = sorted(one.name.removesuffix(".rq") for one in FOLDER.iterdir() if one.name.endswith(".rq"))
VALUES = {
    "items": "wd:Q42 wd:Q43",
    "names": '"Vaagur"@en "Vaagur"',
    "languages": '"en", ""',
    "properties": "wdt:P19",
    "limit": "10",
    "offset": "0",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_query_needs_nothing_of_one_service(name):
    text = (FOLDER / f"{name}.rq").read_text("utf-8")
    wanted = set(re.findall(r"\$(\w+)", "\n".join(re.findall(r"^[^#].*$", text, flags=re.M))))
    asked = query(name, **{one: VALUES[one] for one in wanted})
    # rdflib knows prefixes of its own, and nobody else's: each that is used has to be declared.
    declared = set(re.findall(r"PREFIX (\w+):", asked))
    body = re.sub(r'PREFIX .*|<[^>]*>|"[^"]*"', "", asked)
    assert set(re.findall(r"\b(\w+):\w", body)) <= declared
    assert not re.search(r"SERVICE|\bhint:|\bbd:|\bmwapi\b|LATERAL|NOT EXISTS", body, re.I)
    rdflib.plugins.sparql.prepareQuery(asked)
