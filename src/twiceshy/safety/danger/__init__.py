"""Find dangerous actions in notes that need a person's review.

Trust by origin is the first defence; this is the second, for actions that did run and did
succeed. The check errs on the side of review, takes time in proportion to length, and sees
through obfuscation.
"""

from __future__ import annotations

import re

from twiceshy.core.text import fold_to_line
from twiceshy.safety.danger import commands, flow, hosts, phrases, protected_files
from twiceshy.safety.danger.folding import fold_text
from twiceshy.safety.danger.lines import join_runs, split_runs
from twiceshy.safety.danger.packages import is_install
from twiceshy.safety.danger.reasons import ENDPOINT, INSTALLS, INSTRUCTION, ORDER

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from twiceshy.safety.danger.lines import WordRun

__all__ = [
    "WITHHELD",
    "find_danger",
    "find_danger_in_order",
    "fold_text",
    "has_instruction",
    "quote_untrusted",
]

WITHHELD = "(withheld: reads like an instruction)"
_LONGEST_QUOTE = 110
_DEPTH = 2
_BLOB = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,8000}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){8,4000}")
_ADDRESS = re.compile(
    r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s'\"()<>]{1,300}"
    r"|[\w.-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}|(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])"
)
_CLAUSE_ENDS = re.compile(
    r"[,;:。，；：!！]\s|[。，；：！]|\b(?:but|then|instead|and (?:just|simply|then|always))\b|但是?|而是"
)
_FORBIDS = re.compile(
    r"\b(?:never|don't|dont|do not|don’t|must not|mustn't|should not|shouldn't|may not|cannot|not allowed|forbidden|avoid|stop)\b"
    r"|不要|别|不得|不准|不许|不能|不用|禁止|严禁|切勿|请勿|绝不",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\bwithout \w+|(?:未经|没有?)\w{0,4}(?:确认|批准|同意|许可)"
)  # of what is forbidden
_TAGGED = re.compile("[\U000e0020-\U000e007e]+")  # letters that no terminal shows
_IN_TEXT = "\n\r\t\x1b"
_BRACKETS = str.maketrans(
    {"<": "‹", ">": "›", "＜": "‹", "＞": "›", "﹤": "‹", "﹥": "›", "`": "'"}
)


def find_danger(text: str, *, known_hosts: Collection[str] = ()) -> str:
    """Return the reason for review of a text; empty if harmless."""
    known = frozenset(host.lower() for host in known_hosts)
    return _choose_reason(_collect_reasons(text, known))


def find_danger_in_order(text: str) -> str:
    """Return the reason for review of a sentence that the user said; empty if harmless.

    Users give orders to agents, and an order not to do a dangerous thing is none.
    """
    parts = [(part, bool(_FORBIDS.search(part))) for part in _CLAUSE_ENDS.split(text)]
    said = "; ".join(_CONDITION.sub("", part) if forbids else part for part, forbids in parts)
    if any(phrases.attacks_agent(reading) for reading in _list_readings(said)):
        return INSTRUCTION
    allowed = "; ".join(part for part, forbids in parts if not forbids)
    return _choose_reason(_collect_reasons(allowed, frozenset()) - {INSTRUCTION})


def _collect_reasons(text: str, known: frozenset[str]) -> set[str]:
    return {
        reason
        for reading in _list_readings(text)
        for reason in _list_reasons(reading, text, known)
    }


def _choose_reason(found: set[str]) -> str:
    return next((reason for reason in ORDER if reason in found), "")


def has_instruction(text: str) -> bool:
    """True if a text, or a text hidden in it, addresses an agent."""
    return any(map(phrases.instructs_agent, _list_readings(text)))


def quote_untrusted(line: str) -> str:
    """Return tool output as a short line, safe to quote."""
    seen = "".join(each if each.isprintable() else " " for each in _ADDRESS.sub("(address)", line))
    quote = fold_to_line(seen.translate(_BRACKETS), limit=_LONGEST_QUOTE)
    # an address alone is no reason to withhold an error; to be told to talk to it is
    return quote if find_danger(line) in ("", ENDPOINT) and not find_danger(quote) else WITHHELD


def _list_readings(text: str, depth: int = _DEPTH) -> Iterator[str]:
    """Yield a text as written, with backslashes resolved, and decoded."""
    plain = fold_text(text)
    yield plain
    if "\\" in text:
        spelled = text.replace("\\r", "\n").replace("\\n", "\n").replace("\\t", " ")
        yield fold_text(spelled.replace("\\", "/"))
        yield fold_text(text.replace("\\\n", "").replace("\\", ""))
    if (apart := _TAGGED.sub(r" \g<0> ", text)) != text:
        yield fold_text(apart)
    if depth:
        for hidden in _decode_texts(plain):
            yield from _list_readings(hidden, depth - 1)


def _list_reasons(text: str, raw: str, known: frozenset[str]) -> Iterator[str]:
    if phrases.instructs_agent(text):
        yield INSTRUCTION
    outer = split_runs(text)
    yield from phrases.find_phrase_dangers(join_runs(outer))
    found = list(_expand_quoted(outer))
    yield from flow.find_flow_dangers(found)
    yield from hosts.find_host_dangers(raw, text, found, known)
    for run in found:
        yield from commands.find_command_dangers(run)
        yield from protected_files.find_file_dangers(run)
        if is_install(run):
            yield INSTALLS


def _expand_quoted(found: Iterable[WordRun], depth: int = _DEPTH) -> Iterator[WordRun]:
    """Yield runs, each followed by the runs of its quoted texts."""
    for run in found:
        yield run
        for quoted in run.quoted if depth else ():
            yield from _expand_quoted(split_runs(quoted), depth - 1)


def _decode_texts(text: str) -> Iterator[str]:
    """Yield texts encoded in base64 or hexadecimal."""
    import binascii  # noqa: PLC0415 - few notes hold such a thing

    for blob in _BLOB.findall(text):
        bare = blob.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            told = binascii.a2b_base64(bare[: len(bare) - (len(bare) % 4 == 1)] + "==")
        except binascii.Error:
            continue
        yield from _list_encoded(told)
    for blob in _HEX.findall(text):
        yield from _list_encoded(bytes.fromhex(blob))


def _list_encoded(raw: bytes) -> Iterator[str]:
    for encoding in ("utf-8", "utf-16-le"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(each < " " and each not in _IN_TEXT for each in text):
            yield text
            return
