"""The name of a model, `PROVIDER:MODEL` or `PROVIDER:MODEL@ADDRESS`, and what follows from its address."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from vivavoce.errors import ModelError

HOME = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
PROVIDERS = tuple(HOME)
_ALLOWED = "openai:MODEL, anthropic:MODEL or google:MODEL, with @http://HOST:PORT/v1 after it for another server"
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Spec:
    """A model's provider (whose protocol it speaks), its name there, and its address."""

    provider: str
    name: str
    base_url: str

    @property
    def text(self) -> str:
        """The spec as cards and caches cite it: with the address where that is not the provider's own."""
        own = f"{self.provider}:{self.name}"
        return own if self.at_home else f"{own}@{self.base_url}"

    @property
    def at_home(self) -> bool:
        """Whether this is the provider's own address."""
        return self.base_url == HOME[self.provider]

    @property
    def loopback(self) -> bool:
        """Whether the address is this machine."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    @property
    def encrypted(self) -> bool:
        """Whether what is sent is encrypted on its way."""
        return self.base_url.startswith("https://")


def unknown(where: str, found: str, allowed: str = _ALLOWED, remedy: str = "name the model as shown") -> ModelError:
    """Return the error for a spec that names no model."""
    return ModelError("model_unknown", where=where, found=found, allowed=allowed, remedy=remedy)


def _address(text: str, where: str) -> str:
    """Return an address without a slash at its end; it holds no password, question or fragment."""
    allowed = "http:// or https://, a host, a port and a path, nothing else"
    try:
        parts = urlsplit(text)
        whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        whole = False
    if not whole or not text.isascii() or not text.isprintable() or " " in text or len(text) > _LONGEST:
        raise unknown(where, "an address that cannot be used", allowed, "give the address of the server's API")
    if "@" in parts.netloc:
        remedy = "give the key in the environment or in a key file"
        raise unknown(where, "a name or password in the address", allowed, remedy)
    if parts.query or parts.fragment:
        raise unknown(where, "a ? or # in the address", allowed, "leave it out")
    return text.rstrip("/")


def parse_spec(text: str, base_url: str | None = None) -> Spec:
    """Return the provider, name and address of a spec; `base_url` is an address given apart.

    Raises `ModelError` (`model_unknown`); an address is not shown again, for it may hold a password.
    """
    provider, colon, rest = text.partition(":")
    shown = provider[:40] if provider.isprintable() else "the model"
    if not colon or provider not in PROVIDERS:
        known = provider in PROVIDERS
        raise unknown("the model", f'"{shown}"' + (" without a model" if known else ""))
    cut = max(rest.rfind("@http://"), rest.rfind("@https://"))
    name, address = (rest, None) if cut < 0 else (rest[:cut], rest[cut + 1 :])
    where = f"the model {provider}:"
    if "://" in name:
        # Whatever was meant for another server must not go to the provider's own.
        raise unknown(where, "an address that cannot be used", "http:// or https:// after the @")
    if not name or not name.isprintable() or name != name.strip() or len(name) > _LONGEST:
        raise unknown(where, "no name of a model")
    if address is not None and base_url is not None:
        raise unknown(where, "two addresses", "one address", "give it after the name or apart, not both")
    given = address if address is not None else base_url
    return Spec(provider, name, HOME[provider] if given is None else _address(given, where))
