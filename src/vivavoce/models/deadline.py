"""One deadline over everything that a call does: name look-up, connection, every byte of the answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
# What a cancelled call may take to close its connections.
_GRACE_S = 1.0


def run_within(seconds: float, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return what the coroutine returns; raises `TimeoutError` when `seconds` have passed before that.

    A read timeout bounds one read only, and a server that sends a byte a second never meets it. The coroutine runs
    in a thread of its own, so that this works inside a running event loop too, and so that a look-up stuck in the
    system's resolver, which cannot be cancelled, does not hold the caller.
    """
    result: Future[T] = Future()

    async def bounded() -> T:
        async with asyncio.timeout(seconds):
            return await start()

    def work() -> None:
        try:
            result.set_result(asyncio.run(bounded()))
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread, which raises it
            result.set_exception(error)

    threading.Thread(target=work, name="vivavoce-model", daemon=True).start()
    return result.result(seconds + _GRACE_S)
