"""Secrets in environment variables, by variable name."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.randomness import is_plain_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_SHORTEST = 8  # shorter values occur in ordinary text, and redacting them would shred it

_SECRET = frozenset(
    """APIKEY AUTH BEARER COOKIE CREDENTIAL CREDENTIALS CREDS DSN JWT KEY KEYS PASS PASSPHRASE PASSWD
    PASSWORD PASSWORDS PAT PSK PWD SECRET SECRETS TOKEN TOKENS""".split()
)
_ENDINGS = tuple("PASSWORD PASSWD PASSPHRASE SECRET TOKEN APIKEY ACCESSKEY PRIVATEKEY".split())
# The last word of a name that is about a secret and holds none.
_ABOUT = frozenset(
    """ALG ALGORITHM ASKPASS BACKEND COUNT DIR DOMAIN ENABLED ENDPOINT EXPIRY FILE FINGERPRINT FORMAT
    HEADER HOST ID ISSUER LENGTH LIMIT METHOD MODE NAME PATH PORT PREFIX PROVIDER REALM REGION SCOPE
    SIZE SOCK TIMEOUT TTL TYPE URI URL USER USERNAME VERSION""".split()
)
_WORDS = r"[A-Z]?[a-z0-9]+|[A-Z0-9]+"
_PERSONAL = ("USER", "LOGNAME", "USERNAME", "HOME", "HOSTNAME", "PWD", "OLDPWD", "SHELL")
_HARMLESS = (
    r"[~.]{0,2}/\S*$|[A-Za-z]:[\\/]|(?:unix|file):|[-+.\d,:]+$|[a-z][a-z0-9+.-]*://[^@\s]*$"
)


def list_secret_values(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the secret values, longest first."""
    personal = {environ[name] for name in _PERSONAL if name in environ}
    values = {
        value
        for name, value in environ.items()
        if _is_secret_name(name) and not _is_ordinary_value(name, value)
    }
    return tuple(sorted(values - personal, key=lambda value: (-len(value), value)))


def _is_secret_name(name: str) -> bool:
    """True if a variable's name indicates a secret."""
    words = [word.upper() for word in compile_pattern(_WORDS).findall(name)]
    if not words or words[-1] in _ABOUT or name in ("PWD", "OLDPWD"):
        return False
    return any(word in _SECRET or word.endswith(_ENDINGS) for word in words)


def _is_ordinary_value(name: str, value: str) -> bool:
    """True if a value is ordinary text: a path, a number, a word."""
    if len(value.strip()) < _SHORTEST or compile_pattern(_HARMLESS).match(value):
        return True
    return (
        is_plain_word(value) and "PASS" not in name.upper()
    )  # only passwords make do with one word
