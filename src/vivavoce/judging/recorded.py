"""A judge that replays replies which were received before: an audit, a study, a test without a network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vivavoce.judging.ask import settle
from vivavoce.judging.judge import Brief, Reply, Verdict, refused, reply_from_dict
from vivavoce.judging.local.judge import verdict_of
from vivavoce.judging.local.reply import is_listening
from vivavoce.judging.sampling import read_replies
from vivavoce.notice import Notice
from vivavoce.strict import refuse, shown


class RecordedJudge:
    """Replays raw replies through the contract of today: what fits counts, what does not is refused as it was live.

    Parameters: `spec` its name (`recorded:FILE`); `replies` raw replies by marker, in the order they came.
    """

    def __init__(self, spec: str, replies: Mapping[str, tuple[Reply, ...]]) -> None:
        self.spec = spec
        self._replies = replies

    def judge(self, brief: Brief) -> Verdict:
        """Return the verdict that the recorded replies give."""
        replies = self._replies.get(brief.marker, ())
        if not replies:
            reason = Notice(
                "judge_no_reply", f"no reply on {brief.marker} is recorded", "ask a judge, or let a person judge"
            )
            return refused(brief.marker, self.spec, "pending", reason)
        if is_listening(replies[0].raw):
            return verdict_of(brief, self.spec, replies[0])
        contract = brief.contract()
        facts = brief.material.facts(brief.rubric, brief.module, brief.grade_band)
        numbers = sorted({reply.sample for reply in replies})

        def read(raw: str) -> Any:
            return contract.read(raw, facts)

        samples = [read_replies([r for r in replies if r.sample == number], read) for number in numbers]
        return settle(brief, self.spec, contract, "", samples, len(samples))


def recorded_from_json(data: Any, spec: str, where: str) -> RecordedJudge:
    """Return the judge that replays a file.

    Parameters: `data` a report with judgements, or an object from marker to a list of raw replies (texts).
    Raises RequestError where it is neither.
    """
    if isinstance(data, Mapping) and "markers" in data and "schema" in data:
        replies = _of_report(data["markers"], f"{where}/markers")
    elif isinstance(data, Mapping):
        replies = {str(name): _raw(rows, f"{where}/{name}") for name, rows in data.items()}
    else:
        raise refuse("request_shape", where, shown(data), "a report, or an object from marker to a list of replies")
    return RecordedJudge(spec, replies)


def _of_report(markers: Any, where: str) -> dict[str, tuple[Reply, ...]]:
    """The replies of a report's markers, of the machine where a person's value counts; one not judged has none."""
    found = {}
    for name, marker in markers.items() if isinstance(markers, Mapping) else ():
        judgement = marker.get("judgement") if isinstance(marker, Mapping) else None
        rows = judgement.get("replies") if isinstance(judgement, Mapping) else []
        machine = marker.get("machine") if isinstance(marker, Mapping) else None
        earlier = machine.get("judgement") if isinstance(machine, Mapping) else None
        if not rows and isinstance(earlier, Mapping):
            rows = earlier.get("replies")
        if not isinstance(rows, list):
            raise refuse("request_shape", f"{where}/{name}/judgement/replies", shown(rows), "a list of replies")
        found[str(name)] = tuple(replace(reply_from_dict(row), cached=True) for row in rows)
    if not found:
        raise refuse("request_shape", where, shown(markers), "the markers of a report")
    return found


def _raw(rows: Any, where: str) -> tuple[Reply, ...]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) for row in rows):
        raise refuse("request_shape", where, shown(rows), "a list of raw replies, each a text")
    return tuple(Reply(raw=row, accepted=False) for row in rows)
