"""Texts of audit findings, and suggested actions."""

from __future__ import annotations

from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twiceshy.project.audit.facts import AuditFinding

    Told = Mapping[str, object]
    Words = Callable[[Told], str]

_WIDTH = 80


def describe_finding(finding: AuditFinding) -> str:
    """Describe a finding; foreign text is shown on a safe line."""
    if finding.about == "sound":
        return _SOUND[finding.area](finding.message_values)
    return _MESSAGES[finding.about](_show_safely(finding.message_values))


def describe_action(finding: AuditFinding) -> str:
    """Describe the action for a finding; empty if none."""
    if finding.about == "sound":
        return ""
    return _ACTIONS[finding.about](_show_safely(finding.message_values))


def _show_safely(told: Told) -> dict[str, object]:
    return {
        name: fold_to_line(strip_unsafe(value), limit=_WIDTH) if isinstance(value, str) else value
        for name, value in told.items()
    }


def _on_page(told: Told) -> str:
    """Return the verb that changes a page, or the advice to edit the file."""
    return worded("edit the file") if told["file"] else f"twiceshy memory-set {told['name']}"


def _split(told: Told) -> str:
    if told["file"]:
        return worded("split it by topic into files that MEMORY.md points to")
    return worded("split it by topic: twiceshy memory-set TOPIC, then shorten {name}", **told)


def _topics(told: Told) -> str:
    if told["file"]:
        return worded("move what is no pointer into files of its own")
    return worded("merge topics: twiceshy memory-list")


def _reread(told: Told) -> str:
    if told["file"]:
        return worded("read it: does it still hold?")
    return worded("does it still hold? twiceshy memory-get {name}", **told)


def _unlisted(told: Told) -> str:
    if told["file"]:
        return worded("add a line to MEMORY.md, or delete the file")
    return worded("link it from a page, or retire it: twiceshy memory-get {name}", **told)


_SOUND: dict[str, Words] = {
    "memory": lambda told: worded(
        "notes: {notes}, pages: {pages}, lines of the hub: {hub_lines}", **told
    ),
    "commands": lambda told: worded("command files: {command_files}", **told),
    "hooks": lambda told: worded("runtimes connected: {runtimes}", **told),
    "project": lambda told: worded("instruction files: {instruction_files}", **told),
    "git": lambda told: worded("repositories: {repositories}, nothing uncommitted", **told),
}

_MESSAGES: dict[str, Words] = {
    "page-empty": lambda _: worded("the page is empty"),
    "page-fence": lambda _: worded("a block of code begins and does not end"),
    "page-large": lambda told: worded("{lines} lines, more than {most}", **told),
    "page-stale": lambda told: worded("not changed for {days} days", **told),
    "page-orphan": lambda _: worded("nothing leads to this page"),
    "hub-filling": lambda told: worded("the hub has {lines} of {most} lines", **told),
    "hub-full": lambda told: worded("the hub is full: {lines} lines, {most} is the most", **told),
    "link-broken": lambda told: worded("a link leads nowhere: {target}", **told),
    "note-twice": lambda told: worded("{count} notes say the same: {text}", **told),
    "note-near": lambda told: worded("nearly the same ({percent} %): {text}", **told),
    "line-twice": lambda told: worded(
        "lines that stand in each of them: {count}, the first: {text}", **told
    ),
    "instruction-twice": lambda told: worded(
        "lines that stand in {other} too: {count}, the first: {text}", **told
    ),
    "rule-conflict": lambda told: worded("these contradict: {one} / {other}", **told),
    "note-conflict": lambda told: worded("these may contradict: {one} / {other}", **told),
    "trigger-conflict": lambda told: worded("{count} notes wait for one call: {trigger}", **told),
    "skill-conflict": lambda told: worded(
        "these skills describe themselves alike: {text}", **told
    ),
    "skill-crowded": lambda told: worded("{count} notes, more than {most}", **told),
    "skill-gotchas": lambda told: worded("{percent} % of its notes are gotchas", **told),
    "vectors-missing": lambda told: worded("notes without a vector: {count}", **told),
    "view-drifted": lambda told: worded(
        "differs from the store: lessons only there: {only_there}, notes it lacks: {lacking}",
        **told,
    ),
    "reference-large": lambda told: worded("{lines} lines, more than {most}", **told),
    "reference-orphan": lambda told: worded("nothing in skill {skill} mentions this file", **told),
    "command-empty": lambda _: worded("the command is empty"),
    "command-dead": lambda told: worded("it calls twiceshy {verb}, which does not exist", **told),
    "command-twice": lambda told: worded("{count} different commands are called {name}", **told),
    "hook-dead": lambda told: worded("a hook starts {missing}, which is not there", **told),
    "hook-broken": lambda told: str(told["message"]),
    "hook-trouble": lambda told: str(told["message"]),
    "repository-dirty": lambda told: worded("changes that are not committed: {count}", **told),
    "repository-behind": lambda told: worded(
        "commits behind its remote: {count}, ahead: {ahead}", **told
    ),
}

_ACTIONS: dict[str, Words] = {
    "page-empty": _on_page,
    "page-fence": _on_page,
    "page-large": _split,
    "page-stale": _reread,
    "page-orphan": _unlisted,
    "hub-filling": _topics,
    "hub-full": _topics,
    "link-broken": lambda _: worded("correct the link, or write what it leads to"),
    "note-twice": lambda told: f"twiceshy retire {told['retire']}",
    "note-near": lambda told: f"twiceshy show {told['older']} {told['newer']}",
    "line-twice": lambda _: worded("keep it on one page, and link to it from the other"),
    "instruction-twice": lambda _: worded("keep it in one of the two"),
    "rule-conflict": lambda told: f"twiceshy retire {told['older']}",
    "note-conflict": lambda told: f"twiceshy retire {told['older']}",
    "trigger-conflict": lambda told: f"twiceshy retire {told['older']}",
    "skill-conflict": lambda _: worded("say in each SKILL.md what only it is for"),
    "skill-crowded": lambda told: f"twiceshy list --skill {told['skill']}",
    "skill-gotchas": lambda told: f"twiceshy list --skill {told['skill']} --type gotcha",
    "vectors-missing": lambda _: "twiceshy reembed",
    "view-drifted": lambda told: f"twiceshy show --skill {told['skill']}",
    "reference-large": lambda _: worded("split it by topic"),
    "reference-orphan": lambda _: worded("name it in SKILL.md, or delete it"),
    "command-empty": lambda _: worded("write what it does, or delete the file"),
    "command-dead": lambda _: "twiceshy overview",
    "command-twice": lambda _: worded("rename one of them"),
    "hook-dead": lambda _: worded("take the line out of the settings, or bring the program back"),
    "hook-broken": lambda told: str(told["hint"]).removeprefix("run: "),
    "hook-trouble": lambda told: str(told["hint"]).removeprefix("run: "),
    "repository-dirty": lambda _: "git status",
    "repository-behind": lambda _: "git pull",
}
