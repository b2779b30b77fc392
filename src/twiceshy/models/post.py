"""One HTTP question with a deadline; no redirects, no retries.

Errors name host and status, never the content sent or received, which may be a note.
"""

import contextlib

from twiceshy.core.errors import ConfigError, EmbedderError
from twiceshy.core.jsontext import write_json
from twiceshy.core.value import Value

_MOST = 64 << 20  # bytes of an answer
_HINTS = {
    401: "is the key right? it comes from TWICESHY_EMBED_KEY, or OPENAI_API_KEY",
    403: "may the key be used for this model?",
    404: "check embed.url and embed.model; Ollama needs the model pulled before",
    429: "too many calls, or the account is empty",
}
_MOVED = "redirects are not followed; set embed.url to where it really answers"


class Endpoint(Value):
    """A parsed address without secrets."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def display_name(self) -> str:
        """Return the host, with an unusual port."""
        usual = 443 if self.secure else 80
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == usual else f"{host}:{self.port}"

    @property
    def is_local(self) -> bool:
        """True if the endpoint is on this machine."""
        octets = self.host.split(".")
        numbers = len(octets) == 4 and all(part.isdecimal() for part in octets)
        return self.host in ("localhost", "::1") or (numbers and octets[0] == "127")


def parse_endpoint(address: str, *, root: str, path: str) -> Endpoint:
    """Parse an address; without a path, use the usual ``root``."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - only embedders on the network need it

    wrong = ConfigError("embed.url is no address", hint="such as http://127.0.0.1:11434")
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise wrong from None
    if not host or not host.isascii() or parts.scheme not in ("http", "https"):
        raise wrong
    if parts.username or parts.password:
        raise ConfigError(
            "embed.url holds a password", hint="put it into TWICESHY_EMBED_KEY instead"
        )
    secure = parts.scheme == "https"
    query = f"?{parts.query}" if parts.query else ""
    return Endpoint(
        secure,
        host,
        port or (443 if secure else 80),
        (parts.path.rstrip("/") or root) + path + query,
    )


def check_endpoint(key: str, place: Endpoint, *, setting: str, variable: str) -> None:
    """Refuse a key that is none, and a place to which notes or a key would travel unencrypted."""
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(
            f"{variable} holds characters that no key has", hint="set it again, or unset it"
        )
    if not (place.secure or place.is_local):
        raise ConfigError(
            f"what is sent would travel to {place.display_name} unencrypted",
            hint=f"set {setting} to an https:// address, or to a tunnel on this machine: ssh -L",
        )


def post_json(place: Endpoint, body: object, *, key: str, timeout: float) -> bytes:
    """Send a body and return the answer; connecting and answering have ``timeout`` seconds each."""
    import http.client  # noqa: PLC0415 - only embedders on the network need it

    try:
        status, answer = post_with_deadline(place, body, key=key, timeout=timeout)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise _connection_error(place, error, timeout) from None
    if status != 200:
        hint = _MOVED if 300 <= status < 400 else _HINTS.get(status, "")
        raise EmbedderError(f"the embedder at {place.display_name} answered {status}", hint=hint)
    if len(answer) > _MOST:
        raise EmbedderError(f"the embedder at {place.display_name} answered without end")
    return answer


def _connection_error(place: Endpoint, error: Exception, timeout: float) -> EmbedderError:
    what, hint = "cannot be reached", "is it running? check embed.url"
    if isinstance(error, TimeoutError):
        what = f"did not answer within {timeout:g} s"
    elif type(error).__name__ == "SSLCertVerificationError":  # ssl may not even be loaded
        what, hint = "has no certificate that this machine trusts", "SSL_CERT_FILE can name one"
    return EmbedderError(f"the embedder at {place.display_name} {what}", hint=hint)


def post_with_deadline(
    place: Endpoint, body: object, *, key: str, timeout: float
) -> tuple[int, bytes]:
    """Ask with an overall deadline: a socket timeout restarts with each byte."""
    import http.client  # noqa: PLC0415 - only models on the network need it
    import socket  # noqa: PLC0415 - only models on the network need it
    import threading  # noqa: PLC0415 - only models on the network need it

    kind = http.client.HTTPSConnection if place.secure else http.client.HTTPConnection
    connection = kind(place.host, place.port, timeout=timeout)
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    sent = write_json(body).encode("utf-8", "replace")
    with contextlib.closing(connection):
        connection.connect()
        line = connection.sock  # the connection forgets it while an answer without length is read
        over = threading.Event()

        def hang_up() -> None:
            over.set()
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

        watch = threading.Timer(timeout, hang_up)
        watch.daemon = True
        watch.start()
        try:
            connection.request("POST", place.path, sent, headers)
            response = connection.getresponse()
            answer = response.status, response.read(_MOST + 1)
        except Exception:
            if over.is_set():
                raise TimeoutError from None
            raise
        finally:
            watch.cancel()
        if over.is_set():  # half an answer is read without complaint
            raise TimeoutError
        return answer
