"""`hoptrail doctor`: checks set-up and graph, and mends where that loses nothing."""

import sys

import click

from ..console.printing import print_json, say
from ..settings import Settings


@click.command(short_help="Check the set-up and the graph; say what to do, or mend it.")
@click.option("--fix", is_flag=True, help="Mend what can be mended without loss.")
@click.option(
    "--quick", is_flag=True, help="Pass over what takes long: whether all follows from the texts."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def doctor(settings: Settings, fix: bool, quick: bool, as_json: bool) -> None:
    """Check the set-up and the graph, and say what to do about what is wrong.

    Exit status 1 when something is wrong and stays so.
    """
    from rich.console import Console

    from ..doctor import check

    with Console(stderr=True).status("Checking") as shown:
        findings = list(check(settings, fix, quick, lambda what: shown.update(f"Checking: {what}")))
    if as_json:
        print_json({"findings": findings})
    for finding in () if as_json else findings:
        mark = "mended" if finding["mended"] else "ok" if finding["ok"] else "FAIL"
        say(f"{mark:6}  {finding['what']}: {finding['detail']}")
    if not all(finding["ok"] for finding in findings):
        sys.exit(1)
