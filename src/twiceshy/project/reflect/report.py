"""Reflection report with fixed sections; the next reflection reads its figures."""

from __future__ import annotations

from twiceshy.core.moment import DAY
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Figures = Mapping[str, int]

INTERVAL_DAYS = 7
STATS, HEALTH, PITFALLS = "Project Stats", "Memory Health", "Pitfall Stats"
PATTERNS, CANDIDATES, CONCLUSION = "Patterns", "Candidates", "Conclusion"
UPDATES = "Suggested CLAUDE.md / MEMORY.md Updates"
SECTIONS = (STATS, HEALTH, PITFALLS, PATTERNS, CANDIDATES, CONCLUSION, UPDATES)
_FIGURE_SECTIONS = SECTIONS[:3]
_OPEN_BOX, _TICKED_BOX = "- [ ] ", "- [x] "
_MAX_LENGTH = 300
_FENCE = "```"


class ReflectionReport(Value):
    """Content of a reflection report; figures are grouped by section."""

    project: str
    day: str
    figures: Mapping[str, Figures]
    verdict: str = ""  # of the audit, in words
    before: Mapping[str, int] = {}  # those of the last report
    patterns: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    conclusion: tuple[str, ...] = ()
    updates: str = ""


def is_reflection_due(last_at: int, now: int, *, sessions: int = 1) -> bool:
    """True if a reflection is due: never done or a week old, and work has happened."""
    return sessions > 0 and (not last_at or now - last_at >= INTERVAL_DAYS * DAY)


def report_file_name(day: str) -> str:
    """Return the name of a report's file, in the memory-engine format."""
    return f"reflect-{day}.md"


def render_report(report: ReflectionReport) -> str:
    """Render a report with every section, empty sections included."""
    lines = [f"# Reflection: {report.day}", f"**Project:** {_fold_line(report.project)}"]
    for name in _FIGURE_SECTIONS:
        figures = report.figures.get(name, {})
        health = [f"- health: {report.verdict}"] if report.verdict and name == HEALTH else []
        lines += ["", f"## {name}", *health, *_render_figures(figures, report.before)]
    for name, items in (
        (PATTERNS, [f"- {_fold_line(item)}" for item in report.patterns]),
        (CANDIDATES, [f"{_OPEN_BOX}{_fold_line(item)}" for item in report.candidates]),
        (CONCLUSION, [f"- {_fold_line(item)}" for item in report.conclusion]),
        (UPDATES, _fence_diff(report.updates)),
    ):
        lines += ["", f"## {name}", *(items or ["- none"])]
    return "\n".join(lines) + "\n"


def parse_figures(text: str) -> dict[str, int]:
    """Parse the figures of a report; skip every other line."""
    found: dict[str, int] = {}
    for section in _FIGURE_SECTIONS:
        for line in _section_lines(text, section):
            name, colon, rest = line.removeprefix("- ").partition(": ")
            number = rest.partition(" ")[0]
            if line.startswith("- ") and colon and number.isascii() and number.isdecimal():
                found[name] = int(number)
    return found


def tick_candidate(text: str, number: int, answer: str) -> str:
    """Return a report with the ``number``-th candidate ticked off and answered."""
    before, heading, rest = text.partition(f"\n## {CANDIDATES}\n")
    boxes, gap, behind = rest.partition("\n\n")
    lines, at = boxes.split("\n"), -1
    for where, line in enumerate(lines):
        at += line.startswith((_OPEN_BOX, _TICKED_BOX))
        if at == number:
            said = line[len(_OPEN_BOX) :].partition(" → ")[0]
            lines[where] = f"{_TICKED_BOX}{said} → {_fold_line(answer)}"
            break
    return before + heading + "\n".join(lines) + gap + behind


def _section_lines(text: str, section: str) -> list[str]:
    """Return the lines of the first section with a name."""
    return text.partition(f"\n## {section}\n")[2].partition("\n\n")[0].split("\n")


def _render_figures(figures: Figures, before: Figures) -> Iterable[str]:
    for name, number in figures.items():
        was = before.get(name)
        changed = f" (was {was})" if was is not None and was != number else ""
        yield f"- {name}: {number}{changed}"


def _fence_diff(diff: str) -> list[str]:
    """Fence a patch with more backquotes than the patch contains."""
    if not diff.strip():
        return []
    fence = _FENCE
    while fence in diff:
        fence += "`"
    return [f"{fence}diff", *diff.rstrip("\n").split("\n"), fence]


def _fold_line(text: str) -> str:
    """Fold text to a line without the arrow that marks an answer."""
    return fold_to_line(strip_unsafe(text).replace(" → ", " -> "), limit=_MAX_LENGTH)
