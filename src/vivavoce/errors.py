"""The one exception tree; command line, reports, API and pages show the same fields.

    VivavoceError           anything a user can mend
    ├── InputError          what was given does not fit (file, line, value)
    │   ├── AudioError      a recording that cannot be read
    │   ├── TranscriptError a transcript or reference that cannot be used
    │   └── RequestError    a request, task or judgement that breaks its contract
    ├── RubricError         an edition whose data is not sound
    ├── ModelError          a language model that could not be asked, or gave no usable answer
    └── MissingError        something must be installed or given first

A code is stable: programs may branch on it. It is lower case with underscores.
"""

from __future__ import annotations

from decimal import Decimal


class VivavoceError(Exception):
    """An error that says where it is, what was found, what is allowed, and what to do.

    Parameters: `code` stable identifier; `where` file, line and JSON pointer; `found` what was met;
    `allowed` what would have been accepted; `remedy` the next step for the user.
    """

    def __init__(self, code: str, *, where: str, found: str, allowed: str, remedy: str) -> None:
        super().__init__(f"{code} at {where}: found {found}; allowed: {allowed}; {remedy}")
        self.code = code
        self.where = where
        self.found = found
        self.allowed = allowed
        self.remedy = remedy

    def as_dict(self) -> dict[str, str]:
        """Return the five fields as every surface shows them."""
        return {
            "code": self.code,
            "where": self.where,
            "found": self.found,
            "allowed": self.allowed,
            "remedy": self.remedy,
        }

    def at(self, prefix: str) -> VivavoceError:
        """Return the same error with `prefix` put before its place, for a caller that knows the file or line."""
        place = f"{prefix} {self.where}".strip()
        return type(self)(self.code, where=place, found=self.found, allowed=self.allowed, remedy=self.remedy)


class InputError(VivavoceError):
    """What was given does not fit."""


class AudioError(InputError):
    """A recording that cannot be read."""


class TranscriptError(InputError):
    """A transcript or a reference text that cannot be used."""


class RequestError(InputError):
    """A request, a task or a judgement that breaks its contract."""


class RubricError(VivavoceError):
    """A rubric edition whose data is not sound."""


class ModelError(VivavoceError):
    """A language model that could not be asked, or that gave no usable answer.

    Codes: `model_unknown`, `model_no_key`, `model_key_refused`, `model_no_server`, `model_timeout`,
    `model_rate_limited`, `model_server_error`, `model_refused`, `model_cut_off`, `model_reply_unusable`.
    `raw` is what the model did say (a refusal, half an answer; empty when nothing came), and the tokens and cost
    are what was paid for it all the same (None where the server does not tell or no price was given).
    """

    def __init__(
        self,
        code: str,
        *,
        where: str,
        found: str,
        allowed: str,
        remedy: str,
        raw: str = "",
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cost: Decimal | None = None,
    ) -> None:
        super().__init__(code, where=where, found=found, allowed=allowed, remedy=remedy)
        self.raw = raw
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens
        self.cost = cost

    def at(self, prefix: str) -> ModelError:
        """Return the same error with `prefix` put before its place, and with what was said and paid."""
        return ModelError(
            self.code,
            where=f"{prefix} {self.where}".strip(),
            found=self.found,
            allowed=self.allowed,
            remedy=self.remedy,
            raw=self.raw,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cost=self.cost,
        )


# Extras that `vivavoce[all]` does not have.
APART = ("anthropic", "google")


class MissingError(VivavoceError):
    """Something must be installed or given first."""


def need(extra: str, module: str) -> MissingError:
    """Return the error for an optional package that is not installed."""
    everything = "" if extra in APART else " (or 'vivavoce[all]')"
    return MissingError(
        "extra_missing",
        where=module,
        found=f"the Python package {module} is not installed",
        allowed=f"vivavoce with its extra '{extra}'",
        remedy=f"install it: pip install 'vivavoce[{extra}]'{everything}",
    )
