"""Check skills: too many notes, missing references, unmentioned files.

The thresholds come from magic-context's health pass: more than 100 notes, more than 30 % gotchas,
near-duplicates. The share is checked only for skills with more than 20 notes, because fewer notes
prove nothing.
"""

from __future__ import annotations

import re
from itertools import takewhile

from twiceshy.core.text import normalise
from twiceshy.core.value import Value
from twiceshy.notes.pages.condition import line_count
from twiceshy.project.audit.finding import found

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note
    from twiceshy.project.audit.facts import Facts, SkillFolder
    from twiceshy.project.audit.finding import Finding

CROWDED = 100
GOTCHAS = 0.30
_ENOUGH = 20
_LARGEST_REFERENCE = 300
_DESCRIPTION = "description:"


class SkillTally(Value):
    """Counts of the store's notes about a skill."""

    skill: str
    notes: int
    pinned: int
    gotchas: int
    near: int
    without_vector: int

    @property
    def crowded(self) -> bool:
        """True if a skill has more notes than a brief can choose from well."""
        return self.notes > CROWDED

    @property
    def one_sided(self) -> bool:
        """True if too many notes are gotchas, which tend to be general advice."""
        return self.notes > _ENOUGH and self.gotchas > GOTCHAS * self.notes


def tallies(facts: Facts) -> list[SkillTally]:
    """Count the notes of each skill, sorted by name."""
    groups: dict[str, list[Note]] = {}
    for note in facts.notes:
        if note.scope.skill:
            groups.setdefault(note.scope.skill, []).append(note)
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


def crowds(facts: Facts) -> Iterator[Finding]:
    """Find skills with too many notes or too many gotchas."""
    for tally in tallies(facts):
        where = f"skill {tally.skill}"
        if tally.crowded:
            most = {"count": tally.notes, "most": CROWDED}
            yield found("skill-crowded", "memory", where, skill=tally.skill, **most)
        if tally.one_sided:
            percent = round(100 * tally.gotchas / tally.notes)
            yield found("skill-gotchas", "memory", where, skill=tally.skill, percent=percent)


def missing_vectors(facts: Facts) -> Iterator[Finding]:
    """Find notes without a vector."""
    missing = [note for note in facts.notes if note.id in facts.without_vector]
    if missing:
        yield found("vectors-missing", "memory", "notes", count=len(missing))


def drifted(facts: Facts) -> Iterator[Finding]:
    """Find views that differ from the store."""
    for drift in facts.drifts:
        said = {"only_there": drift.only_there, "lacking": drift.lacking, "skill": drift.skill}
        yield found("view-drifted", "memory", drift.place, **said)


def references(facts: Facts) -> Iterator[Finding]:
    """Find references of a SKILL.md that are missing, too large, or never mentioned."""
    for skill in facts.skills:
        for target in skill.dead:
            yield found("link-broken", "commands", skill.place, target=target)
        for reference in skill.references:
            where = f"{skill.place}: {reference.name}"
            if (lines := line_count(reference.text)) > _LARGEST_REFERENCE:
                most = {"lines": lines, "most": _LARGEST_REFERENCE}
                yield found("reference-large", "commands", where, **most)
            if not _mentioned(reference.name, skill):
                yield found("reference-orphan", "commands", where, skill=skill.name)


def same_descriptions(facts: Facts) -> Iterator[Finding]:
    """Find skills with the same description, which a model cannot tell apart."""
    groups: dict[str, dict[str, SkillFolder]] = {}
    for skill in facts.skills:
        if key := normalise(skill.description):
            groups.setdefault(key, {}).setdefault(skill.name, skill)
    for same in groups.values():
        if len(same) > 1:
            names = sorted(same)
            said = same[names[0]].description
            yield found("skill-conflict", "commands", ", ".join(names), text=said)


def description_of(text: str) -> str:
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


def _mentioned(name: str, skill: SkillFolder) -> bool:
    """True if a skill mentions a reference file or its folder."""
    folder, _, file = name.rpartition("/")
    texts = (skill.text, *(other.text for other in skill.references if other.name != name))
    stem = file.rpartition(".")[0] or file
    whole = re.compile(re.escape(f"{folder}/") + r"(?![\w.-])") if folder else None
    return any(stem in text or (whole and whole.search(text)) for text in texts)
