"""`hoptrail serve` and `hoptrail mcp`: the graph for applications, assistants and browsers."""

import click

from ..console.printing import note, say
from ..settings import DEFAULT_GRAPH, Settings


@click.command(short_help="Serve the graph by HTTP and MCP, with a page to ask.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8321, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--keys",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    envvar="HOPTRAIL_KEYS",
    help="File of keys that clients have to send; without it whoever reaches the service may do "
    "everything. Also HOPTRAIL_KEYS.",
)
@click.option(
    "--new-key",
    metavar="NAME:SCOPE",
    help="Make a key that may `read` or `write`, add its hash to the file of --keys, print it "
    "once, and serve nothing.",
)
@click.option(
    "--allow-host",
    metavar="NAME",
    multiple=True,
    help="A name under which the service may be asked, besides localhost and --host; repeatable.",
)
@click.option(
    "--insecure", is_flag=True, help="Serve other machines without keys: a proxy asks for them."
)
@click.option("--root-path", default="", help="Prefix that a proxy takes off: /hoptrail.")
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1), help="Processes, 1 GB each."
)
@click.option(
    "--threads", type=click.IntRange(1), help="Questions at a time a process [default: its cores]."
)
@click.option(
    "--jobs",
    metavar="FOLDER",
    default="",
    help="Where uploads and their jobs are kept  [default: GRAPH.jobs, beside the graph].",
)
@click.option(
    "--browser",
    metavar="URL",
    default="",
    help="Neo4j Browser of the graph's server, which the page then links to.",
)
@click.pass_obj
def serve(
    settings: Settings,
    host: str,
    port: int,
    keys: str | None,
    new_key: str | None,
    allow_host: tuple[str, ...],
    insecure: bool,
    root_path: str,
    workers: int,
    threads: int | None,
    jobs: str,
    browser: str,
) -> None:
    """Serve the graph: a page at /, the API below /v1, MCP at /mcp.

    \b
    hoptrail serve                                       http://127.0.0.1:8321
    hoptrail serve --keys keys.txt --new-key laptop:read
    hoptrail serve --host 0.0.0.0 --keys keys.txt --allow-host hoptrail.example.org

    Encoder, parser and model are loaded before /ready says yes. SIGTERM and Ctrl-C end it: what is
    asked then is cancelled, and jobs go on at the next start. docs/service.md has the routes.
    """  # noqa: D301 - click wants the character, not its name
    from ..web import keys as keys_file
    from ..web.settings import Bounds, Serving, allowed_hosts, check_exposure, require

    if new_key:
        if not keys:
            raise click.UsageError("--new-key needs --keys FILE, to which it adds.")
        from pathlib import Path

        say(keys_file.add(Path(keys), new_key))
        note(f"Its hash is in {keys}. The key is shown this once.")
        return
    require("fastapi", "uvicorn", "mcp", "prometheus_client", "python_multipart")
    check_exposure(host, keys, insecure)
    from ..web.running import run

    hosts, bounds = allowed_hosts(host, allow_host), Bounds(threads=threads)
    run(Serving(settings, keys, hosts, jobs, browser, bounds), host, port, root_path, workers)


@click.command(short_help="Serve the graph to one assistant, by MCP over standard input.")
@click.pass_obj
def mcp(settings: Settings) -> None:
    """Speak the Model Context Protocol over standard input and output: ask, search, show, stats.

    An assistant starts this itself; docs/service.md has the lines for its settings. `hoptrail
    serve` offers the same at /mcp.
    """
    from ..web.settings import require

    require("fastapi", "uvicorn", "mcp", "prometheus_client")
    import asyncio

    from ..hoptrail import Hoptrail
    from ..web.logs import log
    from ..web.mcp import serve_stdio

    log()
    unnamed = settings.graph == DEFAULT_GRAPH  # may be yet to come, as for `serve`
    with Hoptrail.of(settings if unnamed else settings.existing()) as hop:
        asyncio.run(serve_stdio(hop))
