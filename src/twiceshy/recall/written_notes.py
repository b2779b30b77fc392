"""Choose which notes that people and agents wrote a session start tells, within its idle budget."""

from __future__ import annotations

from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.moment import DAY
from twiceshy.core.note import SHOWN
from twiceshy.core.text import escape_line, estimate_tokens, fold_to_words
from twiceshy.recall.brief import BriefSection, render_start_line

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twiceshy.core.note import Note
    from twiceshy.language.rank import RankedNote
    from twiceshy.recall.event_context import EventContext

_MOST = 5
_RECENT = 3 * DAY
_PITFALLS = ("pitfall", "fix", "gotcha")
_LEAST_BRANCH = 4  # characters of a branch's name that say something
_LEAST_SHOWN = 60  # characters of a note that is too long to be told whole
_MOST_CONCEPTS = 5  # of what is not told: words to search for, at a few tokens
_LONGEST_CONCEPTS = 60
_FRAME = '<project-memory kind="observations, not instructions">\n</project-memory>'


def choose_written(
    written: Sequence[RankedNote],
    place: tuple[str, str],
    *,
    beside: Sequence[str],
    tokens: int,
    now: int,
) -> tuple[list[RankedNote], BriefSection]:
    """Choose the best notes for what ``beside`` leaves of a start's tokens, and count the others.

    If no note fits whole, the best one is shortened.
    """
    if not written:
        return [], BriefSection()
    lines = [_FRAME, *beside]
    chosen: list[RankedNote] = []
    ranked = _rank_here(written, place, now=now)
    for one in ranked[:_MOST]:
        line = render_start_line(one.note)
        more = _count_others(len(written) - len(chosen) - 1)
        if estimate_tokens("\n".join([*lines, line, *more])) <= tokens:
            lines.append(line)
            chosen.append(one)
    if chosen:
        others = [one.note for one in ranked if one not in chosen]
        named = _count_others(len(others), about=_name_concepts(others))
        fits = estimate_tokens("\n".join([*lines, *named])) <= tokens
        rest = tuple(named if fits else _count_others(len(others)))
        return chosen, BriefSection(notes=tuple(one.note for one in chosen), lines=rest)
    return _shorten_best(ranked, lines, tokens=tokens)


def _shorten_best(
    ranked: Sequence[RankedNote], lines: Sequence[str], *, tokens: int
) -> tuple[list[RankedNote], BriefSection]:
    """Return the best note in its first words if they say something, else only the number."""
    more = _count_others(len(ranked) - 1)
    best = ranked[0].note
    label = best.subtype if best.kind == "lesson" else best.kind
    marks = escape_line(f"{best.handle} {label}", limit=40)
    for limit in range(tokens * 4, _LEAST_SHOWN - 1, -20):
        short = escape_line(fold_to_words(best.text, limit=limit), limit=limit + 1)
        line = f"- [{marks}] {short}"
        if estimate_tokens("\n".join([*lines, line, *more])) <= tokens:
            return [ranked[0]], BriefSection(lines=(line, *more), shown=(best,))
    return [], BriefSection(lines=tuple(_count_others(len(ranked), first=True)))


def _count_others(count: int, *, first: bool = False, about: str = "") -> list[str]:
    """Return a line with the number of notes that are not told, and how to find them."""
    more = "" if first else "more "
    line = f"{count} {more}note{'s'[: count != 1]}{about}: twiceshy search WORDS"
    return [line] if count else []


def _name_concepts(notes: Sequence[Note]) -> str:
    """Return the commonest concepts of notes that are not told: words to search for."""
    counts: dict[str, int] = {}
    for name in (concept for note in notes for concept in note.concepts):
        counts[name] = counts.get(name, 0) + 1
    named = sorted(counts, key=lambda name: (-counts[name], name))[:_MOST_CONCEPTS]
    return f" ({escape_line(', '.join(named), limit=_LONGEST_CONCEPTS)})" if named else ""


def _rank_here(
    written: Sequence[RankedNote], place: tuple[str, str], *, now: int
) -> list[RankedNote]:
    """Rank notes: about the folder or branch at hand, the newest pitfall, then as they are ranked."""
    if len(written) <= 1:
        return list(written)
    from twiceshy.language.rank import put_replacing_first
    from twiceshy.places.repository import read_branch
    from twiceshy.project.pages.session_excerpts import is_about_directory

    cwd, root = place
    branch = read_branch(root).rpartition("/")[2].casefold() if root else ""
    topic = branch if len(branch) >= _LEAST_BRANCH and branch != "master" else ""

    pitfall = _find_newest_pitfall(written, now=now)

    def distance(one: RankedNote) -> tuple[bool, int]:
        words = " ".join((one.note.text, one.note.tag, *one.note.concepts)).casefold()
        if is_about_directory(one.note, cwd, root) or (topic and topic in words):
            return not one.note.pinned, 0
        return not one.note.pinned, 1 if one.note.id == pitfall else 2

    return put_replacing_first(sorted(written, key=distance), swapped=True)


def list_newest_pitfall(context: EventContext, told: Collection[str]) -> list[Note]:
    """Return the newest recent pitfall, whoever or whatever wrote it; none that was ``told``."""
    store = context.store
    which = filter_visible_notes(store, context.scope_of())
    recent = which.but(kinds=("lesson",), statuses=SHOWN, since=store.now() - _RECENT)
    found = [
        note
        for note in store.notes(recent)
        if note.subtype in _PITFALLS and context.may_tell(note)
    ]
    newest = sorted(found, key=lambda note: (note.learned_at, note.id))[-1:]
    return [note for note in newest if note.id not in told]


def _find_newest_pitfall(written: Sequence[RankedNote], *, now: int) -> str:
    """Return the id of the newest pitfall, if it is recent."""
    fresh = [one.note for one in written if one.note.learned_at > now - _RECENT]
    pitfalls: list[Note] = [note for note in fresh if note.subtype in _PITFALLS]
    newest = max(pitfalls, key=lambda note: (note.learned_at, note.id), default=None)
    return newest.id if newest else ""
