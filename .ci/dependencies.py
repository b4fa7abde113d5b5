"""Look at what is installed: licences, known vulnerabilities, a list of all parts for the users.

python .ci/dependencies.py, where hoptrail[dev] is installed. It writes build/sbom.json (CycloneDX
1.6): what a user of any extra gets, without what only tests, pages and development need. Exits with
1 where a licence is not in licences.toml, or where a version is known to be vulnerable.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import metadata
from pathlib import Path
from typing import Any

from license_expression import ExpressionError, get_spdx_licensing
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
SBOM = ROOT / "build/sbom.json"
OURS = {"test", "docs", "dev", "bench"}  # extras that are not for users
SPDX = get_spdx_licensing()


def main() -> int:
    """Write the list, check licences, ask for vulnerabilities."""
    SBOM.parent.mkdir(exist_ok=True)
    pyproject = ("--pyproject", str(ROOT / "pyproject.toml"))
    run("cyclonedx_py", "environment", *pyproject, "--of", "JSON", "-o", str(SBOM), sys.executable)
    bom = json.loads(SBOM.read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    users = [one for name, given in extras.items() if name not in OURS for one in given]
    developers = [one for name, given in extras.items() if name != "bench" for one in given]
    shipped = parts(bom, needed([*project["dependencies"], *users]))
    everything = parts(bom, needed([*project["dependencies"], *developers]))
    bom["components"] = [c for c in bom["components"] if c["bom-ref"] in shipped]
    kept = {*shipped, bom["metadata"]["component"]["bom-ref"]}
    bom["dependencies"] = [
        {"ref": one["ref"], "dependsOn": sorted(shipped.keys() & one.get("dependsOn", ()))}
        for one in bom["dependencies"]
        if one["ref"] in kept
    ]
    SBOM.write_text(json.dumps(bom, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"{SBOM.relative_to(ROOT)}: {len(shipped)} packages with all extras")
    wrong = [*unlicensed(everything), *vulnerable()]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


def needed(requirements: list[str]) -> set[str]:
    """Give the names of what requirements ask for here, and of what that needs in turn."""
    names, seen = set[str](), set[tuple[str, str]]()
    left = [(Requirement(one), "") for one in requirements]
    while left:
        one, extra = left.pop()
        if one.marker and not one.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(one.name)
        for wanted in {"", *one.extras} if name != "hoptrail" else ():
            if (name, wanted) not in seen:
                seen.add((name, wanted))
                names.add(name)
                left += [(Requirement(r), wanted) for r in metadata.requires(name) or ()]
    return names


def parts(bom: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """Give the components of these names, by reference."""
    return {c["bom-ref"]: c for c in bom["components"] if canonicalize_name(c["name"]) in names}


def unlicensed(components: dict[str, Any]) -> Iterator[str]:
    """Say which packages have a licence that licences.toml does not allow."""
    listed = tomllib.loads((ROOT / ".ci/licences.toml").read_text("utf-8"))
    allowed, excepted = set(listed["allowed"]), listed["excepted"]
    for component in components.values():
        name = canonicalize_name(component["name"])
        said = [says(one) for one in component.get("licenses", ()) if says(one)]
        if any(fnmatch(name, pattern) for pattern in excepted):
            continue
        if not said or not all(may(one, allowed) for one in said):
            yield f"LICENCE of {name}: {'; '.join(said) or 'none named'} is not in licences.toml"
    print(f"licences of {len(components)} packages looked at")


def says(licence: dict[str, Any]) -> str:
    """Give a licence as its package names it; nothing where that is the text itself."""
    one = licence.get("license", {})
    said = licence.get("expression") or one.get("id") or one.get("name", "")
    return "" if said.startswith("declared license of") else said.rpartition(" :: ")[2]


def may(said: str, allowed: set[str]) -> bool:
    """Tell whether an expression can be met by what is allowed."""
    if said in allowed:
        return True
    try:
        expression = SPDX.parse(said)
    except ExpressionError:
        return False
    known = [SPDX.parse(one) for one in allowed if one in SPDX.known_symbols or " WITH " in one]
    met = expression.subs(dict.fromkeys(known, SPDX.TRUE)).simplify()
    return met == SPDX.TRUE


def vulnerable() -> Iterator[str]:
    """Say what the package index knows of the installed versions; it may know nothing."""
    done = run("pip_audit", "--progress-spinner", "off", "--format", "json", check=False)
    try:
        found = json.loads(done.stdout)["dependencies"]
    except ValueError:
        print(f"VULNERABILITIES NOT LOOKED UP: {done.stderr.strip()[-300:]}")
        return
    looked_up = [one for one in found if "vulns" in one]
    for one in looked_up:
        for known in one["vulns"]:
            fixed = ", ".join(known["fix_versions"]) or "no version yet"
            yield f"VULNERABLE: {one['name']} {one['version']}, {known['id']}, mended in {fixed}"
    mark = "" if looked_up else "VULNERABILITIES NOT LOOKED UP: "
    print(f"{mark}the index knew {len(looked_up)} of {len(found)} installed versions")


def run(module: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a module of this environment."""
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=check)


if __name__ == "__main__":
    sys.exit(main())
