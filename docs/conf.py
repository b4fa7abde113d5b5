"""How Sphinx builds the pages and the reference: `sphinx-build -W -E -c docs . build/html`.

The root folder is the source, so that links between README, docs/ and benchmarks/ are checked too.
Docstrings are in Google style. What stands in single backticks is code, and a link where it names
something that is documented here.
"""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.typing import stringify_annotation

from hoptrail.kg.types import Vector
from hoptrail.reasoning.registry import METHODS, RETRIEVERS

log = logging.getLogger(__name__)

project = "Hoptrail"
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**", "benchmarks/README.md"]
exclude_patterns = [".*", "build", "dist"]
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_parser"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # JSON with "…", Cypher's parameters, mermaid
html_theme_options = {"page_width": "1100px", "sidebar_width": "220px"}
html_copy_source = False
smartquotes = False  # two hyphens begin an option

default_role = "py:obj"
nitpicky = True  # what a signature or Raises names and is ours has to be on these pages
nitpick_ignore_regex = [
    ("py:.*", r"(?!hoptrail\.)[a-z_]+\..*|Path|Doc"),  # other packages'
    ("py:obj", r"(?!hoptrail\.|[A-Z]\w+\.\w+$).*"),  # any code; but a `Class.member` must be there
]
add_module_names = False
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88

VECTOR = stringify_annotation(Vector, "smart")
NO_LITERAL = re.compile(r"= ?<(?:[^<>]|<\w+>)*>")
"""Defaults such as "<factory>", which would keep Sphinx from reading a signature."""


def setup(app: Sphinx) -> None:
    """Connect what follows."""
    app.connect("autodoc-process-docstring", check_arguments, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", keep_colons, priority=400)
    app.connect("autodoc-process-signature", readable)
    app.connect("missing-reference", find_anywhere)
    app.connect("doctree-read", with_dashes)
    app.connect("env-check-consistency", check_registered)


def check_arguments(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Warn of arguments that a docstring describes and the signature lacks."""
    if not callable(obj) or not (described := list(_arguments(lines))):
        return
    known = inspect.signature(obj).parameters
    for argument in described:
        if argument not in known:
            log.warning("%s: Args describes %r, which it does not take", name, argument)


def _arguments(lines: list[str]) -> Iterator[str]:
    """The names under "Args:": what the lines begin with that are indented as the first one is."""
    inside, indent = False, 0
    for line in filter(None, lines):
        here = len(line) - len(line.lstrip())
        if not here:
            inside, indent = line == "Args:", 0
        elif inside:
            indent = indent or here
            if here <= indent:
                yield line.strip().partition(":")[0]


def keep_colons(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Keep napoleon from taking what stands before a colon for an attribute's type."""
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]


def readable(
    app: Sphinx,
    what: str,
    name: str,
    obj: object,
    options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Say Vector instead of what that is short for, and "..." for a default made at run time.

    A protocol is not called: it has no signature.
    """
    if getattr(obj, "_is_protocol", False):
        return "", None
    signature, returns = (
        text and text.replace(VECTOR, "~hoptrail.kg.types.Vector") for text in (signature, returns)
    )
    return signature and NO_LITERAL.sub("= ...", signature), returns


def with_dashes(app: Sphinx, document: nodes.document) -> None:
    """Put a dash between an argument and what it is; other hyphens stay as they are."""
    for text in list(document.findall(nodes.Text)):
        if text == " -- ":
            text.parent.replace(text, nodes.Text(" – "))


def find_anywhere(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.reference | None:
    """Find `Hit`, `Parts.retrieve` or `kg.types` in whichever module; warn where several fit.

    A dataclass's field has no place of its own: `Answer.usage` leads to its class.
    """
    target = node["reftarget"]
    if node.get("refdomain") != "py" or not (target[:1].isupper() or "." in target):
        return None
    node["refspecific"] = True
    domain, where = env.domains.python_domain, (env, node["refdoc"], app.builder, "obj")
    if found := domain.resolve_xref(*where, target, node, text):
        return found
    owner, _, field = target.rpartition(".")
    for name, _ in domain.find_obj(env, "", "", owner, "class", 1) if owner else ():
        module, _, kind = name.rpartition(".")
        if field in inspect.signature(getattr(import_module(module), kind)).parameters:
            return domain.resolve_xref(*where, name, node, text)
    return None


def check_registered(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of methods and retrievers that the reference lacks."""
    for kind in (*METHODS.values(), *RETRIEVERS.values()):
        if f"{kind.__module__}.{kind.__name__}" not in env.domains.python_domain.objects:
            log.warning("%s.%s is not in docs/reference/", kind.__module__, kind.__name__)
