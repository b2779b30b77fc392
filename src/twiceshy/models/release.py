"""Ask a package index which version is the newest: one question, in time, over no proxy but the user's own.

Without an address the question is pip's: it knows the index that the user installs from.

Nothing is sent but the question. No redirect is followed, and the answer is read as far as a page of
an index is ever long; what it says is taken for a version or for nothing.
"""

from __future__ import annotations

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.release import numbers

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.request import OpenerDirector

TIMEOUT_S = 5.0
_NAME = "twiceshy"
_MOST = 8 << 20  # bytes; the page of a package with a thousand releases has four million


class ReleaseError(TwiceshyError):
    """No index told which version is the newest."""


def newest(address: str, *, timeout: float = TIMEOUT_S) -> str:
    """Return the newest released version that an index names; nothing if it names none."""
    import threading  # noqa: PLC0415 - whoever does not ask needs none of it

    answers: list[bytes | Exception] = []

    def ask() -> None:
        try:
            answers.append(_asked(address, timeout))
        except Exception as error:  # noqa: BLE001 - raised again below, by whoever waits
            answers.append(error)

    # a socket's own timeout begins anew with each byte; a thread that is not waited for ends with us
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(timeout)
    answer = answers[0] if answers else TimeoutError()
    if isinstance(answer, TimeoutError) or isinstance(_reason(answer), TimeoutError):
        raise ReleaseError(f"the index did not answer within {timeout:g} s")
    if isinstance(answer, Exception):
        raise ReleaseError(f"the index cannot be asked: {type(answer).__name__}") from None
    return version_in(answer)


def _reason(answer: object) -> object:
    """Return what a failure was caused by; what answers has no reason."""
    return getattr(answer, "reason", None)


def newest_by_pip(*, timeout: float = 4 * TIMEOUT_S) -> str:
    """Return the newest released version on the index that this environment's pip is set up for."""
    import subprocess  # noqa: PLC0415 - the same
    import sys  # noqa: PLC0415 - the same

    words = ("pip", "index", "versions", _NAME, "--disable-pip-version-check", "--no-input")
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-m", *words],
            capture_output=True,
            timeout=timeout,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ReleaseError(f"pip cannot be asked: {type(error).__name__}") from None
    return version_of_pip(done.stdout[:_MOST].decode("utf-8", "replace"))


def version_of_pip(printed: str) -> str:
    """Return the version that pip names first: ``twiceshy (1.2.3)``."""
    name, _, rest = printed.partition(" (")
    version = rest.partition(")")[0]
    return version if name == _NAME and numbers(version) else ""


def version_in(page: bytes) -> str:
    """Return the version that a page of an index names as the newest."""
    import json  # noqa: PLC0415 - the same

    try:
        found = json.loads(page)
    except (ValueError, RecursionError):
        raise ReleaseError("the index answered with something else than JSON") from None
    about = found.get("info") if isinstance(found, dict) else None
    version = about.get("version") if isinstance(about, dict) else None
    return version if isinstance(version, str) and numbers(version) else ""


def _asked(address: str, timeout: float) -> bytes:
    from urllib.error import HTTPError  # noqa: PLC0415 - the same
    from urllib.request import Request, getproxies_environment  # noqa: PLC0415 - the same

    request = Request(address, headers={"Accept": "application/json", "User-Agent": "twiceshy"})  # noqa: S310 - only http and https are opened
    try:
        with _opener(getproxies_environment()).open(request, timeout=timeout) as response:
            page: bytes = response.read(_MOST + 1)
    except HTTPError as error:
        error.close()  # it holds the line
        raise
    if len(page) > _MOST:
        raise ValueError("too long")
    return page


def _opener(proxies: Mapping[str, str]) -> OpenerDirector:
    """Return what opens web addresses and nothing else: no files, no redirects."""
    import urllib.request as web  # noqa: PLC0415 - the same

    opener = web.OpenerDirector()
    for part in (
        web.ProxyHandler(dict(proxies)),
        web.UnknownHandler(),
        web.HTTPHandler(),
        web.HTTPSHandler(),
        web.HTTPDefaultErrorHandler(),
        web.HTTPErrorProcessor(),
    ):
        opener.add_handler(part)
    return opener
