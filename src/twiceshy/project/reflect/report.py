"""Reflection report with fixed sections: sentences first, then figures, which the next reflection reads."""

from __future__ import annotations

from twiceshy.core.moment import DAY
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Figures = Mapping[str, int]

INTERVAL_DAYS = 7
LEARNED, PATTERNS, CORRECTIONS = "Learned", "Patterns", "Corrections"
CANDIDATES, OPEN_ENDS = "Candidates", "Open Ends"
STATS, HEALTH, PITFALLS = "Project Stats", "Memory Health", "Pitfall Stats"
CONCLUSION = "Conclusion"
UPDATES = "Suggested CLAUDE.md / MEMORY.md Updates"
_FIGURE_SECTIONS = (STATS, HEALTH, PITFALLS)
_SENTENCE_SECTIONS = (LEARNED, PATTERNS, CORRECTIONS, CANDIDATES, OPEN_ENDS)
SECTIONS = (*_SENTENCE_SECTIONS, *_FIGURE_SECTIONS, CONCLUSION, UPDATES)
_MAIN_FIGURES = ("Sessions", "Notes", "Pages", "Rules", "Pitfalls", "Recurring mistakes")
_OPEN_BOX, _TICKED_BOX = "- [ ] ", "- [x] "
_MAX_LENGTH = 300
_FENCE = "```"
_NONE = "- none"


class ReflectionReport(Value):
    """Content of a reflection report; figures are grouped by section."""

    project: str
    day: str
    figures: Mapping[str, Figures]
    verdict: str = ""  # of the audit, in words
    before: Mapping[str, int] = {}  # those of the last report
    work: str = ""  # the sessions of the week and what they did, in words
    learned: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()  # what comes back
    corrections: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    may_go: tuple[str, ...] = ()  # the candidates that something speaks against
    open_ends: tuple[str, ...] = ()
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
    lines += ["", _fold_line(report.work)] if report.work else []
    for name, items in _list_sentences(report):
        box = _OPEN_BOX if name == CANDIDATES else "- "
        lines += ["", f"## {name}", *([f"{box}{_fold_line(item)}" for item in items] or [_NONE])]
    for name in _FIGURE_SECTIONS:
        figures = report.figures.get(name, {})
        health = [f"- health: {report.verdict}"] if report.verdict and name == HEALTH else []
        rendered = [f"- {figure}" for figure in _render_figures(figures, report.before)]
        lines += ["", f"## {name}", *(health + rendered or [_NONE])]
    for name, some in (
        (CONCLUSION, [f"- {_fold_line(item)}" for item in report.conclusion]),
        (UPDATES, _fence_diff(report.updates)),
    ):
        lines += ["", f"## {name}", *(some or [_NONE])]
    return "\n".join(lines) + "\n"


def summarise_report(report: ReflectionReport) -> Iterator[str]:
    """Yield a report for a screen: its sentences, then the main figures in a line."""
    headings = {
        LEARNED: worded("Learned this week"),
        PATTERNS: worded("Comes back"),
        CORRECTIONS: worded("You corrected"),
        CANDIDATES: worded("May go"),
        OPEN_ENDS: worded("Open"),
    }
    yield " ".join((f"# {_fold_line(report.project)}, {report.day}:", _fold_line(report.work)))
    for name, items in _list_sentences(report.but(candidates=report.may_go)):
        yield from (
            ("", headings[name], *(f"- {_fold_line(item)}" for item in items)) if items else ()
        )
    figures = {name: number for some in report.figures.values() for name, number in some.items()}
    main = {name: figures[name] for name in _MAIN_FIGURES if name in figures}
    yield ""
    yield ", ".join(_render_figures(main, report.before))


def _list_sentences(report: ReflectionReport) -> list[tuple[str, tuple[str, ...]]]:
    items = (report.learned, report.patterns, report.corrections, report.candidates)
    return list(zip(_SENTENCE_SECTIONS, (*items, report.open_ends), strict=True))


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
        yield f"{name}: {number}{changed}"


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
