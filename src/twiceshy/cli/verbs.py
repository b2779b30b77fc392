"""Table of commands: summaries in both languages, and the module of each command."""

from __future__ import annotations

# verb → what it does
COMMANDS = {
    "install": "Connect a runtime, so that sessions recall and leave notes.",
    "uninstall": "Take twiceshy out of a runtime again.",
    "note": "Write a note.",
    "learn": "Write down a problem, its solution, and what to do next time.",
    "distill": "Learn from transcripts.",
    "recall": "Show what an agent would be told.",
    "inject": "Print what is known of a skill, for runtimes without hooks.",
    "checkpoint": "Write something down about a skill in passing.",
    "flush": "Keep the lessons that a session wrote down.",
    "extract-facts": "Make notes of the facts in a session file.",
    "add-decision": "Write down what was decided, and why.",
    "add-pattern": "Write down how things are done here.",
    "add-issue": "Write down what is wrong.",
    "resolve": "Say of an issue that it is resolved.",
    "reopen": "Say of an issue that it is open again.",
    "facts": "Count decisions, patterns and issues.",
    "keeper": "Count tool uses, and ask for a save as memory-keeper did.",
    "memory-set": "Set a page: project, architecture, conventions, a topic.",
    "memory-get": "Print a page, or how each of them begins.",
    "memory-list": "List the pages of a project and their size.",
    "save": "Save something where it belongs, and only once.",
    "reload": "Read again what is known of a project.",
    "todo": "List what is left to do, and suggest what is next.",
    "search": "Find notes by words and filters.",
    "memory-search": "Find a word in notes, pages and sessions, the newest first.",
    "handoff": "Leave word for the next session of this project.",
    "episodes": "List what sessions were about.",
    "tend": "Merge, promote, retire, expire and compress what is kept.",
    "compress": "Fold old sessions into archives; let old traces go.",
    "show": "Show one note, or all that a skill knows.",
    "list": "List notes.",
    "edit": "Change a note; its old wording stays in its history.",
    "pin": "Show a note first, and never retire it by itself.",
    "unpin": "Take a pin off.",
    "retire": "Show a note no longer; it can be restored.",
    "restore": "Show a retired note again.",
    "forget": "Erase a note everywhere.",
    "clear": "Retire many notes at once.",
    "move": "Move a note to another project or skill.",
    "project": "List projects, give one another name, or make two one.",
    "undo": "Take back the last change.",
    "history": "Show what changed, and when.",
    "why": "Tell where a note comes from and what became of it.",
    "effect": "Measure what notes do, and what they cost.",
    "replay": "Tell what would have been shown in time in old sessions.",
    "analyze": "Learn from what you edited, and count broken rules.",
    "correct": "List the error notebook, and how often rules were missed.",
    "review": "Decide about rules and notes that wait for you.",
    "reflect": "Look back at a week: what holds, what recurs, what may go.",
    "diary": "Write the diary of a day.",
    "compact-guide": "Tell whether now is a good moment to compact.",
    "mcp": "Serve notes to any client that speaks MCP.",
    "status": "Count what is kept.",
    "cost": "Count what models were asked for.",
    "reembed": "Find out what notes mean.",
    "doctor": "Check that everything is sound.",
    "check": "Look pages, commands, hooks and instruction files over.",
    "full-check": "Look everything over, also for what stands in two places.",
    "memory-health": "List pages and skills with what is wrong, and count the rest.",
    "overview": "List every command with a line on what it does.",
    "config": "Show or change settings.",
    "views": "Have notes as files that you can edit.",
    "backup": "Commit what was learned and push it to your git remote.",
    "recover": "Take in what your devices pushed; on a new one, all of it.",
    "sync": "Take in what other devices pushed, and push our own.",
    "export": "Write a bundle of everything.",
    "import": "Bring in what other programs kept, or a bundle.",
}
# module → its verbs, where that is not the verb's own name
_MODULES = {
    "import_": ("import",),
    "list_": ("list",),
    "marking": ("pin", "unpin", "retire", "restore", "resolve", "reopen"),
    "older.checks": ("check", "full-check", "memory-health"),
    "older.facts": ("add-decision", "add-pattern", "add-issue"),
    "older.session_facts": ("extract-facts", "facts"),
    "older.sharing": ("backup", "recover", "sync"),
    "older.skills": ("inject", "checkpoint"),
}
_OLDER = (
    *("flush", "keeper", "memory-get", "memory-list", "memory-search", "memory-set"),
    *("overview", "reload", "save"),
)
_MODULE_OF = {verb: f"twiceshy.cli.{name}" for name, verbs in _MODULES.items() for verb in verbs}
_MODULE_OF |= {verb: f"twiceshy.cli.older.{verb.replace('-', '_')}" for verb in _OLDER}
_MODULE_OF["mcp"] = "twiceshy.mcp.command"


def module_of(verb: str) -> str:
    """Return the module of a command.

    The module holds the click command as ``command`` or under the name of the command.
    """
    return _MODULE_OF.get(verb, f"twiceshy.cli.{verb.replace('-', '_')}")


def verb_named(word: str) -> str:
    """Return the command with an English or Chinese name; empty if unknown."""
    if word in COMMANDS:
        return word
    from twiceshy.runtimes.command_table import named

    pair = named(word)
    return pair.name if pair else ""


def chinese_name(verb: str) -> str:
    """Return the Chinese name of a command; empty for most commands."""
    from twiceshy.runtimes.command_table import named

    pair = named(verb)
    return pair.chinese if pair else ""


def describe_in_chinese(verb: str) -> str:
    """Return the Chinese summary of a command; empty if missing."""
    from twiceshy.runtimes.command_table import named
    from twiceshy.wording.verbs import VERBS

    pair = named(verb)
    return pair.about_chinese if pair else VERBS.get(verb, "")
