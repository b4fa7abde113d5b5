"""The page in a real browser, under a prefix: asked, stopped, filled, shared; hostile texts."""

import json
import time
from importlib.resources import files
from urllib.parse import quote

import pytest
from support.chromium import Page, executable

from hoptrail.kg.types import Document
from hoptrail.service.web.keys import add

from .conftest import QUESTION, served

pytestmark = pytest.mark.skipif(not executable(), reason="there is no Chromium")
HOSTILE = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script> & Söhne"
WATCH = """window.refused = [];
addEventListener('securitypolicyviolation', e => refused.push(e.violatedDirective));
addEventListener('error', e => refused.push(e.message));"""


class Visit(Page):
    """A tab that shows the page of a service."""

    def visit(self, service, fragment=""):
        self.base = str(service.base_url).rstrip("/")
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=f"{self.base}{fragment}")
        self.until("document.readyState == 'complete' && !!document.querySelector('nav')")

    def go(self, fragment):
        self.run(f"location.hash = {json.dumps(fragment)}")

    def ask(self, question):
        self.until("!!document.querySelector('#view-ask:not([hidden])')")
        self.run("document.getElementById('question').value = ''")
        self.run("document.getElementById('question').focus()")
        self.type(question)
        for kind in ("rawKeyDown", "char", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent",
                type=kind,
                key="Enter",
                text="\r",
                code="Enter",
                windowsVirtualKeyCode=13,
            )

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText")

    def size(self, width, height=900):
        shape = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.send("Emulation.setDeviceMetricsOverride", **shape)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with served(tmp_path_factory.mktemp("page"), prefix="/kg/all") as client:
        client.hop.ingest(
            Document("hostile", HOSTILE, f"{HOSTILE} was directed by Ola Vik.", "hostile.html")
        )
        yield client


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with Visit(tmp_path_factory.mktemp("chromium")) as page:
        page.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        yield page


@pytest.fixture
def page(tab, service):
    tab.size(1200)
    tab.visit(service, "/")
    yield tab
    assert tab.run("[...refused]") == []
    assert tab.run("window.hacked") is None


def answered(page):
    page.until(
        "!!document.querySelector('#chain svg a.hop') && document.getElementById('stop').hidden"
    )


def test_an_answer_comes_with_its_chain_whose_hops_open_the_sentence(page):
    page.ask(QUESTION)
    answered(page)
    assert page.text("#answer .said") == "Vaagur"
    assert "confidence" in page.text("#answer")
    names = "[...document.querySelectorAll('#chain .node title')].map(e => e.textContent)"
    assert page.run(names) == ["The Salt Lantern", "Runa Eide", "Vaagur"]
    assert page.text("#steps li .what") == "Found passages"
    assert "The Salt Lantern — was directed by — Runa Eide" in page.text(
        "#steps li:last-child .beams"
    )
    assert "“The Salt Lantern was directed by Runa Eide.”" in page.text(".quotes")
    page.run("document.querySelector('#chain a.hop').focus()")
    page.run("location.hash = document.activeElement.getAttribute('href')")
    page.until("!!document.querySelector('#view-document:not([hidden]) mark')")
    assert page.text("#view-document mark") == "The Salt Lantern was directed by Runa Eide."
    assert page.text("#view-document h1") == "The Salt Lantern"


def test_what_wikidata_states_leads_to_its_item(page):
    told = {"item": "Q9000010", "pid": "P17", "endpoint": "http://e/sparql", "date": "2026-05-01"}
    step = {"head": "Vaagur", "relation": "country", "tail": "Faroe Islands", "stated": []}
    step |= {"head_id": "vaagur", "tail_id": "faroe islands", "passage_ids": [], "wikidata": told}
    cited = {"id": "p", "title": "Vaagur", "text": "country: Faroe Islands", "wikidata": told}
    said = {"answer": "Faroe Islands", "abstained": False, "confidence": 0.9, "candidates": []}
    said |= {"chains": [{"triples": [step]}], "passages": [cited], "quote": None, "id": ""}
    page.run(f"import('./page/ask.js').then(m => m.showAnswer({json.dumps(said)}, null))")
    assert "Wikidata Q9000010 P17 · http://e/sparql · 2026-05-01" in page.text("#evidence")
    links = "[...document.querySelectorAll('#evidence cite a, #chain a.hop, .cited a')]"
    place = "https://www.wikidata.org/wiki/Q9000010#P17"
    hrefs = page.run(f"{links}.map(a => a.getAttribute('href'))")
    assert hrefs == 3 * [place]


def test_an_answer_has_a_link_that_shows_it_again(page, service):
    page.ask(QUESTION)
    answered(page)
    link = page.run("document.querySelector('.share a').getAttribute('href')")
    end = time.monotonic() + 10
    while service.get(f"/v1/answers/{link.rpartition('/')[2]}").status_code != 200:
        assert time.monotonic() < end
    page.visit(service, "/" + link)
    answered(page)
    assert (page.text("#answer .said"), page.text("#work-title")) == ("Vaagur", QUESTION)


def test_without_evidence_nothing_is_asserted(page):
    page.ask("Where was the composer of Carmen born?")
    page.until("!!document.querySelector('.abstained')")
    assert page.text(".abstained .said") == "Insufficient evidence"
    assert page.run("document.querySelector('#chain').childElementCount") == 0


def test_documents_are_sent_listed_and_removed(page, tmp_path):
    file = tmp_path / "Lighthouse.txt"
    file.write_text("Marit Lund keeps the lighthouse of Kolka.")
    page.go("#/documents")
    page.until("document.querySelectorAll('#documents tbody tr').length >= 5")
    page.send("DOM.enable")
    root = page.send("DOM.getDocument")["root"]["nodeId"]
    node = page.send("DOM.querySelector", nodeId=root, selector="#files")["nodeId"]
    page.send("DOM.setFileInputFiles", files=[str(file)], nodeId=node)
    page.until("/1 passage(?!s)/.test(document.querySelector('#uploads').innerText)")
    row = (
        "[...document.querySelectorAll('#documents tr')].find(r => /Lighthouse/.test(r.innerText))"
    )
    page.until(f"!!{row}")
    page.run(f"{row}.querySelector('button').click()")
    page.run(f"{row}.querySelector('button').click()")
    page.until(f"!{row}")


def test_texts_of_documents_are_texts(page, service):
    page.go("#/documents")
    page.until("document.querySelectorAll('#documents tbody tr').length >= 5")
    assert HOSTILE in page.text("#documents")
    page.go("#/documents/hostile")
    page.until("!!document.querySelector('#view-document .text')")
    assert page.text("#view-document h1") == HOSTILE
    page.go("#/")
    page.ask(f"Who directed {HOSTILE}?")
    page.until("!!document.querySelector('#answer > *') && document.getElementById('stop').hidden")
    assert page.run("document.querySelectorAll('main img, main script').length") == 0


def test_a_question_is_stopped(tab, waiting, monkeypatch):
    """The page asks with the default method, which here waits for a model that says nothing."""
    tab.visit(waiting, "/")
    tab.ask(QUESTION)
    tab.until("document.querySelectorAll('#steps li').length > 0")
    assert not tab.run("document.getElementById('stop').hidden")
    tab.click("#stop")
    tab.until("document.getElementById('stop').hidden")
    assert "Stopped" in tab.text("#answer")
    assert waiting.free(1.5)


def test_a_key_is_asked_for(tab, tmp_path):
    key = add(tmp_path / "keys", "reader:read")
    with served(tmp_path, keys=str(tmp_path / "keys")) as service:
        tab.visit(service, "/")
        tab.until("document.getElementById('key-dialog').open")
        tab.run(f"document.getElementById('key').value = {json.dumps(key)}")
        tab.click("#key-form button")
        tab.until("/4 documents/.test(document.getElementById('counts').innerText)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_nothing_stands_in_anyone_s_way(page, scheme, width):
    """axe-core finds nothing on any view; on a telephone nothing is wider than it."""
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    still = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    page.send("Emulation.setEmulatedMedia", features=still)
    page.size(width)
    page.run(axe + "; 0")
    page.ask(QUESTION)
    answered(page)
    found = {"answer": findings(page)}
    page.ask("Where was the composer of Carmen born?")
    page.until("!!document.querySelector('.abstained')")
    found["abstention"] = findings(page)
    for view in ("documents", "documents/id%20Vaagur", f"entities/{quote('runa eide')}"):
        page.go(f"#/{view}")
        page.until(
            "!!document.querySelector('main > section:not([hidden]) h1') && "
            "!document.querySelector('#view-ask:not([hidden])')"
        )
        time.sleep(0.2)
        found[view] = findings(page)
        assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert {view: what for view, what in found.items() if what} == {}


def findings(page):
    ids = "r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).join(' | '))"
    return page.run(f"axe.run().then(r => {ids})")
