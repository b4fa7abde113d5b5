"""The `hoptrail` program: listens for Ctrl-C before anything that takes time is imported."""

import sys

from ..console.interrupting import done, leave, listen


def main() -> None:
    """Run the command line and end with its exit status."""
    listen()
    try:
        from .app import main as run

        run()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except KeyboardInterrupt:  # while a message was being printed
        leave()
    done(status)
    sys.exit(status)
