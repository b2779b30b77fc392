"""Safe names: refuse names that a file system or reader could confuse.

Mixing of alphabets follows Unicode's advice for identifiers (UTS #39, "moderately
restrictive"): one script, or Latin beside a script nobody mistakes for Latin. Files are
named by other people, so a path may mix scripts; a path may not hide, climb, or fake a
separator.
"""

from __future__ import annotations

from twiceshy.core.errors import UnsafeNameError

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import unicodedata  # noqa: TC004 - used at run time, where _load_unicode has put it

MAX_CHARACTERS = 100
MAX_BYTES = 200
MAX_SESSION = 128
_SHORTEST_SECRET = 16
MAX_PATH = 4096
MAX_FOLDER = 240  # file systems allow 255 bytes; the rest is left for a suffix such as ".tmp"

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_ALPHANUMERIC = frozenset(_LOWER + _LOWER.upper() + _DIGITS)
_IN_SESSIONS = _ALPHANUMERIC | frozenset("-_.")
_IN_NAMES = _IN_SESSIONS | frozenset(":+@ ")
_KEPT = frozenset(_LOWER + _DIGITS + "-_.+@")
_ESCAPES = {":": "==", " ": "=_"}

_SEPARATORS = frozenset("/\\⁄∕⟋⧸⫽╱／∖⟍⧵⧹╲﹨＼")
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
_LETTERS = frozenset("Ll Lm Lo Lt Lu Mc Mn Nd Nl".split())
_UNSEEN = frozenset("FILLER INHERENT JOINER SELECTOR".split())  # letters and marks without ink
# NFKC takes apart what these scripts write as one; elsewhere it undoes a disguise.
_OWN_FORMS = frozenset("ARMENIAN HANGUL LAO THAI".split())

_EAST_ASIAN = frozenset("BOPOMOFO CJK HANGUL HIRAGANA IDEOGRAPHIC KATAKANA".split())
# Cyrillic, Greek, Armenian, Cherokee, Coptic, Lisu … are missing on purpose: they look like Latin.
_UNLIKE_LATIN = _EAST_ASIAN | frozenset(
    "ARABIC BENGALI DEVANAGARI ETHIOPIC GUJARATI GURMUKHI HEBREW KANNADA KHMER LAO".split()
    + "MALAYALAM MYANMAR ORIYA SINHALA TAMIL TELUGU THAANA THAI TIBETAN".split()
)


def check_name(text: str, *, what: str = "skill") -> str:
    """Return a name in canonical form (NFC, trimmed), or refuse."""
    name = text.strip(" \t\r\n")
    _refuse_length(name, what=what)
    if name.isascii():
        _refuse_characters(name, _IN_NAMES, what=what)
    else:
        name = _normalise_name(name, what=what)
        _refuse_length(name, what=what)
    _refuse_shape(name, what=what)
    _refuse_secret(name, what=what)
    return name


def is_device_name(name: str) -> bool:
    """True for a name that is a device on Windows, with any ending."""
    return name.replace(":", ".").split(".", 1)[0].rstrip().lower() in _DEVICES


def is_separator(character: str) -> bool:
    """True for a character that separates paths, or looks like one that does."""
    return character in _SEPARATORS


def check_session_id(text: str) -> str:
    """Return a session id unchanged, or refuse an impossible id."""
    if not 0 < len(text) <= MAX_SESSION:
        raise UnsafeNameError(
            f"the session id has {len(text)} characters",
            hint=f"a session id has between 1 and {MAX_SESSION}",
        )
    _refuse_characters(text, _IN_SESSIONS, what="session")
    _refuse_shape(text, what="session")
    _refuse_secret(text, what="session")
    return text


def is_secret_name(name: str) -> bool:
    """True if a name has the form of a secret that somebody publishes; a name drawn at random is an id."""
    if len(name) < _SHORTEST_SECRET or _is_uuid(name):
        return False
    from twiceshy.safety.redact import redact  # noqa: PLC0415 - nearly all names end before

    safe = redact(name)
    return safe != name and "[REDACTED:high-entropy]" not in safe


def _is_uuid(name: str) -> bool:
    return len(name) == 36 and name.count("-") == 4 and name.replace("-", "").isalnum()


def _refuse_secret(name: str, *, what: str) -> None:
    """Refuse a name that would tell a secret wherever it stands; the refusal does not repeat it."""
    if is_secret_name(name):
        raise UnsafeNameError(
            f"the {what} name looks like a secret",
            hint="names stand in files and lists; choose another one, and change the secret",
        )


def encode_directory_name(name: str, *, what: str = "skill") -> str:
    """Return the folder name for a name; unique even where case does not count.

    Small letters, digits, ``-_.+@`` and letters without case stand for themselves. ``=`` and a
    small letter is the capital (``Release`` → ``=release``), ``==`` is the colon forbidden by
    Windows, ``=_`` a space, and ``=0…=`` the code point of any other letter. A folder longer
    than 240 bytes is ``=~`` and the SHA-256 of the name instead.
    """
    checked = check_name(name, what=what)
    folder = "".join(map(_escape_character, checked))
    if len(folder.encode()) <= MAX_FOLDER:
        return folder
    import hashlib  # noqa: PLC0415 - 2.6 ms of OpenSSL for names that hardly anybody has

    return "=~" + hashlib.sha256(checked.encode()).hexdigest()


def check_relative_path(path: str, *, what: str = "file") -> str:
    """Return a relative path with ``/`` separators, or refuse a path leading out."""
    _refuse_hidden(path, what=what)
    text = path.replace("\\", "/")
    if not text.isascii():
        text = _normalise_separators(text, what=what)
    if text.startswith("/") or text.split("/", 1)[0] == "~":
        raise _build_refusal(path, f"{what} path", "is absolute", hint=_RELATIVE)
    parts = _resolve_parts(text, what=what)
    if not parts:
        raise _build_refusal(
            path, f"{what} path", "names nothing inside the project", hint=_RELATIVE
        )
    if parts[0][1:2] == ":":
        raise _build_refusal(path, f"{what} path", "names a drive", hint=_RELATIVE)
    return "/".join(parts)


_RELATIVE = "give it relative to the project's root"
_ONE_ALPHABET = "use letters and digits of one alphabet and - _ . : + @"


def _refuse_length(name: str, *, what: str) -> None:
    """Refuse an empty name, or a name too long for a folder."""
    if not name:
        raise UnsafeNameError(f"the {what} name is empty", hint=f"name the {what}")
    if len(name) > MAX_CHARACTERS or len(name.encode("utf-8", "replace")) > MAX_BYTES:
        limit = f"at most {MAX_CHARACTERS} characters and {MAX_BYTES} bytes"
        raise _build_refusal(name, f"{what} name", "is too long", hint=limit)


def _refuse_characters(name: str, allowed: frozenset[str], *, what: str) -> None:
    """Refuse a name with a disallowed character."""
    if allowed.issuperset(name):
        return
    culprit = next(character for character in name if character not in allowed)
    why = "which separates paths" if culprit in _SEPARATORS else "which is not allowed"
    marks = " ".join(sorted(allowed - _ALPHANUMERIC - {" "}))
    raise _build_refusal(
        name,
        f"{what} name",
        f"contains {culprit!r}, {why}",
        hint=f"use letters, digits and {marks}",
    )


def _refuse_shape(name: str, *, what: str) -> None:
    """Refuse a name readable as a path, an option, a drive or a device."""
    if name[0] in ".-:":
        raise _build_refusal(name, f"{what} name", f"begins with {name[0]!r}")
    if name[-1] in ".:":
        raise _build_refusal(name, f"{what} name", f"ends with {name[-1]!r}")
    if "  " in name:
        raise _build_refusal(name, f"{what} name", "has two spaces in a row")
    if name[1:2] == ":":
        raise _build_refusal(name, f"{what} name", "begins like a drive")
    if is_device_name(name):
        raise _build_refusal(name, f"{what} name", "is a device on Windows")


def _refuse_hidden(path: str, *, what: str) -> None:
    """Refuse a path no file system can hold, or with invisible characters."""
    if len(path) > MAX_PATH or len(path.encode("utf-8", "replace")) > MAX_PATH:
        raise _build_refusal(path, f"{what} path", "is too long", hint=f"at most {MAX_PATH} bytes")
    for character in path:
        # macOS puts U+202F into the names of screenshots: spaces of any width may stay.
        space = character.isspace() and character > "\x9f" and character not in "\u2028\u2029"
        if not character.isprintable() and not space:
            raise _build_refusal(
                path, f"{what} path", f"contains the invisible U+{ord(character):04X}"
            )


def _resolve_parts(path: str, *, what: str) -> list[str]:
    """Return the parts of a path with dots resolved; refuse to climb out."""
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                raise _build_refusal(path, f"{what} path", "leaves its root", hint=_RELATIVE)
            parts.pop()
        elif not part.strip(" ."):
            raise _build_refusal(path, f"{what} path", f"has a part {part!r}, dots to Windows")
        else:
            parts.append(part)
    return parts


def _normalise_separators(path: str, *, what: str) -> str:
    """Return a path in NFC; refuse look-alikes of separators and dots."""
    _load_unicode()
    for character in path:
        folded = unicodedata.normalize("NFKC", character)
        if character != "/" and (character in _SEPARATORS or "/" in folded or "\\" in folded):
            raise _build_refusal(
                path,
                f"{what} path",
                f"contains {_describe_character(character)}, no real separator",
            )
    for part in path.split("/"):
        if part.strip(" .") and not unicodedata.normalize("NFKC", part).strip(" ."):
            raise _build_refusal(
                path, f"{what} path", f"has a part {part!r}, which looks like dots"
            )
    return unicodedata.normalize("NFC", path)


def _normalise_name(text: str, *, what: str) -> str:
    """Return a name in NFC; refuse marks, symbols and look-alikes."""
    _load_unicode()
    name = unicodedata.normalize("NFC", text)
    for before, character in zip(" " + name, name, strict=False):
        if fault := _describe_fault(character, before):
            said = f"contains {_describe_character(character)}, {fault}"
            raise _build_refusal(name, f"{what} name", said, hint=_ONE_ALPHABET)
    if stranger := _find_foreign_letter(name):
        said = f"mixes alphabets: {_describe_character(stranger)} among other letters"
        raise _build_refusal(name, f"{what} name", said, hint=_ONE_ALPHABET)
    return name


def _describe_fault(character: str, before: str) -> str:
    """Describe the fault of a character after another character; empty if allowed."""
    if character in _IN_NAMES:
        return ""
    if character in _SEPARATORS:
        return "which is or looks like a path separator"
    kind = unicodedata.category(character)
    words = _unicode_name_words(character)
    if kind[0] in "CZ" or not _UNSEEN.isdisjoint(words):
        return "which cannot be seen"
    if kind not in _LETTERS or words[0] == "MODIFIER":
        return "which is neither a letter nor a digit"
    if kind[0] == "M":
        # Class 1 is drawn across the letter, as a slash may be.
        own = unicodedata.combining(character) != 1 and unicodedata.category(before)[0] in "LM"
        return "" if own else "which is not part of a letter"
    other = unicodedata.normalize("NFKC", character) != character
    return "which passes for another letter" if other and words[0] not in _OWN_FORMS else ""


def _find_foreign_letter(name: str) -> str:
    """Return the first character foreign to the script of the rest; empty if none."""
    scripts: dict[str, str] = {}
    digits = ""
    for character in name:
        script = _unicode_name_words(character)[0]
        if script == "COMBINING" or (character.isascii() and not character.isalpha()):
            continue
        if character.isdecimal():  # some look like other digits of ours: a Bengali four is an 8
            digits += character
        else:
            scripts.setdefault("CJK" if script in _EAST_ASIAN else script, character)
    if not scripts.pop("LATIN", ""):
        return "".join(scripts.values())[1:2]
    others = [c for script, c in scripts.items() if script not in _UNLIKE_LATIN]
    return "".join([*others, *list(scripts.values())[1:], digits])[:1]


def _unicode_name_words(character: str) -> list[str]:
    """Return the words of a character's Unicode name; the first word is its script."""
    return unicodedata.name(character, "UNNAMED").replace("-", " ").split()


def _describe_character(character: str) -> str:
    """Describe a character, readable even if invisible."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '(no name)')}"


def _load_unicode() -> None:
    """Load the Unicode tables; ASCII names, the most common, never need them."""
    global unicodedata  # noqa: PLW0603 - the import belongs to the module, only later
    import unicodedata  # noqa: PLC0415 - hooks pay for every import


def _escape_character(character: str) -> str:
    """Escape a character of a name for every file system."""
    if character in _KEPT:
        return character
    if character in _ESCAPES:
        return _ESCAPES[character]
    if _is_case_folded(character):
        return character
    small = character.lower()
    if _is_case_folded(small) and small.upper() == character:
        return f"={small}"
    return f"=0{ord(character):x}="


def _is_case_folded(character: str) -> bool:
    """True if a character survives every case folding."""
    return character.upper().casefold() == character


def _build_refusal(
    text: str, what: str, why: str, *, hint: str = "choose another name"
) -> UnsafeNameError:
    """Build a refusal; ``repr`` keeps control characters out of the message."""
    return UnsafeNameError(f"the {what} {text[:40]!r} {why}", hint=hint)
