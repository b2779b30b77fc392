"""Select the material for a model: short spans with their speaker, redacted before cutting.

Failures come first, then everything in order. Our own briefs are removed: what we told an
agent is not what it found out, and a note must not become evidence for itself.
"""

from __future__ import annotations

from twiceshy.core.jsontext import parse_object, write
from twiceshy.core.text import clean
from twiceshy.core.transcript import AgentSaid, Called, Result, SkillUsed, UserSaid, attempts
from twiceshy.core.value import Value
from twiceshy.shell.summary import excerpt, target_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.core.transcript import Attempt, Step
    from twiceshy.core.trust import Origin

LONGEST_SPAN = 400
MOST_KNOWN = 10
_SHORTEST_THOUGHT = 80  # what an agent says in fewer characters is "Let me look at that."
_MOST_TOOLS = 15
# The newest of each: people say little and mean it, agents and tools say much.
_MOST: dict[Origin, int] = {"user": 12, "command": 40, "assistant": 6, "output": 5}
_MOST_FAILURES = 8
_BRIEFS = ("skill-memory", "project-memory", "twiceshy-note")
_BEFORE = 64_000  # characters that are redacted of a text from which 400 are kept
_PASSAGES = ("<private", "-----begin")  # what begins here ends many lines later
_BREAKS = frozenset("\r\n\t")


class Span(Value):
    """A message or call, with its origin and step number in the session."""

    origin: Origin
    text: str
    step: int = 0


class Material(Value):
    """The material for a model; ``existing`` are handles and texts of notes, newest first."""

    project: str
    session: str
    skill: str
    tools: tuple[str, ...]
    excerpts: tuple[Span, ...]
    existing: tuple[tuple[str, str], ...] = ()


def material_of(
    steps: Iterable[Step],
    *,
    project: str,
    redact: Callable[[str], str],
    skill: str = "",
    lines: int = 300,
    existing: Sequence[tuple[str, str]] = (),
) -> Material:
    """Build the material from the last steps of a session, ``lines`` at most."""
    last = list(steps)[-lines:]
    tried = {attempt.call.id: attempt for attempt in attempts(last)}
    failed = {name for name, attempt in tried.items() if _failed(attempt)}
    first: list[Span] = []
    rest: list[Span] = []
    for number, step in enumerate(last, start=1):
        to = first if _of_call(step) in failed else rest
        to += [Span(by, text, number) for by, text in _told(step, tried) if text.strip()]
    kept = (*first[-2 * _MOST_FAILURES :], *_newest(rest))
    safe = (span.but(text=_safe(span.text, redact)) for span in kept)
    names = dict.fromkeys(step.tool for step in last if isinstance(step, Called))
    return Material(
        project=project,
        session=last[-1].session if last else "",
        skill=skill,
        tools=tuple(filter(None, (_safe(name, redact) for name in names)))[:_MOST_TOOLS],
        excerpts=tuple(span for span in safe if span.text),
        existing=tuple((handle, _safe(text, redact)) for handle, text in existing[:MOST_KNOWN]),
    )


def digest(material: Material, *, purpose: str) -> str:
    """Hash the material of a paid call; known notes are not included."""
    import hashlib  # noqa: PLC0415 - 2.6 ms of OpenSSL that only distilling needs

    spans = [[span.origin, span.text] for span in material.excerpts]
    whole = write([purpose, material.project, material.skill, spans])
    return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:32]


def marker(tool: str, arguments: str) -> str:
    """Render a call as a line; a skill call is always ``TC: skill(name)``, with the given name."""
    if tool.lower() != "skill":
        return f"TC: {tool}({target_of(tool, arguments)})"
    return skill_marker(_skill_named(arguments))


def skill_marker(name: str) -> str:
    """Render the use of a skill; a name with line breaks is left out."""
    return f"TC: skill({name})" if name and _BREAKS.isdisjoint(name) else "TC: skill"


def without_briefs(text: str) -> str:
    """Remove our own briefs; an unclosed brief reaches to the end."""
    for tag in _BRIEFS:
        while (start := text.find(f"<{tag}")) >= 0:
            closing = f"</{tag}>"
            end = text.find(closing, start)
            text = text[:start] + (text[end + len(closing) :] if end >= 0 else "")
    return text


def _told(step: Step, tried: dict[str, Attempt]) -> Iterator[tuple[Origin, str]]:
    """Yield origin and text of a step; a call never run is only the agent's intention."""
    match step:
        case UserSaid(text=text):
            yield "user", text
        case AgentSaid(text=text) if len(text.strip()) > _SHORTEST_THOUGHT:
            yield "assistant", text
        case Called(id=call, tool=tool, arguments=arguments):
            yield "command" if _ran(tried[call]) else "assistant", marker(tool, arguments)
        case SkillUsed(name=name, how=how) if how != "tool":
            yield "command", skill_marker(name)
        case Result(text=text):
            known = tried.get(step.id)
            yield "user", known.result.reason if known and known.result else ""
            yield "output", text
        case _:
            return


def _ran(attempt: Attempt) -> bool:
    return attempt.result is not None and not attempt.result.refusal


def _failed(attempt: Attempt) -> bool:
    return attempt.result is not None and attempt.result.failed and not attempt.result.refusal


def _of_call(step: Step) -> str:
    return step.id if isinstance(step, Called | Result) else ""


def _newest(spans: list[Span]) -> list[Span]:
    left = dict(_MOST)
    kept = []
    for span in reversed(spans):
        if left[span.origin]:
            left[span.origin] -= 1
            kept.append(span)
    return kept[::-1]


def _safe(text: str, redact: Callable[[str], str]) -> str:
    """Redact, then cut: half a secret has no shape for a rule to recognise."""
    whole = clean(without_briefs(text))
    if len(whole) > _BEFORE:
        head, tail = whole[: _BEFORE // 2], whole[-_BEFORE // 2 :]
        folded = whole.casefold()
        inside = any(mark in folded for mark in _PASSAGES)  # perhaps the end of one is all we see
        whole = _to_blank(head) + ("" if inside else f"\n{_to_blank(tail[::-1])[::-1]}")
    return clean(excerpt(redact(whole), LONGEST_SPAN))


def _to_blank(text: str) -> str:
    """Return the text before the last blank, to avoid cutting a word."""
    return text[: max(text.rfind(" "), text.rfind("\n"), 0)]


def _skill_named(arguments: str) -> str:
    try:
        given = parse_object(arguments)
    except (ValueError, RecursionError):
        return ""
    names = (given.get(key) for key in ("skill", "name", "command"))
    return next((name for name in names if isinstance(name, str) and name), "")
