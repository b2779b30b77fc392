"""Files as memory-keeper 7 writes them, for any content: each function renders one of its files."""

from __future__ import annotations

import json
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FOLDER = ".claude/memory"
SESSION = "2025-12-21_0300"
TYPES = {
    "decisions": ("architecture", "technology", "approach", "other"),
    "patterns": ("convention", "best-practice", "anti-pattern", "other"),
    "issues": ("bugfix", "performance", "security", "feature", "other"),
}
# The session file of the document, with a text in each of its places.
DOCUMENT = """# Session 2025-12-21_0300
## Summary
Moved the login to the CLI. The slow query is mended. Two tests are new.
## Decisions
- [architecture] Use CLI: Reliable
- files: src/cli.ts, src/main.ts
- concepts: authentication, state-management
## Patterns
- [convention] Run tests before commit
- concepts: testing, workflow
## Issues
- [performance] Query takes 3s: resolved
- files: src/db.ts
- concepts: performance
"""


@dataclass(frozen=True)
class KeeperFact:
    """A decision, pattern or issue as both of its files tell it."""

    section: str
    content: str
    type: str = "other"
    reason: str = ""
    status: str = "open"
    files: Sequence[str] = ()
    concepts: Sequence[str] = ()

    @property
    def line(self) -> str:
        """The item below its heading in a session file."""
        behind = {"decisions": f": {self.reason}", "patterns": "", "issues": f": {self.status}"}
        lists = (("files", self.files), ("concepts", self.concepts))
        below = "".join(f"  - {name}: {', '.join(each)}\n" for name, each in lists if each)
        return f"- [{self.type}] {self.content}{behind[self.section]}\n{below}"

    def entry(self, number: int, day: str = "2025-12-21") -> dict[str, object]:
        """The entry in facts.json."""
        entry: dict[str, object] = {
            "id": f"{self.section[0]}{number:03}",
            "type": self.type,
            "date": day,
            "content": self.content,
        }
        own = {"decisions": {"reason": self.reason}, "issues": {"status": self.status}}
        entry |= own.get(self.section, {})
        lists = {"files": list(self.files), "concepts": list(self.concepts)}
        return entry | {name: each for name, each in lists.items() if each}


def session(
    facts: Sequence[KeeperFact], name: str = SESSION, summary: str = "Moved it.", more: str = ""
) -> str:
    """A session file; ``more`` are sections that no parser of memory-keeper reads."""
    parts = [f"# Session {name}\n\n## Summary\n{summary}\n"]
    for section in TYPES:
        own = [fact.line for fact in facts if fact.section == section]
        parts += [f"\n## {section.title()}\n", *own] if own else []
    return "".join(parts) + more


def facts_json(facts: Sequence[KeeperFact], *, gaps: Sequence[int] = (), counter: int = 3) -> str:
    """A facts.json as ``JSON.stringify`` writes it; ``gaps`` are numbers that were removed."""
    told: dict[str, object] = {"_meta": {"counter": counter, "lastSave": None}}
    index: dict[str, list[str]] = {}
    for section in TYPES:
        own = [fact for fact in facts if fact.section == section]
        free = [number for number in range(1, len(own) + len(gaps) + 1) if number not in gaps]
        entries = [fact.entry(number) for number, fact in zip(free, own, strict=False)]
        told[section] = entries
        for fact, entry in zip(own, entries, strict=True):
            for concept in fact.concepts:
                index.setdefault(concept.lower(), []).append(str(entry["id"]))
    told["concepts"] = index
    return json.dumps(told, indent=2, ensure_ascii=False)


def log(sections: Sequence[tuple[str, str]]) -> str:
    """A memory.md, as ``echo -e`` appends to it."""
    return "".join(f"\n## {stamp}\n{summary}\n" for stamp, summary in sections)


def write_files(project: Path, files: Mapping[str, str]) -> None:
    """Write files of a project's memory to the byte."""
    for name, text in files.items():
        path = project / FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def read_files(folder: Path) -> dict[str, str]:
    """Return the files of a project's memory in an export."""
    root = folder / FOLDER
    paths = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes().decode() for path in paths}


_WORDS = st.lists(
    st.one_of(
        st.text(string.ascii_lowercase, min_size=2, max_size=9),
        st.text("重構登入流程保留舊介面測試資料庫", min_size=2, max_size=6),
    ),
    min_size=3,
    max_size=8,
)
_TEXTS = _WORDS.map(" ".join)
_NAMES = st.text(string.ascii_lowercase, min_size=3, max_size=8)


@st.composite
def _facts(draw: st.DrawFn, section: str) -> KeeperFact:
    files = draw(st.lists(_NAMES.map(lambda name: f"src/{name}.ts"), max_size=2, unique=True))
    return KeeperFact(
        section,
        draw(_TEXTS),
        draw(st.sampled_from(TYPES[section])),
        draw(_TEXTS),
        draw(st.sampled_from(("open", "resolved"))),
        files,
        draw(st.lists(_NAMES, max_size=3, unique=True)),
    )


@st.composite
def memories(draw: st.DrawFn) -> dict[str, str]:
    """A project's memory: any facts, sections left out or added, any line ends, gaps in ids."""
    facts = [draw(_facts(section)) for section in TYPES for _ in range(draw(st.integers(0, 3)))]
    more = draw(st.sampled_from(("", "\n## Next Steps\n- look at the mails\n", "\nTo be done.\n")))
    stamp = draw(st.sampled_from((SESSION, "2025-12-21 03:00")))
    pages = ("project", "architecture", "conventions")
    files = {
        f"sessions/{SESSION}.md": session(facts, summary=draw(_TEXTS), more=more),
        "memory.md": log([(stamp, draw(_TEXTS))]),
        **{f"{name}.md": f"# {draw(_TEXTS)}\n\n{draw(_TEXTS)}\n" for name in pages},
    }
    for name in draw(st.sets(st.sampled_from(sorted(files)))):
        files[name] = files[name].rstrip("\n")
    for name in draw(st.sets(st.sampled_from(sorted(files)))):
        files[name] = files[name].replace("\n", "\r\n")
    gaps = draw(st.sets(st.integers(1, 3), max_size=2))
    files["facts.json"] = facts_json(facts, gaps=sorted(gaps), counter=draw(st.integers(0, 4)))
    return files
