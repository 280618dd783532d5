"""The flags that name judges, and the panel that they make."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vivavoce.cli import files
from vivavoce.errors import ModelError
from vivavoce.judging.local import SCALE
from vivavoce.rubric.model import Module, Rubric
from vivavoce.strict import refuse

if TYPE_CHECKING:
    from vivavoce.judging.judge import Judge
    from vivavoce.judging.local.listener import Listen
    from vivavoce.judging.panel import Panel
    from vivavoce.models.chat import ChatModel

KINDS = "none, openai:MODEL, anthropic:MODEL, google:MODEL or recorded:FILE"
FORMS = f"local, {KINDS}, or MARKER=one of these"
LOCAL = "local"
SERVER = "a server that speaks the OpenAI protocol: openai:MODEL@http://localhost:8080/v1"
# An hour for one question; beyond any model's longest reply.
LONGEST_S, MOST_TOKENS = 3_600, 1_000_000


def add_arguments(parser: argparse.ArgumentParser, *, feedback: bool = True) -> None:
    """Add the flags of the model route to a command; `feedback` where it tells the student something."""
    default = "local, on this computer, for pronunciation and fluency" if feedback else "nobody is asked"
    group = parser.add_argument_group("judges", f"who judges what only listening can judge (default: {default})")
    group.add_argument(
        "--judge",
        metavar="[MARKER=]JUDGE" if feedback else "JUDGE",
        action="append",
        default=[],
        help=f"{FORMS if feedback else KINDS}; {SERVER}",
    )
    if feedback:
        group.add_argument(
            "--feedback",
            metavar="MODEL",
            help="a model that words the feedback, such as openai:MODEL (default: the built-in wording)",
        )
    group.add_argument("--judge-url", metavar="URL", help="address of the server for --judge openai:MODEL")
    group.add_argument("--key-file", metavar="FILE", type=Path, help="file with the provider's key in its first line")
    group.add_argument(
        "--judge-hears",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether the model takes sound (default: by its name)",
    )
    group.add_argument(
        "--samples",
        type=int,
        default=1,
        metavar="K",
        help=f"independent judgements; {'the median' if feedback else 'the majority of each check'} counts",
    )
    group.add_argument("--fresh", action="store_true", help="ask again, whatever was answered before")
    group.add_argument("--cache", metavar="DIR", type=Path, help="where accepted replies are kept")
    group.add_argument("--no-cache", action="store_true", help="keep no replies")
    group.add_argument("--prices", metavar="FILE", type=Path, help="JSON: what a million tokens cost, by model")
    group.add_argument("--judge-timeout", type=float, default=120.0, metavar="S", help="seconds for one question")
    group.add_argument("--judge-tokens", type=int, default=2000, metavar="N", help="longest reply in tokens")


def _named(arguments: argparse.Namespace, rubric: Rubric, module: Module) -> dict[str, str]:
    """Return the judge of each marker.

    One that is named without a marker is for all that have none of their own; the local judge where none is.
    """
    own: dict[str, str] = {}
    everyone: list[str] = []
    for text in arguments.judge:
        marker, equals, spec = text.partition("=")
        if equals and marker in rubric.markers:
            if marker in own:
                raise refuse("judge_repeated", f"--judge {marker}", "two judges", "one judge a marker")
            if all(rule.route == "code" for rule in module.rules[marker].values()):
                found = f"a judge for what code measures in {module.id}"
                raise refuse("marker_is_measured", f"--judge {marker}", found, "a marker that is judged, not measured")
            if spec == LOCAL and marker not in SCALE:
                allowed = "local for " + " or ".join(SCALE) + "; a person or a language model for what is said"
                raise refuse("judge_unfit", f"--judge {marker}", "local, which does not understand words", allowed)
            own[marker] = spec
        else:
            everyone.append(text)
    if len(everyone) > 1:
        raise refuse("judge_repeated", "--judge", ", ".join(everyone), "one judge for all, others with MARKER=")
    return dict.fromkeys(rubric.markers, everyone[0] if everyone else LOCAL) | own


def check_numbers(arguments: argparse.Namespace, highest: int) -> None:
    """Refuse numbers that no question could be asked with. Raises RequestError."""
    if not 1 <= arguments.samples <= highest:
        raise refuse("value_range", "--samples", str(arguments.samples), f"a whole number from 1 to {highest}")
    for flag, value, most in (
        ("--judge-timeout", arguments.judge_timeout, LONGEST_S),
        ("--judge-tokens", arguments.judge_tokens, MOST_TOKENS),
    ):
        if not 0 < value <= most:
            raise refuse("value_range", flag, str(value), f"a number above 0, {most} at most")


def panel_of(arguments: argparse.Namespace, rubric: Rubric, module: Module) -> Panel | None:
    """Return the panel that the flags name, or None where nobody is to be asked.

    Raises RequestError for a judge or a number that does not fit, ModelError for a model that cannot be opened.
    """
    check_numbers(arguments, rubric.judging.samples_highest)
    named = {
        marker: spec
        for marker, spec in _named(arguments, rubric, module).items()
        if spec != "none" and (spec != LOCAL or marker in SCALE)
    }
    if not named:
        return None
    from vivavoce.judging.panel import Panel

    judges = {spec: _judge(spec, arguments) for spec in dict.fromkeys(named.values())}
    return Panel({marker: judges[spec] for marker, spec in named.items()})


def _judge(spec: str, arguments: argparse.Namespace) -> Judge:
    if spec == LOCAL:
        from vivavoce.judging.local.judge import LocalJudge

        return LocalJudge()
    provider, colon, rest = spec.partition(":")
    if provider == "recorded" and colon:
        from vivavoce.judging.recorded import recorded_from_json

        return recorded_from_json(files.read_report(Path(rest)), f"recorded:{Path(rest).name}", f"{Path(rest).name} ")
    from vivavoce.models.spec import PROVIDERS

    if provider not in PROVIDERS or not rest:
        raise refuse("judge_unknown", "--judge", f'"{spec}"', FORMS)
    from vivavoce.judging.ask import ModelJudge
    from vivavoce.judging.cache import Cache, default_folder
    from vivavoce.judging.judge import AbsentJudge
    from vivavoce.judging.sampling import failure

    try:
        model = opened(spec, arguments)
    except ModelError as error:
        if error.code != "model_no_key":
            raise
        # Nothing else of the submission is lost for want of a key.
        return AbsentJudge(spec, failure(error))
    cache = None if arguments.no_cache else Cache(arguments.cache or default_folder())
    return ModelJudge(
        model,
        samples=arguments.samples,
        cache=cache,
        fresh=arguments.fresh,
        timeout_s=arguments.judge_timeout,
        max_output_tokens=arguments.judge_tokens,
        on_ask=say,
    )


def opened(spec: str, arguments: argparse.Namespace) -> ChatModel:
    """Return the model of that name, with the address, key and prices that the flags give. Raises ModelError."""
    from vivavoce.models import open_model, read_prices

    return open_model(
        spec,
        base_url=arguments.judge_url,
        key_file=arguments.key_file,
        hears=arguments.judge_hears,
        prices=None if arguments.prices is None else read_prices(arguments.prices),
    )


def words_by(arguments: argparse.Namespace) -> ChatModel | None:
    """Return the model that words the feedback, or None for the built-in wording.

    Raises ModelError where it cannot be opened: the built-in wording is one flag away.
    """
    return None if arguments.feedback in (None, "none") else opened(arguments.feedback, arguments)


def local_panel() -> Panel:
    """Return the panel of the local judge alone."""
    from vivavoce.judging.local.judge import LocalJudge
    from vivavoce.judging.panel import Panel

    return Panel(dict.fromkeys(SCALE, LocalJudge()))


def listener(weights: Path | None = None) -> Listen:
    """Return what listens to a recording; it tells on standard error when it begins, and where."""
    from vivavoce.judging.local.listener import Listener

    return Listener(weights, lambda: sys.stderr.write("listening to how the words sound, on this computer\n"))


def say(marker: str, sample: int, samples: int) -> None:
    """Tell on standard error what is being asked for."""
    of = f" ({sample} of {samples})" if samples > 1 else ""
    sys.stderr.write(f"asking for {marker}{of}\n")
