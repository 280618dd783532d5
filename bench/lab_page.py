"""How long a move of a slider takes on the Score Lab's page: engine, arithmetic shown, HTML.

    python bench/lab_page.py [--moves 60] [--seed 1]

Three medians: processor time of the engine with its traces alone; processor time of the answer to one move; time on
the clock until the answer has come over loopback, which grows with whatever else the machine does. All eight modules
by turns, one input changed each time, with a fixed seed. Nothing is asserted: the aim of the issue is under 50 ms.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import socket
import statistics
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qsl

import uvicorn
from starlette.requests import Request

from vivavoce.rubric.load import published
from vivavoce.scoring.request import score_request, scored_json
from vivavoce.web.app import create_app
from vivavoce.web.lab.routes import lab
from vivavoce.web.lab.state import link, of_example, read, request_of
from vivavoce.web.serving import open_store


def moves(count: int, seed: int) -> list[str]:
    """Links of states that differ from an example in one input each."""
    rng, rubric = random.Random(seed), published()
    examples = [link(rubric, of_example(rubric, module)) for module in rubric.modules]
    return [f"{examples[n % len(examples)]}&words_per_minute={rng.randint(600, 2300) / 10}" for n in range(count)]


def engine(address: str) -> float:
    """Processor seconds for the scores and traces of a state, without any page."""
    rubric = published()
    request = request_of(rubric, read(rubric, parse_qsl(address.partition("?")[2]))[0])
    start = time.thread_time()
    scored_json(score_request(rubric, request))
    return time.thread_time() - start


def route(address: str) -> float:
    """Processor seconds for the part of the page that a move renews."""
    path, _, query = address.partition("?")
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "scheme": "http"}
    request = Request({**scope, "server": ("localhost", 80), "headers": [(b"hx-request", b"true")]})
    start = time.thread_time()
    lab(request)
    return time.thread_time() - start


def loopback(connection: http.client.HTTPConnection, address: str) -> float:
    """Seconds until the whole answer has come over loopback."""
    start = time.perf_counter()
    connection.request("GET", address, headers={"HX-Request": "true"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    addresses = moves(arguments.moves, arguments.seed)
    with tempfile.TemporaryDirectory() as folder, closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(create_app(*open_store(Path(folder))), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        with closing(http.client.HTTPConnection("127.0.0.1", listening.getsockname()[1])) as connection:
            for address in addresses[:8]:
                loopback(connection, address)
            rows = [(engine(a), route(a), loopback(connection, a)) for a in addresses]
        server.should_exit = True
        thread.join(10)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, column in zip(("engine", "route", "loopback"), zip(*rows, strict=True), strict=True):
        times = sorted(second * 1000 for second in column)
        print(f"{name:9} median {statistics.median(times):6.1f} ms, slowest of {len(times)} {times[-1]:6.1f} ms")


if __name__ == "__main__":
    main()
