"""Names of secrets in texts and environment variables: password, api_key, FOO_TOKEN, 密码."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.quick_check import COMMON_VALUES
from twiceshy.safety.redact.values import is_plain_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

# Behind these people write what they chose themselves; behind the others stands something drawn.
CHOSEN = ("password", "passwd", "passphrase", "passcode", "passwort", "_pass", "-pass", "requirepass", "masterauth", "sshpass", "pwd", "pw", "пароль", "パスワード", "密码", "密碼", "口令")  # fmt: skip
DRAWN = ("secret", "token", "key", "salt", "auth", "credentials", "credential", "pass", "dsn", "psk", "密钥", "密鑰", "令牌", "凭证")  # fmt: skip
# These are parts of other words, as in compass and oauth.
_WHOLE = frozenset(("pwd", "pw", "pass", "auth", "dsn", "psk", "salt"))
# What a key is for when it opens something, and when it only finds something.
_OPENS = frozenset(
    """access account activation admin api app application auth client consumer deploy encryption
    hmac ingest ingestion integration jwt licence license master personal preshared private secret
    service session shared sign signing ssh storage subscription webhook write""".split()
)
_FINDS = frozenset(
    """any arrow bucket business cache candidate click column composite config context cursor data
    dedup dedupe dict each entry env event field file first foreign group hash header hot
    idempotency index item json label last list lookup map message meta metric missing modifier
    mouse natural next node object param partition press primary public query range react record
    redis row routing s3 same setting short sort state surrogate tag the this translation unique
    wrong yaml""".split()
)
_PURPOSE = r"([A-Za-z][a-z0-9]*|[A-Z0-9]+)([_\-. ]?)$"
# Secrets in environment variables.
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


def fold_case(text: str) -> str:
    """Return the text in lower case, each character at its old position."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(char.lower() if char.isascii() else char for char in text)


def ends_secret_name(text: str, at: int, word: str) -> bool:
    """True if the word here ends a secret name."""
    if word == "key":
        return _opens_access(text, at)
    if word == "token" and text[max(0, at - 9) : at].lower() == "publickey":
        return False  # .NET writes one beside every assembly
    return word not in _WHOLE or _begins_word(text, at)


def names_secret(name: str) -> bool:
    """True if a name, such as that of a setting, is one of a secret."""
    bare = name.strip("\"'\\ ").removesuffix("_BASE").removesuffix("_base")
    folded = fold_case(bare)
    return any(
        folded.endswith(word) and ends_secret_name(bare, len(bare) - len(word), word)
        for word in (*CHOSEN, *DRAWN)
    )


def _begins_word(text: str, at: int) -> bool:
    before = text[at - 1 : at]
    return not (before.isascii() and before.isalnum()) or (before.islower() and text[at].isupper())


def _opens_access(text: str, at: int) -> bool:
    """True if the key here opens access: api_key does, cache_key does not."""
    purpose = compile_pattern(_PURPOSE).search(text, max(0, at - 24), at)
    if purpose is None:
        return False
    name, joint = purpose[1].lower(), purpose[2]
    if joint in ("_", "-") or (not joint and _begins_word(text, at)):
        return name not in _FINDS
    return name in _OPENS if joint else name.endswith(tuple(_OPENS))


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
    if value.strip().lower() in COMMON_VALUES:
        return True
    # only passwords make do with one word
    return is_plain_word(value) and "PASS" not in name.upper()
