"""Every regular expression of the code, and long runs that make a superlinear one slow."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType

_FUNCTIONS = "compile search match fullmatch split findall finditer sub subn".split()
_ANY = "a0 \n\t.-_/(<\"'é"
_OF_CATEGORY = {
    "CATEGORY_SPACE": " \n\t\u3000",
    "CATEGORY_NOT_SPACE": "a.<",
    "CATEGORY_DIGIT": "07",
    "CATEGORY_NOT_DIGIT": "a. ",
    "CATEGORY_WORD": "a0_é",
    "CATEGORY_NOT_WORD": ". \n-",
}


@dataclass(frozen=True)
class Used:
    """A pattern, where it stands, and whether it is looked for rather than matched at the start."""

    where: str
    pattern: re.Pattern[str]
    searched: bool


def patterns(package: str) -> list[Used]:
    """Every pattern that a package's modules hold, or call by its text."""
    found = dict[str, Used]()
    for module in _modules(package):
        source = Path(str(module.__file__)).read_text("utf-8")
        for name, pattern in (*_held(module), *_written(module, source)):
            if isinstance(pattern.pattern, str):
                uses = set(re.findall(rf"\b{re.escape(name)}\.(\w+)", source))
                uses.update([name[3:]] if name.startswith("re.") else [])
                searched = not uses or not uses <= {"match", "fullmatch"}
                key = f"{pattern.pattern} {pattern.flags}"
                if key not in found or (searched and name != "re.compile"):
                    found[key] = Used(f"{module.__name__}.{name}", pattern, searched)
    return list(found.values())


def _modules(package: str) -> Iterator[ModuleType]:
    whole = importlib.import_module(f"hoptrail.{package}")
    for info in pkgutil.walk_packages(whole.__path__, f"{whole.__name__}."):
        yield importlib.import_module(info.name)


def _held(module: ModuleType) -> Iterator[tuple[str, re.Pattern]]:
    for name, value in vars(module).items():
        values = value.values() if isinstance(value, dict) else value
        for one in values if isinstance(value, dict | tuple | list | frozenset) else (value,):
            for part in one if isinstance(one, tuple) else (one,):
                if isinstance(part, re.Pattern):
                    yield name, part


def _written(module: ModuleType, source: str) -> Iterator[tuple[str, re.Pattern]]:
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if ast.unparse(node.func.value) != "re" or node.func.attr not in _FUNCTIONS:
            continue
        flags = next((k.value for k in node.keywords if k.arg == "flags"), None)
        if node.func.attr == "compile" and len(node.args) > 1:
            flags = node.args[1]
        try:
            text, set_ = (
                eval(compile(ast.Expression(n), "", "eval"), vars(module)) if n else 0
                for n in (node.args[0], flags)
            )
        except NameError:  # put together from what a function is given
            continue
        if isinstance(text, str):
            yield f"re.{node.func.attr}", re.compile(text, set_)


# -- attacks
def pumps(pattern: re.Pattern[str], tries: int) -> list[tuple[str, str]]:
    """What the pattern repeats, each with what comes before it."""
    tree = re._parser.parse(pattern.pattern, pattern.flags)  # pyright: ignore
    random = Random(repr(pattern))
    return sorted({pump for _ in range(tries) for pump in _pumps(list(tree), "", random)})


def run(before: str, pump: str, length: int) -> str:
    """A text about this long that repeats a pump, and ends with what no pattern wants."""
    return before + pump * (length // len(pump)) + "\x00"


def _pumps(items: list, before: str, random: Random) -> Iterator[tuple[str, str]]:
    """What comes before a repetition, and one round of it; and each part as a round of its own."""
    for op, value in items:
        if str(op) in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, most, body = value
            if most > 100 and (one := _sample(list(body), random)):
                yield before, one
                if before:
                    yield "", before + one
            yield from _pumps(list(body), before, random)
        elif str(op) == "SUBPATTERN":
            yield from _pumps(list(value[3]), before, random)
        elif str(op) == "ATOMIC_GROUP":
            yield from _pumps(list(value), before, random)
        elif str(op) == "BRANCH":
            for branch in value[1]:
                yield from _pumps(list(branch), before, random)
        before += _sample([(op, value)], random)
    if before:
        yield "", before


def _sample(items: list, random: Random) -> str:
    return "".join(_one(str(op), value, random) for op, value in items)


def _one(op: str, value, random: Random) -> str:
    if op == "LITERAL":
        return chr(value)
    if op in ("ANY", "NOT_LITERAL"):
        return random.choice([c for c in _ANY if op == "ANY" or ord(c) != value])
    if op == "IN":
        return _member(value, random)
    if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, body = value
        return _sample(list(body), random) * random.choice([least, min(most, least + 1)])
    if op == "SUBPATTERN":
        return _sample(list(value[3]), random)
    if op == "ATOMIC_GROUP":
        return _sample(list(value), random)
    if op == "BRANCH":
        return _sample(list(random.choice(value[1])), random)
    return ""


def _member(members: list, random: Random) -> str:
    chosen, negated = list[str](), str(members[0][0]) == "NEGATE"
    for op, value in members[negated:]:
        if str(op) == "LITERAL":
            chosen.append(chr(value))
        elif str(op) == "RANGE":
            chosen.append(chr(random.choice(value)))
        elif str(op) == "CATEGORY":
            chosen += _OF_CATEGORY[str(value)]
    if negated:
        chosen = [c for c in _ANY if c not in chosen] or ["x"]
    return random.choice(chosen)
