"""Files as memory-engine 1.6 writes them, for any content: each function renders one of its files."""

from __future__ import annotations

import json
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

DAY = "2026-11-16"
SESSION = "a1b2c3d4"
LEARNED = "skills/learned"


@dataclass(frozen=True)
class Work:
    """What a session, compact or checkpoint file tells."""

    title: str
    requests: Sequence[str]
    project: str = "shop"
    messages: int = 3
    tools: Sequence[str] = ("Bash", "Edit")
    files: Sequence[str] = ("cart.py",)


def session(work: Work, day: str = DAY) -> str:
    """A summary, as written when a conversation ends."""
    return f"# Session: {day}\n{_facts(work)}\n{_lists(work)}"


def compact(work: Work, trigger: str = "auto", day: str = DAY) -> str:
    """A snapshot, as written before the context is compressed."""
    head = f"# Compact Snapshot: {day}\n{_facts(work)}**Trigger:** {trigger}\n**Type:** compact\n"
    return f"{head}\n{_lists(work)}"


def checkpoint(work: Work, day: str = DAY) -> str:
    """A checkpoint, as written every twenty messages: it names no project."""
    return (
        f"# Checkpoint: {day}\n**Title:** {work.title}\n**Messages:** {work.messages}\n\n"
        f"## What was being done\nfixing, testing\n\n## User Requests\n{_bullets(work.requests)}"
    )


def diary(did: Iterable[str], learned: Iterable[str], patterns: Iterable[str]) -> str:
    """A diary of a day."""
    return (
        f"# Diary {DAY}\n\n## What I did today\n{_bullets(did)}\n"
        f"## What I learned\n{_bullets(learned)}\n## Patterns I noticed\n{_bullets(patterns)}"
    )


def index(lines: Iterable[str], project: str = "shop") -> str:
    """The index of session files by project."""
    return f"# Project Index\n\n## {project}\n{_bullets(lines)}"


def learned(title: str, problem: str, solution: str, next_time: str, project: str = "shop") -> str:
    """A lesson that was saved by hand."""
    return (
        f"# {title}\n\n**Date:** {DAY}\n**Project:** {project}\n\n## Problem\n{problem}\n\n"
        f"## Solution\n{solution}\n\n## Next Time\n{next_time}\n"
    )


def pitfalls(issues: Iterable[tuple[str, Sequence[str]]]) -> str:
    """The pitfalls that were found before a compression."""
    told = "".join(f"\n### {kind}\n{_bullets(lines)}" for kind, lines in issues)
    return f"# Pitfall Record {DAY}\n\n## Detected Issues\n{told}"


def notebook(rules: Iterable[tuple[str, str, int, str, str]], category: str = "Tone") -> str:
    """The error notebook: name, rule, misses, state, example."""
    told = "".join(
        f"\n### {name}\n- **Rule:** {rule}\n- **Missed:** {missed} times\n- **Status:** {state}\n"
        + (f"- **Example:** {example}\n" if example else "")
        for name, rule, missed, state, example in rules
    )
    return f"# Writing Review List\n\n## {category}\n{told}"


def hub(pointers: Iterable[tuple[str, str]]) -> str:
    """MEMORY.md: a pointer to each page, with a description."""
    return "# Memory\n\n" + "".join(
        f"- [{name}]({name}.md) — {about}\n" for name, about in pointers
    )


def page(name: str, about: str, text: str) -> str:
    """A page of a topic."""
    return f"---\nname: {name}\ndescription: {about}\ntype: project\n---\n\n{text}\n"


def todo(tasks: Iterable[tuple[str, bool]], project: str = "shop") -> str:
    """The open and done tasks of a project."""
    lines = "".join(f"- [{'x' if done else ' '}] {task}\n" for task, done in tasks)
    return f"# Todo Status\n\n## {project}\n\n{lines}"


def handoff(topic: str, status: str, done: Iterable[str], left: Iterable[str]) -> str:
    """A handoff to the next session."""
    boxes = "".join(f"- [ ] {task}\n" for task in left)
    return (
        f"---\nname: handoff-{topic}\ndescription: {status}\ntype: project\n---\n\n"
        f"# {topic.title()} Handoff\n\n**Status:** {status}\n**Date:** {DAY}\n\n"
        f"## What was done\n{_bullets(done)}\n## What's left to do\n{boxes}\n"
        f"## Key decisions\n- cookies stay\n\n## Files modified\n- login.py\n"
    )


def home(slug: str) -> dict[str, str]:
    """One file of every kind, by its path below ``~/.claude``."""
    work = Work("Translate the checkout", ["Translate the checkout", "日期格式改成 ISO"])
    memory = f"projects/{slug}/memory"
    state = {SESSION: {"count": 20, "messages": ["Translate the checkout"], "lastSeen": 1}}
    return {
        f"sessions/{DAY}-7gk2-session.md": session(work),
        f"sessions/{DAY}-{SESSION}-compact.md": compact(work),
        f"sessions/{DAY}-{SESSION}-checkpoint.md": checkpoint(work),
        f"sessions/reflect-{DAY}.md": f"# Reflection: {DAY}\n\n## Conclusion\n- Mostly dates.\n",
        f"sessions/diary/{DAY}.md": diary(["moved the form"], ["helm waits"], ["dates again"]),
        "sessions/project-index.md": index(
            [f"{DAY} 09:30 | Translate the checkout | {DAY}-7gk2-session.md"]
        ),
        "sessions/.handoff-read.json": '["handoff-login.md", "handoff-old.md"]',
        "sessions/.checkpoint-state.json": json.dumps(state, indent=2),
        f"{LEARNED}/tags-need-fetch.md": learned(
            "Old tags were released", "The tag lay on an old commit.", "Fetch first.", "Fetch."
        ),
        f"{LEARNED}/auto-pitfall-20261116.md": pitfalls(
            [
                ("error-then-fix", ["Bash on build.sh failed, then worked", "error: node 18"]),
                ("retry", ["Edit on cart.py was tried 5 times"]),
                ("user-correction", ["wrong, I meant the other page"]),
            ]
        ),
        f"{LEARNED}/writing-review-list.md": notebook(
            [
                ("用字", "用「網路」不用「網絡」", 1, "cleared", ""),
                ("No exclamation marks", "Write plain full stops", 3, "active", "Hi! → Hi."),
            ]
        ),
        f"{memory}/MEMORY.md": hub([("deploy", "how we ship"), ("todo-status", "open work")]),
        f"{memory}/deploy.md": page(
            "deploy", "how we ship", "# Deploy\n\nUse helm.\n\n## Canary\n"
        ),
        f"{memory}/todo-status.md": todo([("Write the changelog", False), ("Rename it", True)]),
        f"{memory}/handoff-login.md": handoff("login", "half done", ["the form"], ["the tests"]),
    }


def write_files(root: Path, files: dict[str, str]) -> None:
    """Lay files below a folder."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())


def read_files(root: Path) -> dict[str, str]:
    """Return every file below a folder."""
    return {
        str(path.relative_to(root)): path.read_bytes().decode()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


# What people type on one line: no markup at its start, which memory-engine would read as a heading.
_WORD = st.text(string.ascii_letters + string.digits + "äß部署測試。,.", min_size=1, max_size=9)
lines = st.lists(_WORD, min_size=2, max_size=7).map(" ".join)
_some = st.lists(lines, min_size=1, max_size=4, unique=True)
_work = st.builds(Work, lines, _some, messages=st.integers(1, 200), files=_some)
_rules = st.tuples(
    lines, lines, st.integers(0, 9), st.sampled_from(("active", "cleared")), st.just("") | lines
)
_kinds = st.sampled_from(("retry", "error-then-fix", "user-correction", "back-and-forth"))


def homes(slug: str) -> st.SearchStrategy[dict[str, str]]:
    """Homes of memory-engine with any content."""
    memory = f"projects/{slug}/memory"
    return st.fixed_dictionaries(
        {
            f"sessions/{DAY}-7gk2-session.md": _work.map(session),
            f"sessions/{DAY}-{SESSION}-compact.md": _work.map(compact),
            f"sessions/{DAY}-{SESSION}-checkpoint.md": _work.map(checkpoint),
            f"sessions/diary/{DAY}.md": st.builds(diary, _some, _some, _some),
            "sessions/project-index.md": _some.map(index),
            f"{LEARNED}/by-hand.md": st.builds(learned, lines, lines, lines, lines),
            f"{LEARNED}/auto-pitfall-20261116.md": st.lists(
                st.tuples(_kinds, _some), min_size=1, max_size=4
            ).map(pitfalls),
            f"{LEARNED}/writing-review-list.md": st.lists(
                _rules, min_size=1, max_size=4, unique_by=lambda rule: rule[0]
            ).map(notebook),
            f"{memory}/MEMORY.md": st.lists(st.tuples(_WORD, lines), max_size=3).map(hub),
            f"{memory}/deploy.md": st.builds(page, st.just("deploy"), lines, lines),
            f"{memory}/todo-status.md": st.lists(
                st.tuples(lines, st.booleans()), min_size=1, max_size=4
            ).map(todo),
            f"{memory}/handoff-login.md": st.builds(
                handoff, st.just("login"), lines, _some, _some
            ),
        }
    )


def _facts(work: Work) -> str:
    return (
        f"**Project:** {work.project}\n**Title:** {work.title}\n**Time:** 09:30\n"
        f"**Messages:** {work.messages}\n"
    )


def _lists(work: Work) -> str:
    return (
        f"## User Requests\n{_bullets(work.requests)}\n## Tools Used\n{', '.join(work.tools)}\n\n"
        f"## Files Modified\n{_bullets(work.files)}"
    )


def _bullets(items: Iterable[str]) -> str:
    return "".join(f"- {item}\n" for item in items)
