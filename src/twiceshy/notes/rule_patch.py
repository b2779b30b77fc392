"""A rule as a patch for an instructions file, applied by the user, never by us."""

import os
from collections.abc import Iterator, Sequence

from twiceshy.app import App
from twiceshy.core.errors import NoteError, NotFoundError, UnsafeNameError
from twiceshy.core.note import Note
from twiceshy.core.text import normalise_text, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.files import open_plain

HEADING = "Rules learned from earlier sessions"
_BULLETS = ("- ", "* ", "+ ")
_NO_NEWLINE = "\\ No newline at end of file"
_SKILL_FILE = "SKILL.md"


class RulePatch(Value):
    """A diff that adds a rule to a file; empty if present."""

    path: str
    root: str
    diff: bytes


def plan_rule_patch(app: App, note: Note, into: str) -> RulePatch:
    """Build the patch for an instructions file by name."""
    if note.kind != "rule":
        raise NoteError(
            f"{note.handle} is a {note.kind}, not a rule",
            hint="write it as one first: twiceshy note --kind rule",
        )
    # a patch cannot be applied through a link
    path = os.path.realpath(_target_path(app, note, into))
    root = os.path.realpath(app.current_project().root or app.cwd)
    if os.path.commonpath((root, path)) != root:
        root = os.path.dirname(path)
    diff = build_patch(os.path.relpath(path, root), _read_content(path), note)
    return RulePatch(path, root, diff)


def _target_path(app: App, note: Note, into: str) -> str:
    """Return the file of a name: a skill's, a project's, or a path."""
    if into == _SKILL_FILE and note.scope.skill:
        from twiceshy.places import skill as skills  # noqa: PLC0415 - few rules are a skill's

        found = skills.find_skill(
            note.scope.skill, app.skill_search_path(app.current_project().root)
        )
        if found is None:
            raise NotFoundError(
                f"cannot find the skill {note.scope.skill!r} from this folder",
                hint=f"give the path of its {_SKILL_FILE}",
            )
        return found.path
    if os.path.basename(into) == into and not os.path.exists(os.path.join(app.cwd, into)):
        return os.path.join(app.current_project().root or app.cwd, into)
    return os.path.join(app.cwd, into)


def _read_content(path: str) -> bytes | None:
    try:
        with open(path, "rb", opener=open_plain) as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotFoundError(
            f"cannot read {path}: {error.strerror}", hint="give the path of a Markdown file"
        ) from error


def build_patch(name: str, content: bytes | None, note: Note) -> bytes:
    """Return a unified diff that adds a rule; empty if present.

    ``name`` is the file name from where the patch is applied; ``content`` is None for a missing
    file.
    """
    _check_text(name)
    if content is not None and b"\0" in content:
        raise NoteError(f"{name} is no text", hint="give a Markdown file: CLAUDE.md, AGENTS.md")
    # what is no UTF-8 passes through as it is
    text = (content or b"").decode("utf-8", "surrogateescape")
    old = _split_lines(text)
    new = add_rule_line(old, _render_bullet(note))
    if new == old:
        return b""
    diff = "".join(_unified_diff(name, old, new, exists=content is not None))
    return diff.encode("utf-8", "surrogateescape")


def add_rule_line(old: Sequence[str], rule: str) -> list[str]:
    """Return the lines of a file with a rule under our heading, with its own line ends."""
    bullets = (line for line in old if line.startswith(_BULLETS))
    if any(normalise_text(line) == normalise_text(rule) for line in bullets):
        return list(old)
    end = "\r\n" if old and old[0].endswith("\r\n") else "\n"
    headings = (number for number, line in enumerate(old) if _is_our_heading(line))
    at = next(headings, None)
    if at is None:
        before = _end_last_line(old, end)
        blank = [end] if before and before[-1].strip() else []
        return [*before, *blank, f"## {HEADING}{end}", end, rule + end]
    last = _last_line(old, at)
    gap = [] if old[last].startswith((*_BULLETS, " ", "\t")) else [end]
    return [*_end_last_line(old[: last + 1], end), *gap, rule + end, *old[last + 1 :]]


def _render_bullet(note: Note) -> str:
    text = " ".join(strip_unsafe(note.text).split())
    why = " ".join(strip_unsafe(note.why).split())
    return f"- {text}" + (f" ({why})" if why else "")


def _is_our_heading(line: str) -> bool:
    return line.startswith("#") and line.strip("# \r\n").casefold() == HEADING.casefold()


def _last_line(lines: Sequence[str], heading: int) -> int:
    """Return the last non-blank line of the section; the heading if empty."""
    last = heading
    for number in range(heading + 1, len(lines)):
        if lines[number].startswith("#"):
            break
        if lines[number].strip():
            last = number
    return last


def _split_lines(text: str) -> list[str]:
    """Split after line feeds only, like diff and patch."""
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


def _end_last_line(lines: Sequence[str], end: str) -> list[str]:
    """Return the lines with the last line ended."""
    whole = list(lines)
    if whole and not whole[-1].endswith("\n"):
        whole[-1] += end
    return whole


def _unified_diff(name: str, old: list[str], new: list[str], *, exists: bool) -> Iterator[str]:
    from difflib import unified_diff  # noqa: PLC0415 - only who asks for a patch pays for it

    # a name with a blank in it ends where a tab begins
    end = "\t" if " " in name else ""
    before = f"a/{name}{end}" if exists else "/dev/null"
    diff = unified_diff(old, new, before, f"b/{name}{end}")
    for line in diff:
        yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n"


def _check_text(name: str) -> None:
    if any(char < " " or char in '"\\\x7f' for char in name):
        raise UnsafeNameError(
            f"{name!r} cannot be named in a patch",
            hint="rename the file, or copy the rule by hand",
        )
