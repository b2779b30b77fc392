"""Does anything that only one project knows reach another, and does what two projects teach reach a third?

    python -m bench.canaries [--pairs 10000] [--seed 1] [--workers 1] [--json FILE]

Six projects make the same mistakes, each with words of its own in calls, errors, fixes, folders, prompts, wishes,
refusals and summaries; that is 30 pairs of one that teaches and one that is told. Their transcripts are learned from as
after a session, many projects in one store. Then each of the six, and a newcomer, begins a session, is given a prompt,
loads the skill, and makes the same calls, which fail: every text that the hooks return, and every global note, is
searched for private words of all other projects in the store. Exit code 1 if one is found.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from bench.canary_words import (
    ENDINGS,
    OBSERVATIONS,
    PRIVATE,
    PROMPTS,
    PUBLIC,
    REFUSALS,
    SHARED,
    SKILL,
    SKILL_TEXT,
    WISHES,
    Canary,
    GeneratedCall,
    WordSource,
    fold,
    make_word,
)

from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY, format_stamp, parse_day
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.replay.hook_home import ReplayHome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

BEGIN = parse_day("2026-01-05")
FAMILY = 6  # projects that make the same mistakes
PAIRS = FAMILY * (FAMILY - 1)
AT_ONCE = 6  # families of a store
AGAIN = 0.3  # chance of a project to make its mistakes in a second session
COPIED = 0.1  # chance of a copy of its folder, without git, in which the same words are at work
MINUTE = 60_000
_REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the"
    " new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
_SUMMARY = "This session is being continued from a previous conversation.\n<summary>{}</summary>"
_BLOCK = "Worked on {}.\n<skill_observations>\n* {} | gotcha | {}\n</skill_observations>"


class Leak(NamedTuple):
    """A private word found outside its project."""

    kind: str
    channel: str
    word: str
    text: str


class Tally:
    """What a run has found so far."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.leaks: list[Leak] = []
        self.reached: Counter[str] = Counter()

    def __iadd__(self, other: Tally) -> Self:
        self.counts += other.counts
        self.kinds += other.kinds
        self.reached += other.reached
        self.leaks += other.leaks
        return self

    def search_text(self, text: str, channel: str, canaries: Sequence[Canary]) -> None:
        """Count the private words of others in a text."""
        self.counts["texts"] += bool(text)
        if text:
            folded = fold(text)
            self.leaks += [
                Leak(each.kind, channel, each.word, text)
                for each in canaries
                if each.stands_in(folded)
            ]


class GeneratedProject(Value):
    """A generated project: its root, its private words, and the calls that fail in it."""

    name: str
    root: str
    canaries: tuple[Canary, ...]
    calls: tuple[GeneratedCall, ...]


class WorkedSession:
    """The transcript of a session as Claude Code writes it."""

    def __init__(self, name: str, root: str, at: int) -> None:
        self.name, self.root = name, root
        self._at, self._lines, self._calls = at, list[str](), 0

    def say(self, text: str, **marks: object) -> None:
        """Add a message of the user."""
        self._add("user", {"role": "user", "content": text}, **marks)

    def answer(self, text: str) -> None:
        """Add a message of the agent."""
        self._add("assistant", {"role": "assistant", "content": [{"type": "text", "text": text}]})

    def call(self, tool: str, given: Mapping[str, str], result: str, *, failed: bool) -> None:
        """Add a call and its result."""
        self._calls += 1
        made = f"toolu_{self.name}_{self._calls}"
        use = {"type": "tool_use", "id": made, "name": tool, "input": given}
        self._add("assistant", {"role": "assistant", "content": [use]})
        back: dict[str, object] = {"type": "tool_result", "tool_use_id": made, "content": result}
        back |= {"is_error": True} if failed else {}
        self._add("user", {"role": "user", "content": [back]})

    def write(self, folder: str) -> str:
        """Write the transcript, and return its path."""
        path = os.path.join(folder, f"{self.name}.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(self._lines)
        return path

    def _add(self, kind: str, message: Mapping[str, object], **fields: object) -> None:
        self._at += MINUTE
        record = {
            "type": kind,
            "uuid": f"{self.name}-{len(self._lines)}",
            "sessionId": self.name,
            "cwd": self.root,
            "timestamp": format_stamp(self._at),
            "isSidechain": False,
            "message": message,
            **fields,
        }
        self._lines.append(json.dumps(record, ensure_ascii=False) + "\n")


class GeneratedWorld:
    """Families of projects that share a store."""

    def __init__(self, home: ReplayHome, folder: str, dice: random.Random, tally: Tally) -> None:
        self._home, self._folder, self._dice, self._tally = home, folder, dice, tally
        self._words = WordSource(dice)
        self._canaries: list[Canary] = []
        self._at, self._sessions = BEGIN, 0

    def try_family(self) -> None:
        """Let projects work and learn, and search all that they and a newcomer are told."""
        dice, shared_word = self._dice, make_word(self._dice, 6)
        private = dice.sample(PRIVATE, dice.randint(2, 4))
        shared = dice.sample(SHARED, dice.randint(0, 2))
        public = dice.sample(PUBLIC, dice.randint(0, 1))
        parts = [public, *([[]] * (FAMILY - 1)), public]  # one project teaches it, to a newcomer
        *family, newcomer = (self._build(private, [*each, *shared], shared_word) for each in parts)
        for project in family:
            copy = project.but(root=os.path.join(self._folder, "copies", project.name))
            self._canaries += project.canaries
            self._tally.kinds.update(each.kind for each in project.canaries)
            again = 1.0 if public and project is family[0] else AGAIN
            for each in (project, *_choose(dice, again, project), *_choose(dice, COPIED, copy)):
                self._work_session(each)
        self._tally.counts["pairs"] += PAIRS
        for project in family:
            self._listen(project)
        told = self._listen(newcomer)
        if travelling := newcomer.calls[len(private) :]:
            self._tally.counts["shared lessons"] += len(travelling)
            self._tally.reached.update(_count_reached(told, travelling))

    def search_global_notes(self, notes: Sequence[str]) -> None:
        """Search every global note for the private words of all projects."""
        self._tally.counts["global notes"] += len(notes)
        for text in notes:
            self._tally.search_text(text, "global note", self._canaries)

    def _build(
        self,
        private: Sequence[GeneratedCall],
        shared: Sequence[GeneratedCall],
        shared_word: str,
    ) -> GeneratedProject:
        folder = self._words.draw_folder()
        dice, root = self._dice, os.path.join(self._folder, "work", folder.word)
        canaries = [self._words.draw_canary() for _ in range(dice.randint(1, 3))]
        calls = [
            call.fill(
                w=dice.choice((*canaries, *canaries, folder)).word,
                s=shared_word,
                n=str(dice.randrange(100, 999)),
                root=root,
            )
            for call in (*private, *shared)
        ]
        return GeneratedProject(folder.word, root, (*canaries, folder), tuple(calls))

    def _work_session(self, project: GeneratedProject) -> None:
        dice, session = self._dice, self._begin_session(project)

        def put(texts: Sequence[str]) -> str:
            return dice.choice(texts).replace("{w}", dice.choice(project.canaries).word)

        session.say(put(PROMPTS))
        if dice.random() < 0.5 or any(call.by_skill for call in project.calls):
            session.call("Skill", {"skill": SKILL}, f"Launching skill: {SKILL}", failed=False)
        for call in project.calls:
            session.call(call.tool, call.wrong, call.error, failed=True)
            if call.right:
                session.call(call.tool, call.right, "done", failed=False)
        if dice.random() < 0.3:
            session.say(put(WISHES))
        if dice.random() < 0.3:
            pushed = put(("git push origin {w}", "rm -r {w}", "make {w}"))
            session.call("Bash", {"command": pushed}, _REFUSED + put(REFUSALS), failed=True)
        if dice.random() < 0.5:
            block = _BLOCK.format(put(("{w}",)), SKILL, put(OBSERVATIONS))
            session.say(_SUMMARY.format(block), isCompactSummary=True)
        session.answer(put(ENDINGS))
        path = session.write(self._folder)
        self._home.enter_directory(project.root)
        self._home.fire_event("SessionStart", self._at, project.root, _name_session(session, path))
        self._home.learn_session(path, session.name)
        os.unlink(path)

    def _begin_session(self, project: GeneratedProject) -> WorkedSession:
        self._sessions += 1
        self._at += DAY // 24
        return WorkedSession(f"{project.name}-{self._sessions}", project.root, self._at)

    def _listen(self, project: GeneratedProject) -> list[tuple[str, str]]:
        """Return channel and text of all that a new session is told, searched for words of others."""
        session = self._begin_session(project)
        others = [each for each in self._canaries if each not in project.canaries]
        common = _name_session(session, os.path.join(self._folder, "none.jsonl"))
        self._home.enter_directory(project.root)
        told = []
        for name, channel, fields in _list_events(project, session.name):
            self._at += MINUTE
            reply = self._home.fire_event(name, self._at, project.root, {**common, **fields})
            self._tally.counts["events"] += 1
            self._tally.search_text(reply.text, channel, others)
            told.append((channel, reply.text))
        return told


def _choose(
    dice: random.Random, chance: float, project: GeneratedProject
) -> list[GeneratedProject]:
    return [project] if dice.random() < chance else []


def _name_session(session: WorkedSession, path: str) -> dict[str, object]:
    return {"session_id": session.name, "transcript_path": path, "cwd": session.root}


def _list_events(
    project: GeneratedProject, session: str
) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield the events of a session that makes the same calls: name, channel and fields."""
    yield "SessionStart", "start", {"source": "startup"}
    asked = " and ".join(" ".join(call.wrong.values()) for call in project.calls)
    errors = " ".join(call.error for call in project.calls)
    yield "UserPromptSubmit", "prompt", {"prompt": f"Run {asked}. It said: {errors}"}
    loaded = {"tool_name": "Skill", "tool_input": {"skill": SKILL}, "tool_use_id": f"{session}-s"}
    response = {"success": True, "commandName": SKILL}
    yield "PostToolUse", "skill", {**loaded, "tool_response": response}
    for number, call in enumerate(project.calls):
        made: dict[str, object] = {
            "tool_name": call.tool,
            "tool_input": call.wrong,
            "tool_use_id": f"{session}-{number}",
        }
        yield "PreToolUse", "pending", made
        yield "PostToolUseFailure", "failure", {**made, "error": call.error, "is_interrupt": False}


def _count_reached(
    told: Sequence[tuple[str, str]], shared: Sequence[GeneratedCall]
) -> Counter[str]:
    """Count shared lessons by the first channel that told them."""
    reached: Counter[str] = Counter()
    for call in shared:
        program, *words = call.wrong["command"].split()
        wrong = next((word for word in words if word in call.error), words[-1])
        lines = [
            (channel, line)
            for channel, text in told
            for line in text.split("\n")
            if f"`{program}" in line and wrong.lstrip("-") in line
        ]
        reached[lines[0][0] if lines else "never"] += 1
    return reached


def try_pairs(pairs: int, seed: int, *, workers: int = 1, progress: bool = False) -> Tally:
    """Generate pairs of projects, at least so many, and return what was found."""
    tally, begin = Tally(), time.monotonic()
    families = -(-pairs // PAIRS)
    stores = [range(at, min(at + AT_ONCE, families)) for at in range(0, families, AT_ONCE)]
    with ProcessPoolExecutor(workers) as pool:
        for found in pool.map(_try_store, stores, [seed] * len(stores)):
            tally += found
            if progress:
                done, spent = tally.counts["pairs"], time.monotonic() - begin
                line = f"\r{done}/{pairs} pairs, {spent:.0f} s, {len(tally.leaks)} canaries"
                print(line, end="", file=sys.stderr, flush=True)
    if progress:
        print(file=sys.stderr)
    return tally


def _try_store(numbers: range, seed: int) -> Tally:
    """Try some families in a store of their own, in memory where there is a place for files in it."""
    tally, memory = Tally(), "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="twiceshy-canaries-", dir=memory) as folder:
        _try_families(folder, numbers, seed, tally)
    return tally


def _try_families(folder: str, numbers: range, seed: int, tally: Tally) -> None:
    """Try some families with a home directory that has a skill."""
    home = os.path.join(folder, "home")
    skill = os.path.join(home, ".claude", "skills", SKILL)
    os.makedirs(skill)
    with open(os.path.join(skill, "SKILL.md"), "w", encoding="utf-8") as file:
        file.write(SKILL_TEXT)
    before, os.environ["HOME"] = os.environ.get("HOME", ""), home
    try:
        with ReplayHome(folder, {}) as replay:
            dice = random.Random(f"{seed}/{numbers.start}")
            world = GeneratedWorld(replay, folder, dice, tally)
            for _ in numbers:
                world.try_family()
            world.search_global_notes(_read_global_notes(replay))
            if replay.faults:
                raise SystemExit(f"hooks failed: {Counter(replay.faults)}")
    finally:
        os.environ["HOME"] = before


def _read_global_notes(home: ReplayHome) -> list[str]:
    which = NoteFilter(projects=(EVERYWHERE,), statuses=())
    return [
        " ".join((note.text, note.why, note.tag, note.trigger))
        for note in home.store.notes(which, limit=None)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that share the pairs")
    parser.add_argument("--json", help="write all figures into this file")
    given = parser.parse_args()
    begin = time.monotonic()
    tally = try_pairs(given.pairs, given.seed, workers=given.workers, progress=True)
    figures = {
        **tally.counts,
        "canaries": tally.kinds.total(),
        "canaries outside their project": len(tally.leaks),
        "seconds": round(time.monotonic() - begin),
        "shared lessons reached a newcomer": dict(tally.reached),
        "kinds": dict(tally.kinds),
    }
    for name, figure in figures.items():
        print(f"{name}: {figure}")
    by = Counter((leak.kind, leak.channel) for leak in tally.leaks)
    for (kind, channel), count in by.most_common():
        print(f"LEAK {count} {kind}, {channel}")
    for leak in tally.leaks[:20]:
        print(f"  {leak.word!r} in {leak.channel}: {leak.text[:300]!r}")
    if given.json:
        figures["leaks"] = [leak._asdict() for leak in tally.leaks]
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1, ensure_ascii=False)
    sys.exit(bool(tally.leaks))


if __name__ == "__main__":
    main()
