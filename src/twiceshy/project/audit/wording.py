"""Texts of audit findings, and suggested actions."""

from collections.abc import Mapping

from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.project.audit.facts import AuditFinding, AuditResult
from twiceshy.wording import worded

_WIDTH = 80

# Each text is a sentence with translations, or a command that is the same in every language.
SOUND = {
    "memory": "notes: {notes}, for all projects: {everywhere}, rules: {rules}, pages: {pages}, lines of the hub: {hub_lines}",
    "commands": "command files: {command_files}",
    "hooks": "runtimes connected: {runtimes}",
    "project": "instruction files: {instruction_files}",
    "git": "repositories: {repositories}, nothing uncommitted",
}
MESSAGES = {
    "page-empty": "the page is empty",
    "page-fence": "a block of code begins and does not end",
    "page-large": "{lines} lines, more than {most}",
    "page-stale": "not changed for {days} days",
    "page-orphan": "nothing leads to this page",
    "hub-filling": "the hub has {lines} of {most} lines",
    "hub-full": "the hub is full: {lines} lines, {most} is the most",
    "link-broken": "a link leads nowhere: {target}",
    "note-twice": "{count} notes say the same: {text}",
    "note-near": "nearly the same ({percent} %): {text}",
    "note-covered": "rule {rule} says the same",
    "note-superseded": "its state is superseded",
    "note-replaced": "{newer} is newer and takes its place",
    "note-contradicted": "{reason}",
    "note-over": "its time is over",
    "note-finished": "{state}, and {days} days old",
    "note-gone": "gone: {files}",
    "note-works": "what it warns of worked in the last {count} sessions",
    "note-useless": "it came up often, and helped nobody",
    "note-files": "gone: {files}",
    "note-skill": "the skill {skill} has changed since",
    "line-twice": "lines that stand in each of them: {count}, the first: {text}",
    "instruction-twice": "lines that stand in {other} too: {count}, the first: {text}",
    "rule-conflict": "these contradict: {one} / {other}",
    "note-conflict": "these may contradict: {one} / {other}",
    "trigger-conflict": "{count} notes wait for one call: {trigger}",
    "skill-conflict": "these skills describe themselves alike: {text}",
    "skill-crowded": "{count} notes, more than {most}",
    "skill-gotchas": "{percent} % of its notes are gotchas",
    "vectors-missing": "notes without a vector: {count}",
    "view-drifted": "differs from the store: lessons only there: {only_there}, notes it lacks: {lacking}",
    "reference-large": "{lines} lines, more than {most}",
    "reference-orphan": "nothing in skill {skill} mentions this file",
    "command-empty": "the command is empty",
    "command-dead": "it calls twiceshy {verb}, which does not exist",
    "command-twice": "{count} different commands are called {name}",
    "hook-dead": "a hook starts {missing}, which is not there",
    "hook-broken": "{message}",
    "hook-trouble": "{message}",
    "repository-dirty": "changes that are not committed: {count}",
    "repository-behind": "commits behind its remote: {count}, ahead: {ahead}",
}
ACTIONS = {
    "page-empty": "twiceshy memory-set {name}",
    "page-fence": "twiceshy memory-set {name}",
    "page-large": "split it by topic: twiceshy memory-set TOPIC, then shorten {name}",
    "page-stale": "does it still hold? twiceshy memory-get {name}",
    "page-orphan": "link it from a page, or retire it: twiceshy memory-get {name}",
    "hub-filling": "merge topics: twiceshy memory-list",
    "hub-full": "merge topics: twiceshy memory-list",
    "link-broken": "correct the link, or write what it leads to",
    "note-twice": "twiceshy retire {retire}",
    "note-near": "twiceshy show {older} {newer}",
    **dict.fromkeys(
        (
            *("note-covered", "note-superseded", "note-replaced", "note-contradicted"),
            *("note-over", "note-finished", "note-gone", "note-works", "note-useless"),
            *("note-files", "note-skill"),
        ),
        "twiceshy reflect",
    ),
    "line-twice": "keep it on one page, and link to it from the other",
    "instruction-twice": "keep it in one of the two",
    "rule-conflict": "twiceshy retire {older}",
    "note-conflict": "twiceshy retire {older}",
    "trigger-conflict": "twiceshy retire {older}",
    "skill-conflict": "say in each SKILL.md what only it is for",
    "skill-crowded": "twiceshy list --skill {skill}",
    "skill-gotchas": "twiceshy list --skill {skill} --type gotcha",
    "vectors-missing": "twiceshy reembed",
    "view-drifted": "twiceshy show --skill {skill}",
    "reference-large": "split it by topic",
    "reference-orphan": "name it in SKILL.md, or delete it",
    "command-empty": "write what it does, or delete the file",
    "command-dead": "twiceshy overview",
    "command-twice": "rename one of them",
    "hook-dead": "take the line out of the settings, or bring the program back",
    "hook-broken": "{hint}",
    "hook-trouble": "{hint}",
    "repository-dirty": "git status",
    "repository-behind": "git pull",
}
# advised for a file instead of a page of the store
FILE_ACTIONS = {
    "page-empty": "edit the file",
    "page-fence": "edit the file",
    "page-large": "split it by topic into files that MEMORY.md points to",
    "page-stale": "read it: does it still hold?",
    "page-orphan": "add a line to MEMORY.md, or delete the file",
    "hub-filling": "move what is no pointer into files of its own",
    "hub-full": "move what is no pointer into files of its own",
}


def describe_finding(finding: AuditFinding) -> str:
    """Describe a finding; foreign text is shown on a safe line."""
    if finding.about == "sound":
        return worded(SOUND[finding.area], **finding.values)
    return worded(MESSAGES[finding.about], **_show_safely(finding.values))


def describe_verdict(result: AuditResult) -> str:
    """Describe an audit in one line, the same in every verb."""
    if not result.findings:
        return "OK"
    return worded(
        "{verdict}: {broken} broken, {warnings} to look at; all of it: twiceshy full-check",
        verdict=result.verdict,
        broken=result.broken,
        warnings=result.warnings,
    )


def describe_action(finding: AuditFinding) -> str:
    """Describe the action for a finding; empty if none."""
    actions = ACTIONS | FILE_ACTIONS if finding.values.get("file") else ACTIONS
    action = worded(actions.get(finding.about, ""), **_show_safely(finding.values))
    return action.removeprefix("run: ")


def _show_safely(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: fold_to_line(strip_unsafe(value), limit=_WIDTH) if isinstance(value, str) else value
        for name, value in values.items()
    }
