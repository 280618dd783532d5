"""Read a plain form: text fields only, of a size that a person can type."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

from vivavoce.errors import RequestError

MOST_BYTES, MOST_FIELDS = 200_000, 400


def _refused(found: str, allowed: str) -> RequestError:
    remedy = "go back and send the page's own form"
    return RequestError("form_refused", where="the form", found=found, allowed=allowed, remedy=remedy)


async def posted(request: Request) -> dict[str, str]:
    """Return the fields of a form that was sent, the first value of each name. Raises RequestError `form_refused`."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise _refused(kind[:60] or "no type", "application/x-www-form-urlencoded")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise _refused(f"more than {MOST_BYTES} bytes", f"at most {MOST_BYTES} bytes")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError as error:
        raise _refused("fields that cannot be read", f"at most {MOST_FIELDS} fields in UTF-8") from error
    fields: dict[str, str] = {}
    for name, value in pairs:
        fields.setdefault(name, value.replace("\0", ""))
    return fields
