"""A graph of hostile documents and every command on it, with hostile arguments, in one process.

`python commands.py FOLDER N` runs every Nth of them in that empty folder; what comes out is for
test_terminal.py. The exit statuses go into statuses.json there.
"""

import json
import logging
import os
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from hostile.corpus import LETTERS, TEMPLATES, TERMINAL

from hoptrail.kg.types import Document
from hoptrail.service import Hoptrail
from hoptrail.service.cli.app import main

BAD = "x\x1b[7;41my\x9b7;41mz\x1b]52;c;eA==\x07\x08\rEVIL\u202e\x7f[bold red][/]$^"
LONGEST = 300
TEXTS = [text[:LONGEST] for text in (*TERMINAL.values(), *TEMPLATES.values(), LETTERS["zalgo"])]
QUESTION = "Who met Quenby?"
NAME = BAD.replace("/", "")
DATA, EXPORT = f"{NAME}.jsonl", f"{NAME} whole.jsonl"


def documents():
    for number, text in enumerate(TEXTS):
        body = f"Quenby met {text}. Quenby {number} was born in {text}."
        yield Document(f"id {number}", f"Quenby {text}", body, f"{text}.txt", {text: text})


def data():
    """A question file whose every text is hostile."""
    for number in range(2):
        paragraphs = [
            {"title": f"Quenby {text}", "text": f"Quenby met {text}.", "is_supporting": not place}
            for place, text in enumerate(TEXTS[number::9])
        ]
        question = {"id": f"{number}{BAD}", "question": f"{QUESTION} {BAD}", "answer": BAD}
        yield json.dumps({**question, "paragraphs": paragraphs})


COMMANDS = [
    [BAD],
    [f"--{BAD}"],
    ["search"],
    ["search", QUESTION, "--limit", BAD],
    ["search", QUESTION, BAD],
    ["search", QUESTION, "--retriever", BAD],
    ["search", QUESTION, "--retriever", f"hop:{BAD}=1"],
    ["search", QUESTION, "--retriever", f"ranker:file={NAME}"],
    ["search", BAD, "--retriever", "bm25"],
    ["search", QUESTION, "--retriever", "bm25"],
    ["search", QUESTION, "--retriever", "bm25", "--json"],
    ["ask", QUESTION, "--steps"],
    ["ask", QUESTION, "--json"],
    ["ask", f"{QUESTION} {BAD}", "--method", BAD],
    ["--model", BAD, "ask", QUESTION],
    ["--model", f"openai:http://{BAD}/v1", "ask", QUESTION],
    ["--encoder", BAD, "stats"],
    ["--encoder", BAD, "search", QUESTION],
    ["--pipeline", BAD, "ask", QUESTION],
    ["--graph", "prefixed.db", "--passage-prefix", f"{BAD}\udcff", "ingest", "files"],
    ["--graph", f"{BAD}://host", "stats"],
    ["--graph", f"neo4j://user:{BAD}@host", "stats"],
    ["--graph", f"bolt://localhost:{BAD}", "stats"],
    ["--graph", f"bolt://{'a' * 300}", "stats"],
    ["--graph", "x\0y", "stats"],
    ["--graph", f"{BAD}/no/such.db", "stats"],
    ["--graph", f"{BAD}/no/such.db", "ingest", "files"],
    ["stats"],
    ["stats", "--json"],
    ["show", BAD],
    ["show", "quenby"],
    ["show", "quenby", "--json"],
    ["show", "id 0"],
    ["show", "id 0", "--json"],
    ["show", QUESTION],
    ["remove", BAD],
    ["ingest", BAD],
    ["ingest", "files"],
    ["ingest", "files", "--json"],
    ["ingest", "files", "--format", BAD],
    ["ingest", DATA, "--text-field", BAD],
    ["export", "-"],
    ["export", f"{BAD}/no/such"],
    ["export", EXPORT, "--no-vectors"],
    ["--graph", f"{NAME}.db", "import", EXPORT],
    ["--graph", f"{NAME}.db", "import", EXPORT],
    ["--graph", f"{NAME}.db", "doctor"],
    ["import", BAD],
    ["copy", f"{NAME} copy.db", "--check"],
    ["copy", f"{BAD}://host"],
    ["doctor", "--json"],
    ["reembed"],
    ["train", "forget", BAD],
    ["train", "gnn-ret", BAD],
    ["train", "gnn-ret", "--edges", BAD],
    ["evaluate", BAD],
    ["evaluate", "retrieval", BAD],
    ["evaluate", "retrieval", DATA, "--retrievers", BAD],
    ["evaluate", "retrieval", DATA, "--against", BAD],
    ["evaluate", "answers", DATA, "--retriever", "bm25", "--json", f"{NAME}.json"],
    [
        *("evaluate", "retrieval", DATA, "--retrievers", "bm25,hop:shares=0.5"),
        *("--markdown", "report.md", "--json", "report.json"),
    ],
    ["--version"],
    ["--help"],
]


def run(arguments: list[str]) -> int:
    sys.argv = ["hoptrail", *arguments]
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    Path("files").mkdir()
    for name in (NAME, "a\nb"):
        Path("files", f"{name}.txt").write_bytes(b"\xff")
    Path("files", f"{NAME}.md").write_text(f"# {BAD}\n\nQuenby met {BAD}.")
    Path(DATA).write_text("\n".join(data()), encoding="utf-8")
    with Hoptrail("hoptrail.db") as hop:
        hop.ingest(*documents())
    every = int(sys.argv[2])
    statuses = [(arguments, run(arguments)) for arguments in COMMANDS[::every]]
    warnings.warn(BAD, stacklevel=1)
    logging.getLogger("some.library").warning(BAD)
    Path("statuses.json").write_text(json.dumps(statuses))
