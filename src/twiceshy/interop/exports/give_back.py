"""Give kept files back in an export: as they were found, with what changed and what is new."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from twiceshy.app import is_started_by_agent
from twiceshy.core import jsontext
from twiceshy.interop.exports import ExportedContent, ExportedFile, keeper, make_distinct
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.keeper_facts import KEEPER_FACTS, mend_file, number_after
from twiceshy.interop.formats.registry import load_format
from twiceshy.interop.held_back import mark_item, mark_parts, withhold_parts
from twiceshy.interop.originals import OriginalFile, list_originals, restore_text
from twiceshy.interop.views.update_text import ViewUpdate, update_json, update_text
from twiceshy.project.episodes.archive import drop_archived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from twiceshy.app import App

    RenderLayout = Callable[[ExportedContent], Iterator[ExportedFile]]

# form of an export → the source whose files it gives back
SOURCES = {"fireworks": "fireworks", "keeper": "memory-keeper", "engine": "memory-engine"}
# Formats that a new item joins; what else has a kept file's path gets another name.
_FACTS = "keeper_facts"
# what stands before sessions behind those of a kept file
_APPENDED = {"keeper_log": "", "keeper_archive": "\n---\n\n"}
_LISTS = (
    *("engine_todo", "engine_notebook", "engine_pitfall"),
    *("fireworks_knowledge", "fireworks_checkpoints"),
)
_COUNTS = "fireworks_stats"  # is written anew if the counts changed
_TITLE = "# "  # begins a file of one note, which is marked there
_HUB, _POINTER, _HEADING = "engine_hub", "- [", "## "


def render_with_originals(
    app: App, form: str, held: ExportedContent, layout: RenderLayout, ids: Sequence[str] | None
) -> Iterator[ExportedFile]:
    """Yield the files of an export: kept files first, then what did not come from them."""
    kept = {file.path: file for file in list_originals(app, SOURCES[form], ids)}
    if form == "keeper":
        kept = keeper.place_originals(held, kept)
    told = {note.id for note in held.notes}
    cover = partial(_cover_text, app, held)
    texts = {path: restore_text(app, file, cover) for path, file in kept.items()}
    fresh, joined = [], dict[str, tuple[str, ...]]()
    given_back = {path: file for path, file in kept.items() if texts[path]}
    rest = _subtract_originals(held, given_back)
    for file in layout(rest.but(kept={path: one.text for path, one in kept.items()})):
        if text := texts.get(file.path):
            called = held.find_project(kept[file.path].project).name
            added = _add_items(app, kept[file.path], text, file.text, called)
            if added is not None:
                texts[file.path] = added
                joined[file.path] = file.notes
                continue
        fresh.append(file)
    given = [
        ExportedFile(
            path,
            text,
            (
                *told.intersection(kept[path].objects),
                *joined.get(path, ()),
                *_list_pages_within(held, text),
            ),
        )
        for path, text in texts.items()
        if text
    ]
    yield from make_distinct(iter([*given, *fresh]))


def _list_pages_within(held: ExportedContent, text: str) -> Iterator[str]:
    """Yield the ids of pages whose lines all stand in a file, such as the prose between lessons."""
    lines = set(text.splitlines())
    for note in held.notes:
        if note.kind == "page" and lines.issuperset(note.text.splitlines()):
            yield note.id


def _cover_text(app: App, held: ExportedContent, name: str, text: str) -> str:
    """Return lines of a kept file as who exports may have them: a person marked, an agent without."""
    if not text.strip() or (name and name not in held.marked):
        return text
    note = app.store.note(name) if name else None
    if is_started_by_agent():
        return "" if note else withhold_parts(text)
    marked = mark_parts(text, note.reason if note else "")
    whole = note is not None and (marked == text or text.startswith(_TITLE))
    return mark_item(text, note.reason) if note and whole else marked


def _subtract_originals(held: ExportedContent, kept: dict[str, OriginalFile]) -> ExportedContent:
    """Return what no kept file gives back."""
    gone = frozenset(each for file in kept.values() for each in file.objects)
    rest = (one for one in held.episodes if one.id not in gone)
    return held.but(
        notes=[note for note in held.notes if note.id not in gone],
        episodes=[one for each in rest if (one := drop_archived(each, gone))],
        checkpoints=[one for one in held.checkpoints if one.key not in gone],
    )


def _add_items(app: App, file: OriginalFile, text: str, fresh: str, called: str) -> str | None:
    """Return a kept file with new items; None for a file that holds one thing.

    ``called`` is the name of its project.
    """
    if file.form in _LISTS:
        form = load_format(file.form)
        about = FileContext(file.project, name=file.path, now=app.store.now())
        update = ViewUpdate(
            fresh=form.parse_text(_fit_title(fresh, text, called), about),
            blank=form.render_items((), about),
            name=lambda item: item.key,
            gone=lambda _: False,
            refused=lambda _: True,
        )
        return update_text(form.parse_text(text, about), update)
    if file.form == _FACTS:
        return _add_facts(app, file, text, fresh)
    if file.form in _APPENDED:
        between = "" if text.endswith("\n") else "\n"
        return f"{text}{between}{_APPENDED[file.form]}{fresh}"
    if file.form == _HUB:
        return _add_pointers(text, fresh)
    if file.form:
        return fresh if file.form == _COUNTS else None
    return _add_names(text, fresh) if file.path.endswith(".json") else _add_lines(text, fresh)


def _fit_title(fresh: str, text: str, called: str) -> str:
    """Return new items below a heading that a kept file has in place of a title that it has not.

    It is the section of the name of the project, or the file's own title, or a new section.
    """
    title, _, items = fresh.partition("\n")
    lines = [line.strip() for line in text.splitlines()]
    if not title.startswith(_TITLE) or title in lines:
        return fresh
    if items.lstrip("\n").startswith("#"):  # the items have a section of their own
        return items
    section = f"{_HEADING}{called}"
    own = (
        section
        if section in lines
        else next((line for line in lines if line.startswith(_TITLE)), "")
    )
    if own:
        return f"{own}\n{items}"
    return f"\n{section}\n{items}" if any(map(_is_section, lines)) else items.lstrip("\n")


def _is_section(line: str) -> bool:
    return line.startswith(_HEADING)


def _add_facts(app: App, file: OriginalFile, text: str, fresh: str) -> str:
    """Return a facts.json with new facts, numbered behind those that it has."""
    about = FileContext(file.project, name=file.path, now=app.store.now())
    update = ViewUpdate(
        fresh=KEEPER_FACTS.parse_text(number_after(text, fresh), about),
        blank=(),
        name=lambda item: item.key,
        gone=lambda _: False,
        refused=lambda _: True,
    )
    return update_json(KEEPER_FACTS.parse_text(text, about), update, mend_file)


def _add_pointers(text: str, fresh: str) -> str:
    """Return a hub with pointers to new pages below its last pointer."""
    lines = text.splitlines(keepends=True)
    new = [line for line in fresh.splitlines(keepends=True) if line.startswith(_POINTER)]
    at = max((n + 1 for n, line in enumerate(lines) if line.startswith(_POINTER)), default=None)
    at = len(lines) if at is None else at
    return "".join((*lines[:at], *new, *lines[at:])) if new else text


def _add_lines(text: str, fresh: str) -> str:
    """Return an index with new lines on top of their sections, and new sections at its end."""
    lines, section = text.splitlines(keepends=True), ""
    new: dict[str, list[str]] = {}
    for line in fresh.splitlines(keepends=True):
        section = line.strip() if line.startswith(_HEADING) else section
        if line.startswith("- ") and line not in lines:
            new.setdefault(section, []).append(line)
    for heading, added in new.items():
        at = next((n for n, line in enumerate(lines) if line.strip() == heading), None)
        if at is None:
            lines += ["\n", f"{heading}\n", *added]
        else:
            lines[at + 1 : at + 1] = added
    return "".join(lines)


def _add_names(text: str, fresh: str) -> str:
    """Return a list of names with new names at its end; anything else as it was."""
    try:
        known, new = jsontext.parse_json(text), jsontext.parse_json(fresh)
    except (ValueError, RecursionError):
        return text
    if not isinstance(known, list) or not isinstance(new, list):
        return text
    added = [name for name in new if name not in known]
    return f"{jsontext.write_json([*known, *added])}\n" if added else text
