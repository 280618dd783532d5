"""How many full Score Lab requests, with traces, one core answers in a second.

    python bench/lab.py [--requests 5000] [--runs 5] [--seed 1]

Goes through the function that `vivavoce lab` calls, from the bytes of a line to the text of its answer; reading and
writing files is left out. Requests are full (all five markers), of all modules and grade bands, with a fixed seed.
Nothing is asserted: the aim stated in the issue is 1,000 a second.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import time
from typing import Any

from vivavoce.rubric.load import published
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.request import answer_lines


def _adherence(rng: random.Random, module: Module) -> dict[str, Any]:
    rule = module.rules["task_adherence"]["middle"]
    if rule.rule == "alignment":
        reference = rng.randint(18, 250)
        trailing = rng.randint(0, reference // 5)
        matched = rng.randint((reference - trailing) * 3 // 4, reference - trailing)
        return {
            "reference_words": reference,
            "trailing_omissions": trailing,
            "matched": matched,
            "insertions": rng.randint(0, 9),
        }
    if rule.rule == "keywords_and_story":
        required = rng.randint(3, 10)
        return {
            "keywords_required": required,
            "keywords_present": rng.randint(0, required),
            "story": rng.randint(0, 100),
        }
    result: dict[str, Any] = {"score": rng.randint(0, 100)}
    fired = [name for name in rule.named_caps or {} if rng.random() < 0.2]
    if rule.rule == "checklist_with_guardrails":
        result |= {"specific_detail": rng.random() < 0.8, "guardrails": fired}
    if rule.rule == "checklist_with_order_rules":
        result |= {"broken_order_rules": fired}
    return result


def full_request(rng: random.Random, rubric: Rubric) -> bytes:
    """Return one line: measurements with the decimals that A2 gives them, at values that move every step."""
    module = rng.choice(list(rubric.modules.values()))
    inputs = {
        "pronunciation": {"score": rng.randint(0, 100)},
        "fluency": {"score": rng.randint(0, 100)},
        "speaking_rate": {
            "words_per_minute": round(rng.uniform(60, 240), 1),
            "pace_variation": round(rng.uniform(0, 0.6), 3),
            "choppy_breaks_per_minute": round(rng.uniform(0, 16), 2),
            "hesitations_per_minute": round(rng.uniform(0, 10), 2),
            "speech_seconds": round(rng.uniform(8, 120), 2),
            "pace_rises": rng.random() < 0.5,
        },
        "volume_control": {
            "level_db": round(rng.uniform(34, 86), 2),
            "consistency_db": round(rng.uniform(2, 17), 2),
            "fade_db": round(rng.uniform(-2, 6), 2),
        },
        "task_adherence": _adherence(rng, module),
    }
    data = {"module": module.id, "grade_band": rng.choice(list(rubric.grade_bands)), "inputs": inputs}
    return json.dumps(data).encode("ascii")


def main() -> None:
    """Time the runs and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rubric = published()
    rng = random.Random(arguments.seed)
    lines = [full_request(rng, rubric) for _ in range(arguments.requests)]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, seed {arguments.seed}")
    print(f"{'run':>6}{'requests':>10}{'bytes out':>12}{'CPU s':>9}{'wall s':>9}{'per CPU s':>11}{'per wall s':>12}")
    rates = []
    for run in range(1, arguments.runs + 1):
        cpu, wall = time.process_time(), time.perf_counter()
        size = sum(len(answer) for answer in answer_lines(rubric, lines))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        rates.append(len(lines) / cpu)
        print(f"{run:>6}{len(lines):>10}{size:>12}{cpu:>9.2f}{wall:>9.2f}{rates[-1]:>11.0f}{len(lines) / wall:>12.0f}")
    print(f"median {statistics.median(rates):.0f}, lowest {min(rates):.0f} requests a CPU second")


if __name__ == "__main__":
    main()
