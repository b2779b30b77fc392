"""Gather what is known about each note from outside the note; read-only."""

import os
from collections.abc import Mapping, Sequence
from functools import cache

from twiceshy.app import App
from twiceshy.core.grouping import group_by
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE
from twiceshy.places import skill as skills
from twiceshy.project.audit.facts import NoteContext
from twiceshy.project.audit.replaced import find_covering_rule, find_replacements
from twiceshy.store.vectors import compare_terms


def gather_contexts(app: App, notes: Sequence[Note], root: str) -> Mapping[str, NoteContext]:
    """Return the evidence about each note but rules: outcomes, files, skill, newer notes, rules."""
    newer = find_replacements(notes, compare_terms)
    rules = [note for note in notes if note.kind == "rule" and note.status == "active"]
    rules.sort(key=lambda note: note.scope.project == EVERYWHERE)
    outcomes = group_by(app.store.list_outcomes(), lambda outcome: outcome.note)

    @cache
    def find_version(skill: str) -> str:
        found = skills.find_skill(skill, app.skill_search_path(root))
        return app.skill_version(found) if found else ""

    found = {}
    for note in notes:
        if note.kind == "rule":
            continue
        by, rule = newer.get(note.id), find_covering_rule(note, rules)
        skill = note.scope.skill if note.skill_hash else ""
        # a note for all projects names files of none
        base = "" if note.scope.project == EVERYWHERE else root
        found[note.id] = NoteContext(
            replaced_by=by.handle if by else "",
            rule=rule.id if rule else "",
            missing=tuple(file for file in note.files if _is_file_gone(file, base)),
            skill_changed=bool(skill) and find_version(skill) not in ("", note.skill_hash),
            outcomes=tuple(outcomes.get(note.id, ())),
        )
    return found


def _is_file_gone(file: str, root: str) -> bool:
    """True if a file of the project no longer exists; False for files outside."""
    path = file.partition(":")[0]
    inside = path and not os.path.isabs(path) and ".." not in path.split("/")
    if not (root and inside and os.path.isdir(root)) or "*" in path:
        return False
    return not os.path.lexists(os.path.join(root, path))
