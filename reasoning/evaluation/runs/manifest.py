"""Manifests: what determines a run's figures. Two runs of one manifest may be joined."""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ....kg.store import Graph
from ....loaders.questions.aliases import FILE as ALIASES

_HASH = re.compile(r"[0-9a-f]{64}")
COUNTED = ("documents", "passages", "entities", "triples", "statements", "next", "shares_keyword")
"""Of a graph's statistics; not its answers, which asking may add."""


def graph_fingerprint(graph: Graph) -> dict[str, Any]:
    """Tell a graph from others: documents by content, encoder, counts; not its place."""
    info, counts = graph.info(), graph.statistics()
    content = hashlib.sha256()
    for id_, document in graph.documents().items():
        content.update(f"{id_} {document.sha256}\n".encode())
    about = {
        "documents": content.hexdigest(),
        "encoder": asdict(info.fingerprint) if info else None,
        "counts": {name: counts[name] for name in COUNTED},
    }
    return {
        "fingerprint": hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest(),
        "encoder": about["encoder"],
        "counts": about["counts"],
    }


def content_hash(place: Path) -> str:
    """Hash what a file holds, or all files of a folder and what they are called in it."""
    if not place.is_dir():
        return _sha256(place)
    total = hashlib.sha256()
    for one in sorted(p for p in place.rglob("*") if p.is_file()):
        total.update(os.fsencode(one.relative_to(place)) + f"\0{_sha256(one)}\n".encode())
    return total.hexdigest()


def question_file(file: Path) -> dict[str, str]:
    """Describe a file of questions, and the names of entities that lie beside it."""
    aliases = file.parent / ALIASES
    return {
        "file": file.name,
        "sha256": _sha256(file),
        **({"aliases": _sha256(aliases)} if aliases.exists() else {}),
    }


def text_hash(text: str) -> str:
    """Hash a text (SHA-256, hexadecimal)."""
    return hashlib.sha256(text.encode()).hexdigest()


def differences(old: Mapping[str, Any], new: Mapping[str, Any], within: str = "") -> list[str]:
    """Say where two manifests differ, in words: "model.name was 'a', is 'b'".

    Another retriever's settings go without saying.
    """
    found = []
    unsaid = {"retriever_settings"} if old.get("retriever") != new.get("retriever") else set()
    for key in dict.fromkeys([*old, *new]):
        if key in unsaid:
            continue
        before, after, name = old.get(key), new.get(key), f"{within}{key}"
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            found += differences(before, after, f"{name}.")
        elif before != after:
            found.append(f"{name} was {_shown(before)}, is {_shown(after)}")
    return found


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:  # a corpus may be larger than memory
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _shown(value: object) -> str:
    """A hash by its beginning."""
    return _HASH.sub(lambda whole: f"{whole[0][:12]}…", repr(value))
