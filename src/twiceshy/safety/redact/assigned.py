"""Secrets recognised by their names: in code, settings, JSON, flags and prose."""

from __future__ import annotations

from twiceshy.core.patterns import IGNORE_CASE, compile_pattern
from twiceshy.core.value import Value
from twiceshy.safety.redact.nameless import is_generated
from twiceshy.safety.redact.names import CHOSEN, DRAWN, ends_secret_name, fold_case
from twiceshy.safety.redact.shapes import (
    is_drawn_or_made_up,
    is_made_up,
    is_mixed,
    is_password_like,
    is_phrase,
    may_be_password,
)
from twiceshy.safety.redact.values import (
    is_chosen_secret,
    is_code,
    is_placeholder,
    is_wordy,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.safety.redact.gate import Finding
    from twiceshy.safety.redact.joints import JoinedText

# What may follow in a name, and close the quotes or brackets around it.
_REST = (
    r"(?i)(?:[_-](?:\d{1,3}|value|prod|production|dev|staging|live|test|old|new|primary|secondary"
    r"|base64|b64|base)|(?-i:Base)|\d{1,3})?(?![A-Za-z0-9_-])\\{0,4}[\"'`]?(?:\[\d{0,4}\]|[\])]{0,2})"
)
_GIVEN = (
    # secret: process.env.S || "…", what holds if nothing else is set
    r"[ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}(?:<%=?[ \t]{0,4})?[^\s,;#|]{1,80}[ \t]{1,4}(?:\|\||\?\?|\?:|or)[ \t]{1,4}(?=\\{0,4}[\"'`])|"
    r"[ \t]{0,4}\.\w{0,20}(?:or|default|else)\w{0,16}\((?:[|(]\w{0,8}[|)][ \t]?(?:[=-]>)?[ \t]?)?(?=\\{0,4}[\"'`])|"
    r"[ \t]{0,4}(?::=|[:=])[ \t]{0,4}(?:new[ \t])?(?:\[\]byte|bytes|bytearray|Buffer\.from|SecretStr|String|Some)\((?=\\{0,4}[\"'`])|"
    r"[ \t]{1,4}\{[ \t]{0,4}(?=\\{0,4}[\"'`])|"
    r"[ \t]{0,8}:[ \t]?[\w.&<>?|\[\] ]{1,40}=[ \t]{0,8}(?=\\{0,4}[\"'`])"  # password: str = "…"
    r"|[ \t]{1,8}(?:\|\|=?|\?\?=?|or)[ \t]{1,8}(?=\\{0,4}[\"'`])"
    r"|[ \t]{0,8}(?:=>|:=|={1,3}|:|：|＝)[ \t]{0,8}|[ \t]{1,4}(?:->|→)[ \t]{1,4}"
)
_SAID = (
    r"(?i)[ \t]{1,4}(?:content|value|(?<![\"'`\\][ \t])[\w*]{1,20})(?:\[\])?[ \t]{0,8}="
    r"[ \t]{0,8}(?=\\{0,4}[\"'`])"  # var token string = "…"
    r"|(?:[ \t]{1,4}(?:for|of|to|on|in|we|i|you|that|which)(?:[ \t]{1,4}[\w@./-]{1,40}){1,5}?)?"
    r"(?:[ \t]{1,4}(?:is|was|equals|set to|changed to|should be|will be)(?:[ \t]{1,4}now)?[ \t:]{1,8}"
    r"|[ \t]{0,4}:[ \t]{1,4})"
)
_SAID_IN_CHINESE = r"[ \t]{0,4}(?:已|已经|现在|現在|就|应该|仍|设置|更新|重置|修改|改|设|設){0,2}(?:是|为|為|成|は)[ \t：:]{0,8}"
_IN_ADDRESS = r"://[\w.-]*$"
_LINE_HEAD = r"(?:^|\n)[ \t]*+(?:- )?[\w.-]+$"
_LISTED = r"[ \t]{0,4}[,(][ \t]{0,4}(?:[a-z_]{1,20}[ \t]?=[ \t]?)?(?=\\{0,4}[\"'`])"
_FLAG = r"(?:^|[\s\"'`\[(,=])--?[A-Za-z-]*$"
_FLAG_REST = r"\\{0,4}[\"']?(?:,[ \t]{0,8}(?=\\{0,4}[\"'])|,?[ \t]{1,8})"
_OPEN_TAG = r"<[\w:.-]*$"
# {"name": "DB_PASSWORD", "value": "…"}, as lists of settings have them, over lines in YAML
_PAIRED = (
    r"(?i)[ \t]{0,4}[,;]?\s{0,40}(?:- )?\\{0,4}[\"'`]?(?:parameter_?|default_?|string_?|secret_?)?value\\{0,4}[\"'`]?[ \t]{0,4}(?:=>|[:=])"
    r"[ \t]{0,8}|>(?:\s{0,20}<value>)?(?=[^\s<>]{3,128}</)|>(?:</key>)?\s{0,20}<!\[CDATA\[(?=[^\s<>]{3,128}\]\])|</key>\s{0,20}<string>"
    r"|[\])\"'`]{0,4}[ \t]{0,4}\.[ \t]{0,4}(?:type|fill|send_keys|sendKeys|setValue|set_value|val)\([ \t]{0,4}(?=[\"'`])"
)
# a file of settings without a sign between: a name, a blank, and a value that ends the line
_SPACED = r"[ \t]{1,8}(?=\\{0,4}[\"']?[^\s\"'=:\\]{6,128}\\{0,4}[\"']?;?(?:\\{0,4}[\"'}\]]){0,6}[ \t]*(?:\n|$))"
_DEFINED = r"#[ \t]{0,4}define[ \t]{1,8}\w+$"
_FILLED = r"(?:fill|type|set_?value|input|sendkeys)\([ \t]{0,4}[\"'`#.\[\]=\w-]{0,40}$"
_SPACED_HEAD = r"(?:^|\n)[ \t]*+(?:(?:ENV|ARG|setenv|set)[ \t]+)?[\w.-]+$"
_QUOTE = r"[bruBRU]{0,2}(\\{0,4}[\"'`])"
_CLOSING = {"“": "”", "‘": "’", "「": "」", "『": "』"}
# Latin letters and signs; a separator ends a value when a space or the next setting follows it.
_BARE = r"(?:[!#$%(-+\-.-:=?-_a-~\xa1-\xff]|[&;,](?![\w.-]{0,64}=|[\s\"'`]|$))++"
_CODE_FOLLOWS = tuple("(.[,):")
_PROSE = frozenset(
    """a an and are argument arguments as at be but by can cannot did does flag flags for from has
    have if in into is it its may of option options or parameter parameters so than that the then
    to unless until via was were when which while will with without""".split()
)
_DIGEST = r"[0-9a-fA-F]{16,}$|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-"
_TELLING = 256  # characters; a longer value is judged by these, so that none is read many times
_LONGEST = 8192


class NameTie(Value):
    """The sign or words between a name and its value."""

    form: str
    end: int


class AssignedValue(Value):
    """A value after a name: position, text, and quoting."""

    start: int
    end: int
    text: str
    quoted: bool


def find_assigned_secrets(view: JoinedText) -> Iterator[Finding]:
    """Yield the positions of values with secret names."""
    folded = fold_case(view.text)
    for words, chosen in ((CHOSEN, True), (DRAWN, False)):
        for word in words:
            at = folded.find(word)
            while at >= 0:
                after = at + len(word)
                if ends_secret_name(view.text, at, word):
                    found = _find_secret_value(view, at, after, chosen=chosen)
                    if found and view.is_one_line(at, found.start + 1):
                        found = _extend_value(view, found)
                        yield *view.original_span(found.start, found.end), "assigned-secret"
                        after = found.end
                at = folded.find(word, after)


def _find_secret_value(
    view: JoinedText, at: int, after: int, *, chosen: bool
) -> AssignedValue | None:
    """Return the secret value after the name ending at ``after``, if any."""
    tie = _find_tie(view.text, at, after)
    found = _read_value(view, tie.end) if tie else None
    if tie is None or found is None:
        return None
    if tie.form == "flag":
        secret = _judge_flag_value(found, chosen=chosen)
    elif tie.form == "tag":
        secret = view.text.startswith("</", found.end) and is_chosen_secret(
            found.text, quoted=False
        )
    elif tie.form == "listed":
        secret = found.quoted and (
            _judge_listed_value(found.text, chosen=chosen)
            or (chosen and _is_filled_in(view.text, at) and may_be_password(found.text))
        )
    elif tie.form == "spaced":
        secret = _judge_spaced_value(found, chosen=chosen)
    elif tie.form == "beside":
        secret = _judge_next_value(found, chosen=chosen)
    elif chosen:
        secret = _judge_chosen_value(view.text, after, tie, found)
    else:
        secret = _judge_drawn_value(view.text, at, after, tie, found)
    return found if secret else None


def _judge_chosen_value(text: str, after: int, tie: NameTie, found: AssignedValue) -> bool:
    """Judge the value of a name such as password."""
    return (
        is_chosen_secret(found.text, quoted=found.quoted)
        or _judge_bare_word(text, after, tie, found)
        or (found.quoted and is_phrase(found.text))
    )


def _judge_drawn_value(text: str, at: int, after: int, tie: NameTie, found: AssignedValue) -> bool:
    """Judge the value of a name such as token."""
    drawn = is_drawn_or_made_up(found.text, quoted=found.quoted)
    if drawn and not _is_test_report(text, at, tie):
        return True
    return text[at:after].lower() == "pass" and _judge_short_name(text, at, found)


def _find_tie(text: str, at: int, after: int) -> NameTie | None:
    """Return the tie after the name ending at ``after``."""
    if compile_pattern(_FLAG).search(text, max(0, at - 32), at):
        flag = compile_pattern(_FLAG_REST).match(text, after)
        if flag:
            return NameTie("flag", flag.end())
    rest = compile_pattern(_REST).match(text, after)
    if rest is None:
        return None
    paired = compile_pattern(_PAIRED).match(text, rest.end())
    if paired:
        return NameTie("paired", paired.end())
    following = text[rest.end() : rest.end() + 8].lstrip(" \t")[:1]
    if following == ">" and compile_pattern(_OPEN_TAG).search(text, max(0, at - 40), at):
        return NameTie("tag", rest.end() + 1)
    in_chinese = following.isalpha() and following > "\u2e80" and following not in "：＝"
    if in_chinese:
        form = compile_pattern(_SAID_IN_CHINESE)
    else:
        form = compile_pattern(_SAID if following.isalpha() else _GIVEN)
    tie = form.match(text, rest.end())
    in_address = compile_pattern(_IN_ADDRESS).search(text, max(0, at - 64), at)
    if tie and not (tie[0] == ":" and in_address):
        return NameTie("chinese" if in_chinese else tie[0], tie.end())
    return _find_bare_tie(text, at, after, rest.end())


def _find_bare_tie(text: str, at: int, after: int, end: int) -> NameTie | None:
    """Return the tie of a name whose value follows without a sign."""
    following = text[end : end + 8].lstrip(" \t")[:1]
    spaced = compile_pattern(_SPACED).match(text, end)
    if spaced and compile_pattern(_SPACED_HEAD).search(text, max(0, after - 80), after):
        return NameTie("spaced", spaced.end())
    if following in ('"', "'") and compile_pattern(_DEFINED).search(text, max(0, at - 80), after):
        return NameTie("defined", text.index(following, end))
    beside = compile_pattern(_LISTED if following in (",", "(") else r"[ \t]{1,8}").match(
        text, end
    )
    return NameTie("listed" if following == "," else "beside", beside.end()) if beside else None


def _read_value(view: JoinedText, at: int) -> AssignedValue | None:
    """Return the value starting here, quoted or up to the next space."""
    text = view.text
    quote = compile_pattern(_QUOTE).match(text, at)
    opened = quote[1] if quote else text[at : at + 1]
    if quote or opened in _CLOSING:
        start, closing = (quote.end() if quote else at + 1), _CLOSING.get(opened, opened)
        end = text.find(closing, start, start + _LONGEST)
        while end > 0 and text[end - 1] == "\\":
            end = text.find(closing, end + 1, start + _LONGEST)
        if end > start:
            return AssignedValue(start, end, text[start : min(end, start + _TELLING)], quoted=True)
        at = start
    bare = compile_pattern(_BARE).match(text, at, at + _TELLING)
    if bare is None:
        return None
    value = text[at : view.value_end(at, bare.end())].rstrip(".,;:)")
    return AssignedValue(at, at + len(value), value, quoted=False) if value else None


def _extend_value(view: JoinedText, found: AssignedValue) -> AssignedValue:
    """Return a long bare value with its continuation."""
    if found.quoted or len(found.text) < _TELLING // 2:
        return found
    bare = compile_pattern(_BARE).match(view.text, found.start)
    return found.but(end=view.value_end(found.start, bare.end())) if bare else found


def _judge_flag_value(found: AssignedValue, *, chosen: bool) -> bool:
    """Judge the value after a flag such as ``--password``."""
    if not chosen:
        return is_drawn_or_made_up(found.text, quoted=found.quoted)
    return not (
        found.text.startswith("-")
        or found.text.lower() in _PROSE
        or (found.text.isalpha() and found.text.isupper())
        or is_placeholder(found.text)
        or (not found.quoted and is_code(found.text))
    )


def _is_filled_in(text: str, at: int) -> bool:
    """True for a call that types into a field: ``fill("#password", "…")``."""
    return compile_pattern(_FILLED, IGNORE_CASE).search(text, max(0, at - 80), at) is not None


def _judge_listed_value(value: str, *, chosen: bool) -> bool:
    """Judge the next of several quoted words: ``define('DB_PASSWORD', '…')``."""
    if is_generated(value) or is_made_up(value) or is_mixed(value):
        return True
    if chosen and is_password_like(value):
        return True
    signs = sum(not char.isalnum() for char in value)
    drawn = signs >= 3 and any(map(str.isdigit, value)) and not is_wordy(value, share=0.5)
    return len(value) >= 16 and " " not in value and drawn and not is_code(value)


def _judge_spaced_value(found: AssignedValue, *, chosen: bool) -> bool:
    """Judge a value that alone follows a name in a line of settings."""
    if chosen:
        return may_be_password(found.text) or is_chosen_secret(found.text, quoted=found.quoted)
    return is_drawn_or_made_up(found.text, quoted=found.quoted)


def _judge_next_value(found: AssignedValue, *, chosen: bool) -> bool:
    """Judge a value merely next to a name: ``token q8Zr…``, ``set_password("…")``."""
    if found.quoted and chosen:
        return is_chosen_secret(found.text, quoted=True) and any(map(str.isdigit, found.text))
    return (
        (len(found.text) >= 16 or is_made_up(found.text))
        and "=" not in found.text.rstrip("=")
        and not compile_pattern(_DIGEST).match(found.text)
        and is_drawn_or_made_up(found.text, quoted=found.quoted)
    )


def _judge_bare_word(text: str, after: int, tie: NameTie, found: AssignedValue) -> bool:
    """Judge a bare word as password: only settings and Chinese prose state passwords plainly."""
    if found.quoted or is_placeholder(found.text) or is_code(found.text):
        return False
    if tie.form == "=" and text[after - 1].isupper():
        return len(found.text) >= 4
    word = len(found.text) >= 6 and found.text.isascii() and found.text.isalpha()
    behind = text[found.end : found.end + 1]
    if tie.form == ": ":  # a line of YAML
        head = compile_pattern(_LINE_HEAD).search(text, max(0, after - 80), after)
        return word and behind in ("", "\n") and head is not None
    return word and tie.form in ("=", "chinese") and not behind.startswith(_CODE_FOLLOWS)


def _judge_short_name(text: str, at: int, found: AssignedValue) -> bool:
    """Judge a value after the bare word pass: it is a password beside a user, in quotes, or by its shape."""
    if text[at : at + 5] == "PASS:" and not found.quoted:
        return False
    around = text[max(0, at - 64) : at].lower()
    beside = any(word in around for word in ("user", "login", "name:", "host", "email"))
    return may_be_password(found.text) and (found.quoted or beside or is_password_like(found.text))


def _is_test_report(text: str, at: int, tie: NameTie) -> bool:
    """Tell a test report, ``PASS: TestLogin``, from a password, ``pass=…``."""
    return tie.form.strip() == ":" and text[at : at + 5].lower() == "pass:"
