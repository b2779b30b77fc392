"""Show by plain searches that no rule can match, so that no rule is loaded.

Compiling the rules costs a hook more than starting Python. Each rule needs a visible sign: a
literal, a name, a long mixed run. Without any sign the text is clean; otherwise only the
rules can tell.
"""

from __future__ import annotations

from twiceshy.safety.redact.contexts import (
    CALLS,
    COMMANDS,
    FILES,
    HEADERS,
    MAKERS,
    NOUNS,
    PINS,
    PROGRAMS,
)
from twiceshy.safety.redact.formats import FORMATS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# Escapes and colours are joints that only the rules can close.
_JOINTS = ("\\", "\x1b", "[m", *(f"[{digit}" for digit in range(10)))
_NAMES = (
    *("password", "passwd", "passphrase", "passcode", "passwort", "pwd", "pw", "secret", "token"),
    *("key", "auth", "credential", "credentials", "pass", "dsn", "psk", "creds", "salt"),
    *(
        "requirepass",
        "masterauth",
        "sshpass",
        "key_base",
        "keybase",
        "mnemonic",
        "seed phrase",
        "recovery phrase",
        "seed words",
    ),
)
_FOREIGN_NAMES = ("凭证", *(noun for noun in NOUNS if not noun.isascii()))
_FOREIGN_IN_ASCII = tuple(noun for noun in NOUNS if noun.isascii())
_PARTS_OF_WORDS = frozenset(("pwd", "pw", "pass", "auth", "dsn", "psk", "salt"))
_OF_MAKERS = ("key", "token", "secret", "password", "credential", "dsn", "sid")
# Literals that stand in ordinary words and paths: so many letters and digits must follow at least.
_AT_LEAST = {
    **dict.fromkeys("MT Mj Mz ND NT Nj Nz OD OT".split(), 22),
    "pat": 14,
    "1/": 13,
    "2/": 13,
    "cio": 32,
    "re_": 8,
    "sk-": 20,
    "SK": 32,
    "sk_": 48,
    "key_": 64,
    "secret_": 40,
    "s.": 24,
    **dict.fromkeys(("web_", "auto_", "app_"), 64),
    **dict.fromkeys(("cli-",), 28),
    **dict.fromkeys(("ak-", "as-", "ser.", "api_"), 22),
    **dict.fromkeys(("KEY", "1000.", "cu_"), 32),
    "00D": 12,
    "4b1d": 38,
    "pk_": 6,
    "secret-": 40,
    "st.": 24,
    "test_": 35,
}
CUT_MARKS = ("…", "...", "truncated", "<snip")
_LONG_WORD = 14
_RUN = 20
_IN_WORDS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+/=.:~%$@-")
_NOT_IN_WORDS = {code: " " for code in range(128) if chr(code) not in _IN_WORDS}
_NOT_IN_RUNS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "_-")}
_NOT_IN_BASE64 = {
    code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "+/_-")
}
# Variables that every shell sets: their folders stand in most texts about calls, and are no secrets.
_FOLDERS = frozenset(("PWD", "OLDPWD", "PATH"))
_SHORTEST_VALUE = 8
# What stands in such variables and in every other text as well: nobody is kept out by these words.
COMMON_VALUES = frozenset(
    """12345678 123456789 1234567890 accepted activated admin123 administrator anonymous automatic
    change-me change_me changeit changeme changeme1 changeme123 configured container database
    defaultpass deployment developer development disabled docker-compose dummypassword elasticsearch
    encrypted enterprise environment examples external forbidden generated integration internal
    jenkins1 keychain keycloak letmein1 localhost memcached mypassword mysecret mysql-root
    opensearch optional passw0rd password password1 password123 passwords placeholder postgres
    postgresql production protected qwerty123 qwertyui rabbitmq redacted registry repository
    required resource rootpassword rootroot security standard supersecret superuser template
    temporary test-password testpass testpassword testtest undefined unlimited username validation
    wordpress workspace""".split()
)
_literals: list[
    str
] = []  # of FORMATS, when a text was asked about: most calls of a hook have none
_LONG = 4
_beginnings: set[str] = set()  # of the literals that are at least so long
_TELLING = tuple("KEY TOKEN SECRET PASS AUTH CRED DSN JWT PAT PSK PWD BEARER COOKIE".split())


def is_surely_harmless(text: str, known: Iterable[str] = ()) -> bool:
    """Return True only if ``redact`` would leave the text unchanged; False is inconclusive."""
    if not text:
        return True
    lines = text.split("\n")
    if any(joint in text for joint in _JOINTS) or not all(map(_is_printable, lines)):
        return False
    # lines are read as one, except over an empty one, which ends everything
    closed = "".join([line.rstrip("\r").lstrip(" \t") or "\n" for line in lines])
    folded = text.lower(), closed.lower()
    if len(folded[0]) != len(text) or len(folded[1]) != len(closed):
        return False
    return not any(_check_families(text, closed, folded)) and not _has_character(
        known, text, closed
    )


def list_suspect_values(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return every possibly secret value by variable name; rather too many than too few."""
    found = []
    for name, value in environ.items():
        if (
            len(value) < _SHORTEST_VALUE
            or name in _FOLDERS
            or value.strip().lower() in COMMON_VALUES
        ):
            continue
        upper = name.upper()
        for word in _TELLING:
            if word in upper:
                found.append(value)
                break
    return tuple(found)


def _check_families(text: str, closed: str, folded: tuple[str, str]) -> Iterator[bool]:
    """Yield, cheapest first, whether the signs of a rule family are present."""
    readings = ((text, folded[0]), (closed, folded[1]))
    yield any("@" in each and ("://" in each or _has_login(each)) for each in (text, closed))
    for original, low in readings if closed != text else readings[:1]:
        yield "private" in low
        yield _has_secret_name(original, low)
        yield _has_context(low)
        yield _has_mixed_run(original)
        yield _has_known_format(original)
        yield _has_command(low)
    yield _has_cut_format(text)


def _has_login(text: str) -> bool:
    """True if a host with a port follows an at sign, as in ``bob:…@db:5432``."""
    for rest in text.split("@")[1:]:
        host, _, port = rest[:80].partition(":")
        if port[:2].isdigit() and host.replace(".", "").replace("-", "").isalnum():
            return True
    return False


def _has_secret_name(text: str, folded: str) -> bool:
    """True if a secret name is present and ends at a word boundary."""
    if not text.isascii() and any(name in folded for name in _FOREIGN_NAMES):
        return True
    if any(name in folded for name in _FOREIGN_IN_ASCII):
        return True
    if ("login" in folded or "log in" in folded) and any(
        sign in folded for sign in (" / ", " | ", "/ ", ", ")
    ):
        return True
    for name in _NAMES:
        at = folded.find(name)
        while at >= 0:
            behind = folded[at + len(name) : at + len(name) + 1]
            begins = name not in _PARTS_OF_WORDS or _begins_word(text, at)
            if begins and not (behind.isascii() and behind.isalpha()):
                return True
            at = folded.find(name, at + 1)
    return False


def _begins_word(text: str, at: int) -> bool:
    before = text[at - 1 : at]
    return not (before.isascii() and before.isalnum()) or (before.islower() and text[at].isupper())


def _has_context(folded: str) -> bool:
    """True if an announcing literal is present together with its companion."""
    if any(literal in folded for rule in (*HEADERS, *COMMANDS, *FILES) for literal in rule[1]):
        return True
    if "(" in folded and any(name in folded for name in CALLS):
        return True
    announced = any(word in folded for word in _OF_MAKERS)
    return announced and any(literal in folded for rule in MAKERS for literal in rule[1])


def _has_command(folded: str) -> bool:
    """True if a program that takes secrets stands there with a sign of how it takes them."""
    words = split_words(folded)
    for program in PROGRAMS.keys() & words:
        for rule in PROGRAMS[program].split():
            needed, _, rest = rule.rpartition("/") if rule[0] != "/" else ("", "", rule)
            option, _, how = rest.lower().partition("=")
            if how == "user" and len(option) == 2:
                option = " -"  # letters may stand before it: -sSu
            if needed.partition("+")[0].lower() in folded and (
                ("|" in folded or "<<" in folded or "+ " in folded)
                if option[0] == "<"
                else option.strip("#0123456789") in folded
            ):
                return True
    return not words.isdisjoint(PINS) and any(
        word.isdigit() and 4 <= len(word) <= 8 for word in words
    )


def split_words(folded: str) -> set[str]:
    """Return the words of a text: letters, digits and hyphens."""
    return {word.strip("-_") for word in folded.translate(_NOT_IN_RUNS).split()}


def _has_mixed_run(text: str) -> bool:
    """True if a long run mixes capitals, small letters and digits."""
    if not text.isascii():
        text = "".join(char if char.isascii() else " " for char in text)
    for run in text.translate(_NOT_IN_RUNS).split():
        if len(run) >= _RUN and not (run.islower() or run.isupper()):
            counted = [sum(map(is_one, run)) for is_one in (str.isupper, str.islower, str.isdigit)]
            if min(counted) >= 2:
                return True
    return False


def _has_known_format(text: str) -> bool:
    """True if a long word has the literal of a known format, or may be a text in a code."""
    words = text.translate(_NOT_IN_WORDS).split()
    long_words = " ".join([word for word in words if len(word) >= _LONG_WORD])
    if not long_words:
        return False
    plain = long_words.encode("ascii", "replace").decode()
    if "%" in plain or any(map(_is_coded_text, plain.translate(_NOT_IN_BASE64).split())):
        return True
    return any(
        literal in long_words and _may_continue(long_words, literal)
        for literal in _list_literals()
    )


def _list_literals() -> list[str]:
    """Return the literals of all known formats."""
    if not _literals:
        found = (literal for _, literals, *_ in FORMATS for literal in literals.split())
        _literals.extend(dict.fromkeys(found))
    return _literals


def _is_coded_text(run: str) -> bool:
    """True if a run begins like base64 or hex digits of printable text."""
    if len(run) < _RUN or (run.islower() and "/" in run):
        return False
    if begins_like_hex_text(run):
        return True
    return begins_like_text(run)


def begins_like_text(run: str) -> bool:
    """True if a run of base64 begins with characters that are printed, or with every second byte zero."""
    if run[0] in "/+-_89" or not run[0].isalnum():
        return False  # no byte of ASCII begins like this
    from binascii import Error, a2b_base64  # noqa: PLC0415 - few texts have such a run

    try:
        begin = a2b_base64(run[:12].replace("-", "+").replace("_", "/"))
    except Error:
        return False
    return begin[:2] == b"\xff\xfe" or begin.count(0) >= 3 or _is_printed(begin)


def begins_like_hex_text(run: str) -> bool:
    """True if a run of hex digits begins with characters that are printed."""
    try:
        return _is_printed(bytes.fromhex(run[:24]))
    except ValueError:
        return False


def _is_printed(begin: bytes) -> bool:
    text = begin.decode("utf-8", "ignore")  # the last character may be cut
    whole = len(text.encode()) >= len(begin) - 3
    return whole and all(char.isprintable() or char in "\t\n\r\0" for char in text)


def _has_cut_format(text: str) -> bool:
    """True if a text ends, or was cut, within a word that begins like a known format."""
    places = [text.rstrip()]
    for mark in CUT_MARKS:
        if mark in text:
            places += [place.rstrip(" [(") for place in text.split(mark)]
    for place in places:
        last = place[-400:].rpartition("\n")[2].rpartition(" ")[2]
        if any(map(str.isdigit, last)) and _has_long_literal(last):
            return True
    return False


def _has_long_literal(word: str) -> bool:
    """True if a literal of four characters or more stands in a word: most words have no beginning of one."""
    if not _beginnings:
        _beginnings.update(each[:_LONG] for each in _list_literals() if len(each) >= _LONG)
    parts = {word[at : at + _LONG] for at in range(len(word) - _LONG + 1)}
    return not _beginnings.isdisjoint(parts) and any(
        each in word for each in _list_literals() if len(each) >= _LONG
    )


def _may_continue(words: str, literal: str) -> bool:
    """True if the text after a literal can continue a secret."""
    least = _AT_LEAST.get(literal, 0)
    rests = words.split(literal)[1:]
    return not least or any(len(rest) >= least and rest[:least].isalnum() for rest in rests)


def _has_character(known: Iterable[str], text: str, closed: str) -> bool:
    for value in known:
        if any(joint in value for joint in ("\n", "\r", "[", *_JOINTS)) or not value.isprintable():
            return True  # only the rules know how to look for it
        if value in text or value in closed:
            return True
    return False


def _is_printable(line: str) -> bool:
    return line.rstrip("\r").replace("\t", " ").isprintable()
