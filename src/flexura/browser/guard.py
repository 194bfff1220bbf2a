"""Who may speak with a studio: its own pages, and no page of somebody else."""

import ipaddress
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

_TURN = threading.Lock()  # of those who begin to serve


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

    def serve(*args: Any, process_request: Callable[..., Any], **options: Any) -> Any:
        def checked(connection: Any, request: Any) -> Any:
            headers = request.headers
            if not welcome(headers.get("Origin"), headers.get("Host"), near):
                return connection.respond(HTTPStatus.FORBIDDEN, "not from this page\n")
            try:
                return process_request(connection, request)
            except OSError:  # a path that no file can have
                return connection.respond(HTTPStatus.NOT_FOUND, "no such page\n")

        found.append(checked)
        return plain(*args, process_request=checked, **options)

    with _TURN:
        server.serve = serve  # type: ignore[assignment,misc]
        try:
            yield
        finally:
            server.serve = plain  # type: ignore[misc]
    if not found:
        raise RuntimeError("this release of viser cannot be guarded; install another one")
