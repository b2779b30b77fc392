"""Parse a list item of a session file: type, reason or state, files and concepts."""

from __future__ import annotations

import re
from collections import Counter

from twiceshy.core.note import KINDS, Note
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    FactKind = Literal["decision", "pattern", "issue"]

OTHER = "other"
STATES = dict.fromkeys(("open", "reopened", "unresolved"), "open") | dict.fromkeys(
    ("resolved", "fixed", "closed", "done", "wontfix", "won't fix"), "resolved"
)
# A type is made of words; "[#12]" and "[REDACTED:jwt]" are text, "[x](y)" is a link.
_TYPE = re.compile(r"[*_`]*\[([ xX]?|[^\W\d][\w |/,-]{0,80})\](?!\()[*_`]*\s*")
_BOX_STATES = {"x": "resolved", "": "open"}
# A colon ends the content when a blank follows it, which none in a URL, a time, a path or a name in
# code has; the full-width one needs no blank. What stands between backquotes is code.
_COLON = re.compile(r"`[^`]*`|(?<!:):(?=\s|$)|(?<!\d)：|：(?!\d)")
_STATE = "|".join(map(re.escape, STATES))
_ENDS_IN_STATE = re.compile(rf"(?i)(.*?)\s*(?:[:：]|\s[-–—]|[(\[])\s*({_STATE})\s*[)\].!。]*")
_RESOLVED_BY = re.compile(r"(?i)(resolved|fixed|closed)(?:\s+(?:by|in|with|since|via|on)\b|[,;(])")
_TEMPLATE = re.compile(r"(?i)content(: reason)?|description(: open(\|resolved)?)?")
_EMPTY_WORDS = frozenset(("none", "n/a", "nothing", "-", "…", "...", "无", "無"))
_PRIVATE = "[PRIVATE]"
FACT_KINDS: tuple[FactKind, ...] = ("decision", "pattern", "issue")
_MAX_CONCEPTS = 10


class Fact(Value):
    """Decision, pattern or issue; ``state`` is empty if the file gives no state."""

    kind: FactKind
    text: str
    line: int
    subtype: str = OTHER
    why: str = ""
    state: str = ""
    files: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


class FactItem(Value):
    """List item: numbered lines, text without the bullet, and details listed below."""

    kind: FactKind
    lines: list[tuple[int, str]]
    text_lines: list[str]
    details: dict[str, list[str]]


def parse_fact(item: FactItem) -> Fact | str:
    """Parse the fact of a list item, or return the reason why there is no fact."""
    whole = " ".join(" ".join(item.text_lines).split())
    named = _TYPE.match(whole)
    label = named[1].strip().casefold() if named else ""
    text = whole[named.end() :] if named else whole
    if named and _PRIVATE.casefold() == f"[{label}]":  # the gate was here; it is no type
        label, text = "", whole
    if trouble := _find_problem(text):
        return trouble
    state = _BOX_STATES.get(label, "") if named else ""
    subtype = parse_subtype(item.kind, label)
    fact = Fact(item.kind, text, item.lines[0][0], subtype, state=state)
    match item.kind:
        case "decision":
            fact = _split_reason(fact)
        case "issue":
            fact = _split_state(fact)
        case "pattern":
            fact = fact.but(state="")
    return _add_details(fact, item.details) if fact.text else "it says nothing"


def parse_subtype(kind: FactKind, label: str) -> str:
    """Return the subtype named by a label; ``other`` for unknown or several labels."""
    name = "-".join(label.casefold().replace("_", " ").split())
    return name if name in KINDS[kind][0] else OTHER


def parse_state(word: str) -> str:
    """Return the issue state named by a word, or an empty string."""
    return STATES.get(word.strip(" .!。").casefold(), "")


def split_list(text: str) -> tuple[str, ...]:
    """Split a comma-separated list into distinct items without Markdown backquotes."""
    parts = (part.strip().strip("`").strip() for part in re.split("[,，、]", text))
    return tuple(dict.fromkeys(part for part in parts if part))


def _find_problem(text: str) -> str:
    if _TEMPLATE.fullmatch(text):
        return "the template was not filled in"
    if text.rstrip(".。").casefold() in _EMPTY_WORDS or not text.strip(" :：."):
        return "it says nothing"
    return "it says nothing that is not private" if text == _PRIVATE else ""


def _split_reason(fact: Fact) -> Fact:
    for found in _COLON.finditer(fact.text):
        if found[0].startswith("`"):
            continue
        text, why = fact.text[: found.start()].strip(), fact.text[found.end() :].strip()
        return fact.but(text=text, why=why, state="")
    return fact.but(state="")


def _split_state(fact: Fact) -> Fact:
    ends = _ENDS_IN_STATE.fullmatch(fact.text)
    if ends and ends[1]:
        return fact.but(text=ends[1], state=STATES[ends[2].casefold()])
    for found in _COLON.finditer(fact.text):
        told = fact.text[found.end() :].strip()
        if not found[0].startswith("`") and _RESOLVED_BY.match(told):
            return fact.but(text=fact.text[: found.start()].strip(), why=told, state="resolved")
    return fact


def _add_details(fact: Fact, details: dict[str, list[str]]) -> Fact:
    states = [parse_state(word) for word in details.get("state", ())]
    return fact.but(
        why="; ".join(filter(None, (fact.why, *details.get("why", ())))),
        state=states[-1] if states else fact.state,
        files=split_list(",".join(details.get("files", ()))),
        concepts=split_list(",".join(details.get("concepts", ()))),
    )


def summarise_facts(notes: Sequence[Note]) -> list[str]:
    """Summarise facts in a few lines: counts by type, open issues, concepts."""
    lines = []
    for kind in FACT_KINDS:
        own = [note for note in notes if note.kind == kind]
        counts = _rank_names(note.subtype for note in own)
        types = ", ".join(f"{count} {subtype}" for subtype, count in counts)
        lines.append(f"{kind}s: {len(own)}" + (f" ({types})" if types else ""))
    issues = sum((note.kind, note.state) == ("issue", "open") for note in notes)
    lines.append(f"open issues: {issues}")
    named = _rank_names(concept for note in notes for concept in note.concepts)
    if named:
        lines.append(f"concepts: {', '.join(name for name, _ in named[:_MAX_CONCEPTS])}")
    return lines


def _rank_names(names: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(names).items(), key=lambda one: (-one[1], one[0]))
