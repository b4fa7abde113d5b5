"""Whether a file computes here: tried in a child, since llama.cpp ends the process where not.

A build may use instructions that the host does not allow, AMX above all: then the first decode of
quantised weights that were repacked for them is the end.
"""

import contextlib
import json
import os
import platform
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

from ...kg.errors import BadRequest, ModelMissing
from ..cache import Responses, default_responses
from .context import Context, Setup
from .file import check_file, content_hash
from .header import Header
from .vocabulary import library

_PLAIN = frozenset({0, 1, 30})  # ggml's F32, F16, BF16: nothing of them is repacked for a processor
_OUTSIDE = ("SIGHUP", "SIGINT", "SIGTERM", "SIGPIPE", "SIGALRM")
_NO_MEMORY = "SIGKILL"
_START = "from hoptrail.models.llama.trial import run; run()"
_REBUILD = (
    'CMAKE_ARGS="-DGGML_NATIVE=off" pip install --force-reinstall --no-cache-dir llama-cpp-python'
)


def repacks(setup: Setup) -> bool:
    """Tell whether a file can be loaded with repacked weights, as far as `setup` wants them.

    Its first decode is tried in a child process, without them where it dies with them. What came
    out is remembered for this file, build and machine.

    Raises:
        ModelMissing: it dies either way, or something outside ended the trial.
    """
    check_file(Path(setup.path))
    if not sys.executable or not _quantised(Path(setup.path)):
        return setup.repack
    key = _key(setup)
    known = _remembered(lambda responses: responses.get(key))
    if isinstance(known, bool):
        return known
    deaths: list[str] = []
    for repack in (True, False) if setup.repack else (False,):
        code = _end(replace(setup, repack=repack))
        if death := _death(code):
            deaths.append(death)
            continue
        _tell(setup, deaths)
        if code == 0 and _NO_MEMORY not in deaths:
            _remembered(lambda responses: responses.put(key, repack))  # noqa: B023 - called here
        return repack
    raise ModelMissing(
        f"llama.cpp ends the process ({' and '.join(dict.fromkeys(deaths))}) when it computes "
        f"{setup.path}: the installed build does not suit this machine, or its memory does not "
        f"hold the file. Build it without instructions of its own choice: {_REBUILD}"
    )


def run() -> None:
    """Decode a block and a token with the setup that the command line holds, in the child."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no dump of gigabytes
    setup = Setup(**json.loads(sys.argv[-1]))
    block = setup.block or (512 if library().llama_supports_gpu_offload() else 32)
    context = Context(replace(setup, length=block + 1))
    context.read([0] * (context.length - 1))
    context.extend(0)


def _end(setup: Setup) -> int:
    """Run a trial in a child, and give its exit status, negative for a signal.

    Raises:
        ModelMissing: something outside ended it.
    """
    command = [sys.executable, "-c", _START, json.dumps(asdict(setup))]
    places = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": places, "GGML_NO_BACKTRACE": "1"}
    code = subprocess.run(command, env=environment, capture_output=True, check=False).returncode
    if _death(code) in _OUTSIDE:
        raise ModelMissing(f"A trial of {setup.path} was ended by {_death(code)}. Ask again.")
    return code


def _death(code: int) -> str:
    """Name what ended a child: a signal, or Windows' status; "" where it came to its own end.

    An error that Python could tell is an end of its own: loading the file here tells it again.
    """
    if code >= 0:
        return f"status {code:#x}" if code >= 1 << 30 else ""
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _remembered(use: Callable[[Responses], object]) -> object:
    """What a use of the cache gives; None where there is none, or it can't be used."""
    with contextlib.suppress(BadRequest):
        if responses := default_responses():
            with contextlib.closing(responses):
                return use(responses)
    return None


def _tell(setup: Setup, deaths: Sequence[str]) -> None:
    if deaths:
        warnings.warn(
            f"llama.cpp ended a trial of {setup.path} ({deaths[0]}): its build does not suit this "
            "machine. The file is loaded without repacked weights, which is slower. To rebuild: "
            f"{_REBUILD}",
            stacklevel=2,
        )


def _quantised(path: Path) -> bool:
    return any(tensor.type not in _PLAIN for tensor in Header(path).tensors)


def _key(setup: Setup) -> str:
    """What a trial's outcome depends on: file, build, machine, and what is asked for."""
    lib = library()
    folder = Path(lib.__file__ or "").parent / "lib"
    build = [(f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in sorted(folder.glob("*"))]
    system = platform.uname()
    machine = [system.system, system.release, system.version, system.machine, _processor()]
    layers = min(setup.gpu_layers, 1)  # all, none or some on the GPU
    wanted = [setup.repack, layers, setup.block, setup.flash_attention]
    whole = [lib.__version__, build, machine, content_hash(Path(setup.path)), wanted]
    return f"trial {sha256(json.dumps(whole).encode()).hexdigest()}"


def _processor() -> str:
    """The processor's model and what it can do, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor()
    return "\n".join(line for line in lines if line.startswith(("model name", "flags", "Features")))
