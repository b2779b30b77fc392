"""Check skills, command files, hooks, instruction files and git repositories.

The thresholds for skills come from magic-context's health pass: more than 100 notes, more than 30 %
gotchas, near-duplicates. The share is checked only for skills with more than 20 notes, because fewer
notes prove nothing.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from twiceshy.core.grouping import group_by
from twiceshy.core.text import normalise_text
from twiceshy.core.value import Value
from twiceshy.notes.pages import count_lines
from twiceshy.project.audit.facts import AuditFacts, AuditFinding, SkillFolder, build_finding

MAX_NOTES = 100
MAX_GOTCHA_SHARE = 0.30
_MIN_NOTES = 20
_MAX_REFERENCE = 300
_DESCRIPTION = "description:"
# In prose the name may be followed by any word; in code it is followed by a verb.
_CALL = re.compile(r"`twiceshy ([^\W\d_][\w-]*)(?=[\s`])")


class SkillTally(Value):
    """Counts of the store's notes about a skill."""

    skill: str
    notes: int
    pinned: int
    gotchas: int
    near: int
    without_vector: int

    @property
    def is_crowded(self) -> bool:
        """True if a skill has more notes than a brief can choose from well."""
        return self.notes > MAX_NOTES

    @property
    def has_many_gotchas(self) -> bool:
        """True if too many notes are gotchas, which tend to be general advice."""
        return self.notes > _MIN_NOTES and self.gotchas > MAX_GOTCHA_SHARE * self.notes


def count_skills(facts: AuditFacts) -> list[SkillTally]:
    """Count the notes of each skill, sorted by name."""
    groups = group_by((one for one in facts.notes if one.scope.skill), lambda n: n.scope.skill)
    return [
        SkillTally(
            skill,
            notes=len(notes),
            pinned=sum(note.pinned for note in notes),
            gotchas=sum(note.subtype == "gotcha" for note in notes),
            near=sum(one.scope.skill == skill for one, _, _ in facts.near),
            without_vector=sum(note.id in facts.without_vector for note in notes),
        )
        for skill, notes in sorted(groups.items())
    ]


def find_crowded_skills(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find skills with too many notes or too many gotchas."""
    for tally in count_skills(facts):
        skill, where = tally.skill, f"skill {tally.skill}"
        if tally.is_crowded:
            most = {"count": tally.notes, "most": MAX_NOTES}
            yield build_finding("skill-crowded", "memory", where, skill=skill, **most)
        if tally.has_many_gotchas:
            percent = round(100 * tally.gotchas / tally.notes)
            yield build_finding("skill-gotchas", "memory", where, skill=skill, percent=percent)


def find_missing_vectors(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find notes without a vector."""
    missing = [note for note in facts.notes if note.id in facts.without_vector]
    if missing:
        yield build_finding("vectors-missing", "memory", "notes", count=len(missing))


def find_drifted_views(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find views that differ from the store."""
    for drift in facts.drifts:
        said = {"only_there": drift.only_there, "lacking": drift.lacking, "skill": drift.skill}
        yield build_finding("view-drifted", "memory", drift.place, **said)


def check_references(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find references of a SKILL.md that are missing, too large, or never mentioned."""
    for skill in facts.skills:
        for target in skill.dead:
            yield build_finding("link-broken", "commands", skill.place, target=target)
        for reference in skill.references:
            where = f"{skill.place}: {reference.name}"
            if (lines := count_lines(reference.text)) > _MAX_REFERENCE:
                most = {"lines": lines, "most": _MAX_REFERENCE}
                yield build_finding("reference-large", "commands", where, **most)
            if not _is_mentioned(reference.name, skill):
                yield build_finding("reference-orphan", "commands", where, skill=skill.name)


def find_same_descriptions(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find skills with the same description, which a model cannot tell apart."""
    groups: dict[str, dict[str, SkillFolder]] = {}
    for skill in facts.skills:
        if key := normalise_text(skill.description):
            groups.setdefault(key, {}).setdefault(skill.name, skill)
    for same in groups.values():
        if len(same) > 1:
            names = sorted(same)
            said = same[names[0]].description
            yield build_finding("skill-conflict", "commands", ", ".join(names), text=said)


def parse_description(text: str) -> str:
    """Parse the description in a SKILL.md's front matter; empty if missing."""
    lines = text.removeprefix("\ufeff").splitlines()
    if lines[:1] != ["---"]:
        return ""
    head = lines[1 : lines.index("---", 1) if "---" in lines[1:] else len(lines)]
    for at, line in enumerate(head):
        if line.startswith(_DESCRIPTION):
            below = takewhile(lambda each: each[:1] in (" ", "\t"), head[at + 1 :])
            said = line.removeprefix(_DESCRIPTION).strip().strip("\"'|>-+")
            return " ".join(" ".join((said, *below)).split())
    return ""


def _is_mentioned(name: str, skill: SkillFolder) -> bool:
    """True if a skill mentions a reference file or its folder."""
    folder, _, file = name.rpartition("/")
    texts = (skill.text, *(other.text for other in skill.references if other.name != name))
    stem = file.rpartition(".")[0] or file
    whole = re.compile(re.escape(f"{folder}/") + r"(?![\w.-])") if folder else None
    return any(stem in text or (whole and whole.search(text)) for text in texts)


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
    for name, same in group_by(facts.commands, lambda command: command.name).items():
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
