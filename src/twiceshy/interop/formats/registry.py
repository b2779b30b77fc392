"""Registry of formats: their content, and guessing by path.

Modules are loaded on demand: most runs need none.
"""

import re

from twiceshy.core.errors import NotFoundError
from twiceshy.core.note import KINDS
from twiceshy.interop.formats import FileFormat

_PACKAGE = "twiceshy.interop.formats"
_MODULES = {
    "fireworks": (
        "fireworks_knowledge",
        "fireworks_checkpoints",
        "fireworks_seeds",
        "fireworks_stats",
        "fireworks_log",
    ),
    "keeper_facts": ("keeper_facts",),
    "keeper_sessions": ("keeper_session", "keeper_archive", "keeper_log"),
    "engine_episodes": ("engine_session", "engine_handoff", "engine_diary", "engine_reflect"),
    "engine_notes": ("engine_pitfall", "engine_learned", "engine_notebook"),
    "lists": ("engine_hub", "engine_todo", "instructions", "markdown_list"),
    "pages": ("keeper_page", "engine_spoke", "markdown"),
    "vault": (
        *(f"vault_{kind}" for kind in KINDS if kind != "page"),
        "vault_page",
        *("vault_session", "vault_text", "vault_hub", "vault_top"),
    ),
}
FORMATS = {name: module for module, names in _MODULES.items() for name in names}
PLAIN = ("markdown", "markdown_list")
_HEAD = 4_000

# By the path of a file, and by how it begins; the first that fits is the likeliest.
_DAY = r"\d{4}-?\d\d-?\d\d"
_NAMES: tuple[tuple[str, str], ...] = (
    (r"skill-usage-stats\.json", "fireworks_stats"),
    (r"skill-memory\.log", "fireworks_log"),
    (r"facts\.json", "keeper_facts"),
    (r"checkpoints\.md", "fireworks_checkpoints"),
    (r"(.*/)?\.error_seeds|error-seeds/[^/]+\.txt", "fireworks_seeds"),
    (r"knowledge\.md|skills-knowledge\.md", "fireworks_knowledge"),
    (r"writing-review-list\.md", "engine_notebook"),
    (rf"auto-pitfall-{_DAY}[\w-]*\.md", "engine_pitfall"),
    (r"learned/[^/]+\.md", "engine_learned"),
    (rf"reflect-{_DAY}\.md", "engine_reflect"),
    (rf"diary/{_DAY}\.md", "engine_diary"),
    (rf"{_DAY}-[\w-]+-(session|compact|checkpoint)\.md", "engine_session"),
    (r"archive/\d{4}-\d\d\.md", "keeper_archive"),
    (rf"{_DAY}_\d{{4}}\.md", "keeper_session"),
    (r"handoff-[^/]+\.md", "engine_handoff"),
    (r"todo-status\.md", "engine_todo"),
    (r"\.claude/memory/memory\.md", "keeper_log"),
    (r"memory\.md", "engine_hub"),
    (r"(project|architecture|conventions)\.md", "keeper_page"),
    (r"(claude|agents|gemini)(\.local)?\.md", "instructions"),
    (r"memory/[^/]+\.md", "engine_spoke"),
)
_HEADS: tuple[tuple[str, str], ...] = (
    (r'\s*\{\s*"_meta"|\s*\{\s*"decisions"', "keeper_facts"),
    (r"# [^\n]+ — checkpoints\n", "fireworks_checkpoints"),
    (r"# [^\n]+ — experience\n|# Global Skills Principles\n", "fireworks_knowledge"),
    (r"\s*--- (error seed |\[\d{4}-)", "fireworks_seeds"),
    (r"# Writing Review List\n", "engine_notebook"),
    (r"# Pitfall Record ", "engine_pitfall"),
    (r"# Diary:? ?\d", "engine_diary"),
    (r"# Reflection: ", "engine_reflect"),
    (r"# (Session|Compact Snapshot|Checkpoint): ", "engine_session"),
    (r"# Session \d{4}-", "keeper_session"),
    (r"\s*## \d{4}-\d\d-\d\d[ _]\d\d:?\d\d", "keeper_log"),
    (r"# MEMORY\n", "engine_hub"),
    (r"# Todo Status\n", "engine_todo"),
    (r"(?s)---\nname: handoff-|# [^\n]+ Handoff\n", "engine_handoff"),
    (r"(?s)# [^\n]+\n.*\n## Problem\n.*\n## Solution\n", "engine_learned"),
)


def load_format(name: str) -> FileFormat:
    """Return a format by name; the error lists known formats."""
    if name not in FORMATS:
        raise NotFoundError(f"no format is called {name!r}", hint=f"one of: {', '.join(FORMATS)}")
    import importlib  # noqa: PLC0415 - only who reads or writes a file needs a format

    module = importlib.import_module(f"{_PACKAGE}.{FORMATS[name]}")
    found: FileFormat = getattr(module, name.upper())
    return found


def guess_formats(name: str, head: str) -> list[str]:
    """Return possible formats by path and first lines, likeliest first."""
    path = name.replace("\\", "/").casefold()
    begins = head[:_HEAD].removeprefix("\ufeff").replace("\r\n", "\n")
    told = [format_ for pattern, format_ in _HEADS if re.match(pattern, begins)]
    named = [format_ for pattern, format_ in _NAMES if re.search(rf"(?:^|/)(?:{pattern})$", path)]
    plain = PLAIN if path.endswith((".md", ".markdown", ".mdx", ".txt")) else ()
    # a name alone may be chance: where the text agrees with one of them, that is the one
    agreed = [one for one in named if one in told]
    return list(dict.fromkeys((*agreed, *named, *told, *plain)))
