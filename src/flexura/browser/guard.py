"""Who may speak with a studio: its own pages, and no page of somebody else."""

import ipaddress
import logging
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

_TURN = threading.Lock()  # of those who begin to serve
_LOG = logging.getLogger("flexura.studio")
UNREADABLE = 1007  # what websockets call a message that is none


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def welcome(origin: str | None, asked: str | None, near: bool) -> bool:
    """Whether a request is of a page that was served here, or of no page at all.

    Args:
        origin: header of the page that asks; None for what is no browser.
        asked: host and port that it asks, by its header.
        near: whether it is served on a loopback address, which has no other names.
    """
    if origin is None:
        return True
    try:
        page = urlsplit(origin)
        return page.netloc == asked and (not near or is_loopback(page.hostname or ""))
    except ValueError:
        return False


@contextmanager
def guarded(host: str) -> Iterator[None]:
    """Let what begins to serve websockets meanwhile be guarded; viser has no setting for it.

    Raises:
        RuntimeError: if nothing was.
    """
    from websockets.asyncio import server

    near, plain, found = is_loopback(host), server.serve, []

    def serve(
        handler: Callable[[Any], Awaitable[None]],
        *args: Any,
        process_request: Callable[..., Any],
        **options: Any,
    ) -> Any:
        def checked(connection: Any, request: Any) -> Any:
            headers = request.headers
            if not welcome(headers.get("Origin"), headers.get("Host"), near):
                return connection.respond(HTTPStatus.FORBIDDEN, "not from this page\n")
            try:
                return process_request(connection, request)
            except OSError:  # a path that no file can have
                return connection.respond(HTTPStatus.NOT_FOUND, "no such page\n")

        found.append(checked)
        return plain(_patient(handler), *args, process_request=checked, **options)

    with _TURN:
        server.serve = serve  # type: ignore[assignment,misc]
        try:
            yield
        finally:
            server.serve = plain  # type: ignore[misc]
    if not found:
        raise RuntimeError("this release of viser cannot be guarded; install another one")


def _patient(handler: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    """A handler that ends a connection whose messages are none, and says so in a line."""

    async def handled(connection: Any) -> None:
        try:
            await handler(connection)
        except Exception as error:
            _LOG.warning("a page of the studio was left: %s", type(error).__name__)
            await connection.close(UNREADABLE, "not a message of the studio")

    return handled
