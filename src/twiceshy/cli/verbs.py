"""Table of commands: groups, summaries in both languages, and the module of each command."""

# heading → the verbs that the help page shows; `help --all` lists every verb
FACE = {
    "Every day": ("note", "search", "list", "show", "review", "undo", "todo", "handoff"),
    "Set up": ("install", "uninstall", "doctor", "status", "config"),
    "Proof": ("replay", "effect"),
    "Move": ("sync", "export", "import"),
    "More": ("page", "session", "tidy", "edit", "views", "mcp", "project", "help"),
}
# verb → what it does
COMMANDS = {
    "install": "Connect runtimes: sessions recall and write notes.",
    "uninstall": "Remove twiceshy from runtimes.",
    "note": "Write a note.",
    "learn": "Record a problem, its solution, and advice for next time.",
    "distill": "Learn from transcripts.",
    "recall": "Show the brief that an agent would get.",
    "inject": "Print the notes of a skill, for runtimes without hooks.",
    "checkpoint": "Write a quick remark about a skill.",
    "flush": "Keep the lessons of a session.",
    "extract-facts": "Turn the facts of a session file into notes.",
    "add-decision": "Record a decision and its reason.",
    "add-pattern": "Record a pattern of this project.",
    "add-issue": "Record an issue.",
    "resolve": "Mark an issue resolved.",
    "reopen": "Reopen a resolved issue.",
    "facts": "Count decisions, patterns and issues.",
    "keeper": "Count tool uses, and remind the agent to save.",
    "page": "List, print and set the pages of a project.",
    "memory-set": "Set a page: project, architecture, conventions, a topic.",
    "memory-get": "Print a page, or the first lines of every page.",
    "memory-list": "List the pages of a project and their size.",
    "save": "Save a text on the right page or as a note, only once.",
    "reload": "Print the memory of a project again.",
    "todo": "List open tasks, and suggest the next one.",
    "search": "Find notes by words and filters.",
    "memory-search": "Find a word in notes, pages and sessions, newest first.",
    "handoff": "Leave a handoff for the next session of this project.",
    "session": "List past sessions, print one, or learn from all.",
    "episodes": "List past sessions.",
    "tidy": "Look the memory over, and maintain it.",
    "tend": "Merge, promote, retire, expire and compress the memory.",
    "compress": "Fold old sessions into archives, and prune old records.",
    "show": "Show a note, or all notes of a skill.",
    "list": "List notes.",
    "edit": "Change a note; the history keeps the old wording.",
    "pin": "Pin a note: show it first, never retire it automatically.",
    "unpin": "Unpin a note.",
    "retire": "Hide a note (reversible).",
    "restore": "Show a hidden note again.",
    "forget": "Erase a note, an episode or a text everywhere.",
    "clear": "Retire many notes at once.",
    "move": "Move a note to another project or skill.",
    "project": "List, alias or merge projects.",
    "undo": "Undo the last change.",
    "history": "Show the changes of notes.",
    "why": "Show the origin, use and history of a note.",
    "effect": "Measure the effect and cost of notes.",
    "replay": "Replay old sessions: which notes would have come in time.",
    "analyze": "Learn from your edits, and count missed rules.",
    "correct": "List the error notebook with miss counts.",
    "review": "Decide about waiting rules and notes.",
    "reflect": "Review a week: useful, recurring and removable notes.",
    "diary": "Write the diary of a day.",
    "compact-guide": "Advise whether to compact now.",
    "mcp": "Serve notes to MCP clients.",
    "status": "Show what the memory holds, and what it did in the last week.",
    "cost": "Count model calls and tokens.",
    "reembed": "Compute missing vectors of notes.",
    "doctor": "Check the installation and the store.",
    "scan": "Find secrets that the memory holds, and erase them.",
    "check": "Check pages, commands, hooks and instruction files.",
    "full-check": "Check everything, including duplicated content.",
    "memory-health": "List pages and skills with their problems, and counts.",
    "overview": "List every command with its summary.",
    "help": "Show the commands, or how to use one.",
    "config": "Show or change settings.",
    "views": "Write notes as files that you can edit.",
    "backup": "Commit your notes and push them to your git remote.",
    "recover": "Pull from your remote.",
    "sync": "Pull changes of other devices, and push your own.",
    "export": "Write a bundle of the whole store.",
    "import": "Import notes of other programs, or a bundle.",
}
# module → its verbs, where that is not the verb's own name
_MODULES = {
    "handoff": ("diary", "handoff"),
    "health": ("doctor", "reembed", "status"),
    "history": ("history", "undo"),
    "import_": ("import",),
    "note_changes": ("edit", "move", "pin", "unpin", "retire", "restore", "resolve", "reopen"),
    "older.checks": ("check", "full-check", "memory-health"),
    "older.facts": ("add-decision", "add-pattern", "add-issue"),
    "older.pages": ("memory-get", "memory-list"),
    "older.session_facts": ("extract-facts", "facts"),
    "sharing": ("backup", "recover", "sync"),
    "older.skills": ("inject", "checkpoint", "flush"),
    "search": ("list", "search"),
    "show": ("recall", "show"),
    "transcripts": ("compact-guide", "distill"),
}
_OLDER = ("keeper", "memory-search", "memory-set", "overview", "reload", "save")
_MODULE_OF = {verb: f"twiceshy.cli.{name}" for name, verbs in _MODULES.items() for verb in verbs}
_MODULE_OF |= {verb: f"twiceshy.cli.older.{verb.replace('-', '_')}" for verb in _OLDER}
_MODULE_OF["mcp"] = "twiceshy.mcp.command"


def find_module(verb: str) -> str:
    """Return the module of a command.

    The module holds the click command as ``command``, or under the name of the verb; a name that
    Python uses itself ends in an underscore.
    """
    return _MODULE_OF.get(verb, f"twiceshy.cli.{verb.replace('-', '_')}")


def find_verb(word: str) -> str:
    """Return the command with an English or Chinese name; empty if unknown."""
    if word in COMMANDS:
        return word
    from twiceshy.runtimes.command_table import find_command_pair

    pair = find_command_pair(word)
    return pair.name if pair else ""


def find_chinese_name(verb: str) -> str:
    """Return the Chinese name of a command; empty for most commands."""
    from twiceshy.runtimes.command_table import find_command_pair

    pair = find_command_pair(verb)
    return pair.chinese if pair else ""


def describe_in_chinese(verb: str) -> str:
    """Return the Chinese summary of a command; empty if missing."""
    from twiceshy.runtimes.command_table import find_command_pair
    from twiceshy.wording.verbs import VERBS

    pair = find_command_pair(verb)
    return pair.about_chinese if pair else VERBS.get(verb, "")
