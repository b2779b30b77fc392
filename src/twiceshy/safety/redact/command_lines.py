"""Secrets on command lines: after an option, in a known place, or echoed into a program."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.contexts import PROGRAMS
from twiceshy.safety.redact.nameless import is_generated
from twiceshy.safety.redact.names import fold_case, names_secret
from twiceshy.safety.redact.quick_check import split_words
from twiceshy.safety.redact.shapes import is_made_up, is_password_like
from twiceshy.safety.redact.values import is_code, is_placeholder, is_random_looking

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.safety.redact.gate import Finding
    from twiceshy.safety.redact.joints import JoinedText

    Span = tuple[int, int]
    Words = list[Span]

RULE = "command-password"
# The text is rarely a command line: a log, JSON or a sentence quotes one, and its quotes are not closed.
_PIECE = (
    r"[ \t]*+(?:(?P<sign><<<?-?)[ \t]*+|(?P<end>[|;&\n()<>]|\\{1,4}n(?![\w.])|$)"
    r"|(?P<word>(?:[^\s\"'`\\|;&<>()]++|\\{1,8}[\"'][^\"'\n\\]{0,400}+\\{1,8}[\"']|\\++[^\s\\]"
    r"|\"(?:[^\"\\\n]|\\.){0,400}+(?:\n[^\"\n]{0,80}+)?\"|'[^'\n]{0,400}+(?:\n[^'\n]{0,80}+)?')++)|(?P<other>[\"'`\\]))"
)
_LONGEST, _MOST_WORDS = 1_500, 80
_BEFORE = 600  # characters in which an echo into a program is looked for
_DOCUMENT = r"[ \t]*+\\{0,4}[\"']?([A-Za-z_]\w*)\\{0,4}[\"']?[^\n]{0,200}\n"
_EDGES = "\"'\\"
_NOT_GIVEN = ("-", "$", "@", "<", "env:", "file:", "fd:", "{{", "%", "stdin", "op://", "vault:")
_USERS = frozenset(
    """addr address branch bucket client_id database db_host db_name db_user dbname email endpoint env host
    hostname login mode name path port region role server tenant ttl type url user user_name userid
    username usr version zone""".split()
)
_SEPARATORS = ":%,/"
_ORDINARY = frozenset(
    "age cf eas fly http https net op pass security su".split()
)  # words of prose
_MOST_BEFORE = 6  # words between a program and what it is told to do


def find_command_secrets(view: JoinedText) -> Iterator[Finding]:
    """Yield the secrets that command lines give to programs known to take them."""
    text, folded = view.text, fold_case(view.text)
    for program in sorted(PROGRAMS.keys() & split_words(folded)):
        rules = PROGRAMS[program]
        at = folded.find(program)
        while at >= 0:
            after = at + len(program)
            if _is_program(text, at, after):
                words, inputs, end = _read_words(text, after)
                most = 0 if program in _ORDINARY else _MOST_BEFORE
                for start, stop in _list_given(text, at, words, inputs, rules.split(), most=most):
                    if view.is_one_line(min(at, start), max(at, start) + 1):
                        yield *view.original_span(start, view.value_end(start, stop)), RULE
                after = max(after, end)
            at = folded.find(program, after)


def _is_program(text: str, at: int, after: int) -> bool:
    before, behind = text[at - 1 : at] if at else "", text[after : after + 1]
    return not (before.isalnum() or before in ("-", "_", ".")) and behind in (
        "",
        " ",
        "\t",
        "\n",
        ".",
        "@",
        "\\",
    )


def _read_words(text: str, at: int) -> tuple[Words, Words, int]:
    """Return the words up to the end of a command, what is given as its input, and its end."""
    words: Words = []
    inputs: Words = []
    if text.startswith(".exe", at):
        at += 4
    sign = ""
    limit = at + _LONGEST
    token = compile_pattern(_PIECE).match(text, at, limit)
    while token and len(words) < _MOST_WORDS:
        at = max(token.end(), at + 1)
        kind = token.lastgroup
        if kind == "end":
            break
        if kind == "sign":
            sign = token["sign"]
            if sign != "<<<":
                inputs += _read_document(text, at)
                break
        elif kind == "word":
            (inputs if sign else words).append(token.span("word"))
            sign = ""
        token = compile_pattern(_PIECE).match(text, at, limit)
    return words, inputs, at


def _read_document(text: str, at: int) -> Words:
    """Return the text of a here-document, a span a line."""
    head = compile_pattern(_DOCUMENT).match(text, at)
    if head is None:
        return []
    found: Words = []
    start = head.end()
    for line in text[start : start + _LONGEST].split("\n"):
        if line.strip() == head[1]:
            return found
        found.append((start, start + len(line)))
        start += len(line) + 1
    return []


def _list_given(
    text: str, at: int, words: Words, inputs: Words, rules: Sequence[str], *, most: int
) -> Iterator[Span]:
    """Yield the spans of secrets among the words and the input of a program."""
    said = [_strip_quotes(text, span) for span in words]
    plain = [text[start:end] for start, end in said]
    for rule in rules:
        needed, _, rest = rule.rpartition("/") if not rule.startswith("/") else ("", "", rule)
        option, _, how = rest.partition("=")
        first = _find_needed(plain, needed, most)
        if first is None:
            continue
        if option[:1] == "<":
            if not option[1:] or any(_is_option(word, option[1:]) for word in plain):
                given = inputs or _read_echo(text, at)
                yield from _judge_all(text, given, how)
        elif option[:1] == "#":
            places = [one for one, word in zip(said, plain, strict=True)][first:]
            free = [one for one in places if text[one[0]] != "-"]
            chosen = free if option == "#" else free[int(option[1:]) - 1 : int(option[1:])]
            yield from _judge_all(text, chosen, how)
        else:
            spans = _read_option(text, said, plain, option, how)
            yield from _judge_all(text, spans, how)


def _find_needed(words: Sequence[str], needed: str, most: int) -> int | None:
    """Return the place behind the words that must come first, in order; None if one is missing."""
    at = 0
    for each in filter(None, needed.split("+")):
        for place in range(at, min(len(words), at + most + 1)):
            if words[place].lower() == each.lower() or (
                each[0] == "_" and words[place].endswith(each)
            ):
                at = place + 1
                break
        else:
            return None
    return at


def _is_option(word: str, option: str) -> bool:
    if word == option or word.startswith(option + "="):
        return True
    return len(option) == 2 and word[:1] == "-" != word[1:2] and option[1] in word[1:4]


def _read_option(
    text: str, said: Sequence[Span], plain: Sequence[str], option: str, how: str
) -> Iterator[Span]:
    """Yield the values of an option: the next word, or the rest of the word."""
    for place, word in enumerate(plain):
        start, end = said[place]
        if word == option or _ends_group(word, option, how):
            if place + 1 < len(said) and how != "glued":
                yield said[place + 1]
        elif how != "apart" and _is_glued(word, option, always=how == "glued"):
            begin = start + len(option) + (word[len(option)] in "=:" and option[-1] != ":")
            yield _strip_quotes(text, (begin, end))
        elif how == "user" and len(option) == 2:
            group = compile_pattern(write_group_pattern(option)).match(word)
            if group:
                yield _strip_quotes(text, (start + group.end(), end))


def write_group_pattern(option: str) -> str:
    """Return the pattern of an option behind letters without a value of their own: curl -sSubob:…"""
    return r"-[afgijkLlnNqRsSvV0-6]{1,6}" + option[1]


def _ends_group(word: str, option: str, how: str) -> bool:
    """True for letters such as ``-eP``, of which the last takes the next word."""
    if len(option) != 2 or how in ("glued", "apart"):
        return False
    group = word[:1] == "-" and 3 <= len(word) <= 4 and word[1:].isalpha()
    return group and word[-1] == option[1] != word[1]


def _is_glued(word: str, option: str, *, always: bool) -> bool:
    """True if a word is an option with its value: ``--pass=…``, ``-p…``."""
    if word.startswith((option + "=", option + ":")):
        return True
    return word.startswith(option) and (len(option) == 2 or option[-1] == ":" or always)


def _strip_quotes(text: str, span: Span) -> Span:
    start, end = span
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return start, end


def _judge_all(text: str, spans: Sequence[Span] | Iterator[Span], how: str) -> Iterator[Span]:
    for span in spans:
        start, end = _strip_quotes(text, span)
        if how == "domain":
            start, end = _find_of_domain(text[start:end], start)
        else:
            start, end = _find_part(text, start, end, how)
        if start < end:
            yield start, end


def _find_part(text: str, start: int, end: int, how: str) -> Span:
    """Return the secret part of a word by how the word holds it; empty if none."""
    word = text[start:end]
    none = start, start
    if how in ("all", "setting", "header", "cookie"):
        name, joint, value = word.partition(":" if how == "header" else "=")
        if not joint:
            return none
        begin = start + len(name) + 1
        begin, end = _strip_quotes(text, (begin + len(value) - len(value.lstrip()), end))
        value = text[begin:end]
        return (begin, end) if is_given(value) and _tells(name, value, how) else none
    if how == "user":
        cut = min((at for at in map(word.find, _SEPARATORS) if at >= 0), default=-1)
        if cut < 0 or word[:cut].startswith(("http", "-")):
            return none
        value = word[cut + 1 :].partition("@")[0] if "/" in word[: cut + 1] else word[cut + 1 :]
        begin = start + cut + 1
        return (begin, begin + len(value)) if is_given(value) else none
    if how in _PARTS:
        begin = start + (word.rfind(" ") + 1 if how == "last" else len("pass:"))
        told = word.lstrip().startswith(_PARTS[how])
        return (begin, end) if told and is_given(text[begin:end]) else none
    return (start, end) if is_given(word) else none


def _find_of_domain(word: str, start: int) -> Span:
    """Return the password of a word such as corp/bob:…@10.0.0.7; empty if none."""
    found = compile_pattern(_OF_DOMAIN).match(word)
    if found is None or not is_given(found[1]):
        return start, start
    return start + found.start(1), start + found.end(1)


# corp/bob:…@10.0.0.7, and corp/bob:… where the machine is not told
_OF_DOMAIN = r"(?:[\w.-]{0,80}/)?[\w.$-]{1,64}:(.{3,}?)(?:@[\w.:-]{0,80})?$"
# What a word begins with that holds its secret at the end: in a script for ftp, and for openssl.
_PARTS = {"last": ("user ", "pass "), "pass": ("pass:",)}


def _tells(name: str, value: str, how: str) -> bool:
    """True if the name or the value of a setting, header or cookie tells that it is a secret."""
    folded = name.strip().lower()
    if how == "all":
        return folded not in _USERS
    if how == "setting" and (names_secret(name) or is_password_like(value)):
        return True
    if how == "header":
        value = value.rpartition(" ")[2]
        auth = any(word in folded for word in ("auth", "token", "key", "secret", "cookie"))
        return auth and (is_random_looking(value) or is_made_up(value) or len(value) >= 32)
    drawn = how == "cookie" or len(value) >= 16
    return is_generated(value) or (drawn and is_random_looking(value))


def is_given(value: str) -> bool:
    """True if a word in the place of a secret is one: no option, variable, file or placeholder."""
    return (
        len(value) >= 3
        and not value.startswith(_NOT_GIVEN)
        and not is_placeholder(value)
        and not is_code(value)
    )


def _read_echo(text: str, at: int) -> Words:
    """Return the words that are echoed into the program that stands here."""
    before = text[max(0, at - _BEFORE) : at]
    base = at - len(before)
    joint = compile_pattern(_JOINED_TO).search(before)
    if joint is None:
        return []
    start, name = max((before.rfind(each, 0, joint.start() + 1), each) for each in _ECHOES)
    line = before[start : joint.start()]
    if start < 0 or ("\n" in line and not (line.count('"') == 2 or line.count("'") == 2)):
        return []
    words = _read_words(text[: base + joint.start() + 1], base + start + len(name) - 1)[0]
    return [
        span for span in words if text[span[0]] not in "-" and "%" not in text[slice(*span)][:3]
    ]


_ECHOES = ("echo ", "printf ", "echo\t", "yes ", "cat <<< ")
# A pipe before the program, or the next line of what a shell traces; wrappers may stand between.
_JOINED_TO = (
    r"(?:\|&?[ \t]*+|\n\++[ \t])(?:[A-Za-z_]\w{0,40}=[^\s|;]{0,80}[ \t]+"
    r"|(?:sudo|env|exec|ssh|doas|npx|bunx|pnpx|pnpm|npm|yarn|bun|uvx|uv|pipx|poetry|bundle|time|nohup|winpty|nix-shell)(?:[ \t]+[^\s|;]{1,80}){0,4}[ \t]+[\"']?|[\w./-]{0,80}/)*$"
)
