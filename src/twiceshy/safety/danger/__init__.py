"""Find dangerous actions in notes that need a person's review.

Trust by origin is the first defence; this is the second, for actions that did run and did
succeed. The check errs on the side of review, takes time in proportion to length, and sees
through obfuscation.
"""

from __future__ import annotations

import re

from twiceshy.core.text import fold_to_line
from twiceshy.safety.danger import commands, flow, hosts, phrases, protected_files
from twiceshy.safety.danger.containers import find_container_dangers
from twiceshy.safety.danger.folding import fold_text
from twiceshy.safety.danger.lines import join_runs, split_runs
from twiceshy.safety.danger.packages import is_install
from twiceshy.safety.danger.prohibitions import leave_out_forbidden
from twiceshy.safety.danger.readings import list_readings
from twiceshy.safety.danger.reasons import ENDPOINT, INSTALLS, INSTRUCTION, ORDER
from twiceshy.safety.danger.roles import ATTACK, EXECUTION, STANDING, find_orders
from twiceshy.safety.danger.standing import names_unknown_target
from twiceshy.safety.danger.variables import find_variable_dangers

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from twiceshy.core.trust import Origin
    from twiceshy.safety.danger.lines import WordRun
    from twiceshy.safety.danger.readings import Reading

__all__ = [
    "WITHHELD",
    "find_danger",
    "find_danger_for",
    "find_danger_in_order",
    "fold_text",
    "has_instruction",
    "quote_untrusted",
]

WITHHELD = "(withheld: reads like an instruction)"
_LONGEST_QUOTE = 110
_DEPTH = 2
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
_BRACKETS = str.maketrans(
    {"<": "‹", ">": "›", "＜": "‹", "＞": "›", "﹤": "‹", "﹥": "›", "`": "'"}
)


def find_danger(text: str, *, known_hosts: Collection[str] = ()) -> str:
    """Return the reason for review of a text; empty if harmless."""
    known = frozenset(host.lower() for host in known_hosts)
    return _choose_reason(_collect_reasons(text, known))


def find_danger_for(text: str, origin: Origin, *, known_hosts: Collection[str] = ()) -> str:
    """Return the reason for review of a text of some origin; empty if harmless.

    A user gives orders. What ran and what an agent of this machine wrote may advise. What a tool
    printed, a file held or another machine sent ("output") may describe and advise, too, but not
    order to run a script, a download or an unknown program every time.
    """
    if origin == "user":
        return find_danger_in_order(text, known_hosts=known_hosts)
    reason = find_danger(text, known_hosts=known_hosts)
    if origin == "output" and reason != INSTRUCTION and _has_standing_order(text):
        return INSTRUCTION
    return reason


def _has_standing_order(text: str) -> bool:
    return any(
        EXECUTION in find_orders(reading.raw) and names_unknown_target(reading.plain)
        for reading in list_readings(text)
    )


def find_danger_in_order(text: str, *, known_hosts: Collection[str] = ()) -> str:
    """Return the reason for review of a sentence that the user said; empty if harmless.

    Users give orders to agents, and an order not to do a dangerous thing is none.
    """
    parts = [(part, bool(_FORBIDS.search(part))) for part in _CLAUSE_ENDS.split(text)]
    said = "; ".join(_CONDITION.sub("", part) if forbids else part for part, forbids in parts)
    if any(
        phrases.attacks_agent(reading.plain) or ATTACK in find_orders(reading.raw)
        for reading in list_readings(said)
    ):
        return INSTRUCTION
    allowed = "; ".join(part for part, forbids in parts if not forbids)
    known = frozenset(host.lower() for host in known_hosts)
    return _choose_reason(_collect_reasons(allowed, known) - {INSTRUCTION})


def _collect_reasons(text: str, known: frozenset[str]) -> set[str]:
    return {
        reason for reading in list_readings(text) for reason in _list_reasons(reading, text, known)
    }


def _choose_reason(found: set[str]) -> str:
    return next((reason for reason in ORDER if reason in found), "")


def has_instruction(text: str) -> bool:
    """True if a text, or a text hidden in it, addresses an agent."""
    return any(
        phrases.instructs_agent(reading.plain) or INSTRUCTION in _list_orders(reading.raw)
        for reading in list_readings(text)
    )


def quote_untrusted(line: str) -> str:
    """Return tool output as a short line, safe to quote."""
    seen = "".join(each if each.isprintable() else " " for each in _ADDRESS.sub("(address)", line))
    quote = fold_to_line(seen.translate(_BRACKETS), limit=_LONGEST_QUOTE)
    # an address alone is no reason to withhold an error; to be told to talk to it is
    return quote if find_danger(line) in ("", ENDPOINT) and not find_danger(quote) else WITHHELD


def _list_orders(raw: str) -> set[str]:
    found = find_orders(raw) - {EXECUTION}
    return {INSTRUCTION if reason == STANDING else reason for reason in found}


def _list_reasons(reading: Reading, raw: str, known: frozenset[str]) -> Iterator[str]:
    yield from _list_orders(reading.raw)
    if phrases.instructs_agent(reading.plain):
        yield INSTRUCTION
    if not reading.guessed:
        text, told = (
            hosts.leave_out_remotes(leave_out_forbidden(each)) for each in (reading.plain, raw)
        )
        yield from _list_command_reasons(text, told, known)


def _list_command_reasons(text: str, raw: str, known: frozenset[str]) -> Iterator[str]:
    outer = split_runs(text)
    yield from phrases.find_phrase_dangers(join_runs(outer))
    found = list(_expand_quoted(outer))
    yield from flow.find_flow_dangers(found)
    yield from hosts.find_host_dangers(raw, text, found, known)
    for run in found:
        yield from commands.find_command_dangers(run)
        yield from protected_files.find_file_dangers(run)
        yield from find_container_dangers(run, known)
        yield from find_variable_dangers(run, known)
        if is_install(run):
            yield INSTALLS


def _expand_quoted(found: Iterable[WordRun], depth: int = _DEPTH) -> Iterator[WordRun]:
    """Yield runs, each followed by the runs of its quoted texts."""
    for run in found:
        yield run
        for quoted in run.quoted if depth else ():
            yield from _expand_quoted(split_runs(quoted), depth - 1)
