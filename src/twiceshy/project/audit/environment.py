"""Check command files, hooks, instruction files and git repositories."""

from __future__ import annotations

import re

from twiceshy.project.audit.finding import build_finding

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.project.audit.facts import AuditFacts, CommandFile
    from twiceshy.project.audit.finding import AuditFinding

# In prose the name may be followed by any word; in code it is followed by a verb.
_CALL = re.compile(r"`twiceshy ([^\W\d_][\w-]*)(?=[\s`])")


def check_commands(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find command files without text, or with an unknown twiceshy verb."""
    for command in facts.commands:
        if not command.text.strip():
            yield build_finding("command-empty", "commands", command.place)
        for verb in dict.fromkeys(_CALL.findall(command.text)):
            if verb not in facts.verbs:
                yield build_finding("command-dead", "commands", command.place, verb=verb)


def find_shadowed_commands(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find different commands with the same name in two folders; one hides the other."""
    named: dict[str, list[CommandFile]] = {}
    for command in facts.commands:
        named.setdefault(command.name, []).append(command)
    for name, same in named.items():
        if len({command.text for command in same}) > 1:
            places = ", ".join(command.place for command in same)
            yield build_finding("command-twice", "commands", places, name=name, count=len(same))


def check_hooks(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find hooks that cannot fire: ours by their state, foreign hooks by their programs."""
    for looked in facts.hooks:
        if looked.verdict != "ok":
            about = "hook-broken" if looked.verdict == "broken" else "hook-trouble"
            said = {"message": looked.message, "hint": looked.hint}
            yield build_finding(about, "hooks", looked.what, **said)
    for dead in facts.dead_hooks:
        said = {"command": dead.command, "missing": dead.missing}
        yield build_finding("hook-dead", "hooks", dead.place, **said)


def check_instructions(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find missing files imported or linked by instruction files."""
    for each in facts.instructions:
        for target in each.dead:
            yield build_finding("link-broken", "project", each.place, target=target)


def check_repositories(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find repositories with uncommitted changes, or behind their remote."""
    for each in facts.repositories:
        if each.changed:
            yield build_finding("repository-dirty", "git", each.root, count=each.changed)
        if each.behind:
            said = {"count": each.behind, "ahead": each.ahead}
            yield build_finding("repository-behind", "git", each.root, **said)
