"""Names of secrets: password, api_key, FOO_TOKEN, 密码."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern

# Behind these people write what they chose themselves; behind the others stands something drawn.
CHOSEN = ("password", "passwd", "passphrase", "passcode", "passwort", "_pass", "-pass", "pwd", "pw", "пароль", "パスワード", "密码", "密碼", "口令")  # fmt: skip
DRAWN = ("secret", "token", "key", "auth", "credentials", "credential", "pass", "dsn", "psk", "密钥", "密鑰", "令牌", "凭证")  # fmt: skip

# These are parts of other words, as in compass and oauth.
_WHOLE = frozenset(("pwd", "pw", "pass", "auth", "dsn", "psk"))

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
