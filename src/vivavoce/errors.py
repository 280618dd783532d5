"""The one exception tree; command line, reports, API and pages show the same fields.

    VivavoceError           anything a user can mend
    ├── InputError          what was given does not fit (file, line, value)
    │   ├── AudioError      a recording that cannot be read
    │   ├── TranscriptError a transcript or reference that cannot be used
    │   └── RequestError    a request, task or judgement that breaks its contract
    ├── RubricError         an edition whose data is not sound
    └── MissingError        something must be installed or given first

A code is stable: programs may branch on it. It is lower case with underscores.
"""

from __future__ import annotations


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


class MissingError(VivavoceError):
    """Something must be installed or given first."""


def need(extra: str, module: str) -> MissingError:
    """Return the error for an optional package that is not installed."""
    return MissingError(
        "extra_missing",
        where=module,
        found=f"the Python package {module} is not installed",
        allowed=f"vivavoce with its extra '{extra}'",
        remedy=f"install it: pip install 'vivavoce[{extra}]' (or 'vivavoce[all]')",
    )
