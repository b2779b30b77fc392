"""Find secrets by their literals, announcements, addresses and end marks.

Literals are found by plain search, and only the rules hit are compiled.
"""

from __future__ import annotations

from twiceshy.core.patterns import IGNORE_CASE, compile_pattern
from twiceshy.safety.redact.contexts import COMMANDS, FILES, HEADERS, MAKERS
from twiceshy.safety.redact.formats import FORMATS
from twiceshy.safety.redact.names import fold_case
from twiceshy.safety.redact.quick_check import CUT_MARKS
from twiceshy.safety.redact.shapes import is_made_up
from twiceshy.safety.redact.values import is_code, is_placeholder, is_random_looking, is_wordy

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from twiceshy.safety.redact.contexts import Context
    from twiceshy.safety.redact.gate import Finding
    from twiceshy.safety.redact.joints import JoinedText

_LONG_WORD = r"[A-Za-z0-9_+/=.:~%$@-]{14,}"  # every format is one; neon-password is the shortest
_LONGEST_HEAD = 96
_TELLING = 256  # characters; a longer value is judged by these
_USERINFO = (
    r"[^\s/?#@:\"'<>\\]{0,128}:([^\s/?\"'<>\\]{4,512})@"
    r"|([A-Za-z0-9_.~-]{16,256})(?::x-oauth-basic)?@"
)
# Passwords that people chose may be words; what stands behind the other literals is drawn.
_CHOSEN = frozenset(("command-password", "netrc-password", "pgpass-password"))
# Passages with an end mark: <private> and armoured private keys.
_TAG = r"(?i)(?:<|&lt;)\s{0,8}(/?)\s{0,8}private(?:\s{1,8}[a-z-]{1,20}=[^<>]{0,200})?\s{0,8}(?:>|&gt;)"
_BEGIN = r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_END = r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_ARMOUR = r"[A-Za-z0-9+/=]{16,}"
_CUT_SHORT = (
    r"(?:\s{0,4}(?:Proc-Type|DEK-Info|Version|Comment)[A-Za-z0-9,:. ()-]{0,200}?(?=[A-Za-z0-9+/=]{32}))?"
    r"(?:[\s\"',+\\]{0,40}[A-Za-z0-9+/=]{16,}+)++(?:[\s\"',+\\]{0,40}[A-Za-z0-9+/]{1,15}={1,2})?"
)

_CUT_OFF = r"[A-Za-z0-9+/=]{16,}+(?:[\s\"',+\\]{0,40}[A-Za-z0-9+/=]{8,}+)*[\s\"',+\\]{0,40}\Z"
_LONGEST_KEY = 16_000


def find_known_formats(view: JoinedText) -> Iterator[Finding]:
    """Yield every secret of a known format."""
    text = view.text
    # the few long words of a text tell which literals are worth a search through all of it
    long_words = " ".join(compile_pattern(_LONG_WORD).findall(text))
    for name, literals, rest, *head in FORMATS if long_words else ():
        for literal in literals.split():
            at = text.find(literal) if literal in long_words else -1
            while at >= 0:
                after = at + len(literal)
                start = _token_start(view, at, *head)
                body = compile_pattern(rest).match(text, after) if start is not None else None
                if start is not None and body:
                    after = _token_end(view, after, body)
                    yield *view.original_span(start, after), name
                at = text.find(literal, after)


def find_cut_formats(view: JoinedText) -> Iterator[Finding]:
    """Yield the beginning of a token of a known format where the text itself was cut."""
    for end in _list_cuts(view.text):
        run = compile_pattern(_LAST_RUN).search(view.text, max(0, end - 400), end)
        if run is None or not any(map(str.isdigit, run[0])):
            continue
        for name, literals, rest, *head in FORMATS:
            for literal in literals.split() if not head else ():
                at = run[0].find(literal) if len(literal) >= _TELLING_LITERAL else -1
                if at >= 0 and _is_cut_body(run[0], at, at + len(literal), rest):
                    yield *view.original_span(run.start() + at, run.end()), name


_TELLING_LITERAL = 4  # characters; a shorter one begins words as well
_LAST_RUN = r"[A-Za-z0-9_+/=.:~%$@-]{6,}$"


def _list_cuts(text: str) -> Iterator[int]:
    """Yield where a text ends, and where it says that something was left out."""
    yield len(text.rstrip())
    for mark in CUT_MARKS:
        at = text.find(mark)
        while at >= 0:
            yield len(text[max(0, at - 500) : at].rstrip(" [(")) + max(0, at - 500)
            at = text.find(mark, at + len(mark))


def _is_cut_body(run: str, at: int, after: int, rest: str) -> bool:
    """True if a run ends within the first stretch of characters that the format asks for."""
    body = run[after:]
    pattern, least = write_cut_pattern(rest)
    if not (pattern and 3 <= len(body) < least):
        return False
    if (
        (at and run[at - 1].isalnum())
        or not any(map(str.isdigit, body))
        or is_wordy(body, share=0.5)
    ):
        return False
    return compile_pattern(pattern).match(body) is not None


def write_cut_pattern(rest: str) -> tuple[str, int]:
    """Return the pattern of the first stretch of a format, and how long it is; empty if it has none."""
    letters, _, count = rest.partition("]{")
    least = count[: len(count) - len(count.lstrip("0123456789"))]
    return (f"{letters}]+\\Z", int(least)) if letters.startswith("[") and least else ("", 0)


def _token_start(view: JoinedText, at: int, head: str = "") -> int | None:
    """Return the start of the token with this literal, if valid."""
    if not head:
        return None if _is_inside_word(view, at) else at
    before = compile_pattern(head + r"\Z").search(view.text, max(0, at - _LONGEST_HEAD), at)
    return before.start() if before else None


def _token_end(view: JoinedText, after: int, body: re.Match[str]) -> int:
    """Return the end of a token: the first joint after a complete token without continuation."""
    complete = False
    for cut, kind in view.list_joints(after, body.end()):
        complete = complete or body.re.fullmatch(view.text, after, cut) is not None
        if complete and not view.continues_token(cut, kind):
            return cut
    return body.end()


def _is_inside_word(view: JoinedText, at: int) -> bool:
    """True if letters or digits stand on both sides of a place without a joint."""
    sides = view.text[max(0, at - 1) : at + 1]
    return len(sides) == 2 and sides.isascii() and sides.isalnum() and not view.is_piece_start(at)


def find_in_context(view: JoinedText) -> Iterator[Finding]:
    """Yield every secret announced by the text before."""
    folded = fold_case(view.text)
    for table in (HEADERS, COMMANDS, FILES, MAKERS):
        for rule in table:
            for literal in rule[1]:
                at = folded.find(literal)
                while at >= 0:
                    after = at + len(literal)
                    start, end = _announced_value(view, at, after, rule, table)
                    if _is_secret(rule[0], view.text[start : min(end, start + _TELLING)]):
                        yield *view.original_span(start, end), rule[0]
                        after = end
                    else:  # what was read once is not read again, but for the end of it
                        after = max(after, end - _TELLING)
                    at = folded.find(literal, after)


def _announced_value(
    view: JoinedText, at: int, after: int, rule: Context, table: tuple[Context, ...]
) -> tuple[int, int]:
    """Return the span of the announced value; empty if none."""
    name, _, rest = rule
    whole = table is COMMANDS or table is MAKERS  # their literals begin a word
    if whole and _is_inside_word(view, at):
        return after, after
    found = compile_pattern(rest, IGNORE_CASE).match(view.text, after)
    if found is None or not view.is_one_line(at, found.start(1) + 1):
        return after, after
    start, end = found.span(1)
    if table is MAKERS:  # their values have a length
        return (after, after) if _is_inside_word(view, end) else (start, end)
    return start, view.value_end(start, end, words=name == "cookie")


def _is_secret(name: str, value: str) -> bool:
    if is_placeholder(value) or is_code(value):
        return False
    if name == "cookie":
        return any(map(is_random_looking, compile_pattern(r"[^=;\s]{8,}").findall(value)))
    return name in _CHOSEN or not is_wordy(value) or is_made_up(value)


def find_url_credentials(view: JoinedText) -> Iterator[Finding]:
    """Yield passwords, and tokens used as user names, in addresses."""
    at = view.text.find("://")
    while at >= 0:
        after = at + 3
        found = compile_pattern(_USERINFO).match(view.text, after)
        if found:
            start, end = found.span(1 if found[1] else 2)
            drawn = bool(found[1]) or is_random_looking(found[2])
            unbroken = view.is_one_line(at, end) or view.value_end(at, end) == end
            if drawn and unbroken and not is_placeholder(view.text[start:end]):
                yield *view.original_span(start, end), "url-credentials"
            after = found.end()
        at = view.text.find("://", after)


def find_private_passages(view: JoinedText) -> Iterator[Finding]:
    """Yield outermost private passages; an unclosed passage hides the rest."""
    if "private" not in view.text.lower():
        return
    depth = start = 0
    for tag in compile_pattern(_TAG).finditer(view.text):
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield *view.original_span(start, tag.end()), "private"
    if depth:
        yield view.original_span(start, start + 1)[0], view.size, "private"


def find_private_keys(view: JoinedText) -> Iterator[Finding]:
    """Yield armoured private keys, complete or cut; a mere mention does not count."""
    if "PRIVATE KEY" not in view.text:
        return
    begins = list(compile_pattern(_BEGIN).finditer(view.text))
    limits = [begin.start() for begin in begins[1:]] + [len(view.text)]
    for begin, limit in zip(begins, limits, strict=False):
        end = compile_pattern(_END).search(view.text, begin.end(), limit)
        if end is None:
            body = compile_pattern(_CUT_SHORT).match(view.text, begin.end(), limit)
            if body:
                yield *view.original_span(begin.start(), body.end()), "private-key"
        elif _has_key_body(view.text[begin.end() : end.start()]):
            yield *view.original_span(begin.start(), end.end()), "private-key"
    first = begins[0].start() if begins else len(view.text)
    end = compile_pattern(_END).search(view.text, 0, first)
    if end:  # a text whose head was cut
        body = compile_pattern(_CUT_OFF).search(
            view.text, max(0, end.start() - _LONGEST_KEY), end.start()
        )
        if body:
            yield *view.original_span(body.start(), end.end()), "private-key"


def _has_key_body(body: str) -> bool:
    body = body.strip()
    if len(body) < 64 and is_placeholder(body):  # the shortest key, for ed25519, has 64 characters
        return False
    return " " not in body or compile_pattern(_ARMOUR).search(body) is not None
