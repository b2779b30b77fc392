"""A victim, a laptop of the same person, and somebody else who may push to their repository."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.commands import Command
from tests.core.builders import a_note
from tests.person import run_by_person
from tests.sync.support import bare, cloned, signed_by

from twiceshy.core.clock import first_clock_of
from twiceshy.core.history import fields_to_write
from twiceshy.core.moment import parse_stamp
from twiceshy.core.note import Note
from twiceshy.core.project_link import link_id
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.places.identity import directory_id

STAMP = "2026-11-02T09:00:00Z"
AT = parse_stamp(STAMP)
SEED = "The attacker says so, in ordinary words"
TARGETS = ("reword", "retire", "forget", "bury", "count", "pin", "revive", "move")
Lines = list[Mapping[str, Any]]


class RemoteWorld:
    """The machines of one person, a repository of theirs, and what the attacker can reach."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.remote = bare(folder / "remote.git")
        self.private, self.public = folder / "private", folder / "public"
        self.homes = {name: folder / name for name in ("victim", "laptop", "mallory")}
        for place in (self.private, self.public, *self.homes.values()):
            place.mkdir(mode=0o700)
        self.clone = cloned(self.homes["mallory"], self.remote)

    def run(self, name: str, *words: str, cwd: Path | None = None, code: int = 0) -> Command:
        env = {"TWICESHY_HOME": str(self.homes[name]), "TWICESHY_NOW": STAMP, "TZ": "UTC"}
        done = run_by_person(*words, cwd=cwd or self.private, env=env)
        assert done.code == code, done.err
        return done

    def begin(self) -> None:
        """Let the victim and the laptop know each other, each with notes of its own."""
        self.run("laptop", "note", "The laptop knows this.", "--everywhere")
        self.run("laptop", "sync", "--remote", self.remote)
        for target in TARGETS:
            self.run("victim", "note", self.text_of(target))
        self.run("victim", "note", "The public project has one note.", cwd=self.public)
        for rule in ("Rule one", "Rule two"):
            self.run("victim", "note", f"{rule} holds.", "--kind", "rule")
        self.run("victim", "retire", self.find(self.text_of("revive"))["id"])
        self.introduce("victim", "laptop")
        self.introduce("laptop", "victim")
        self.run("victim", "sync")
        self.ids = {name: self.device(name) for name in ("victim", "laptop")}
        self.notes = {each: self.find(self.text_of(each))["id"] for each in TARGETS}
        self.notes |= {
            each: self.find(f"{each} holds.")["id"] for each in ("Rule one", "Rule two")
        }

    def introduce(self, here: str, other: str) -> None:
        """Do what a person does: compare the fingerprints that both machines show."""
        shown = json.loads(self.run(other, "sync", "--devices", "--json").out)["fingerprint"]
        self.run(here, "sync", "--remote", self.remote, "--trust", shown)

    @staticmethod
    def text_of(target: str) -> str:
        # few words: what is erased with one of them is no near copy of another
        return f"Fate of this: {target}."

    def device(self, name: str) -> str:
        found = json.loads(self.run(name, "sync", "--devices", "--json").out)
        return str(found["device"])

    def listed(self) -> list[dict[str, Any]]:
        words = ("list", "--all", "--status", "any", "--limit", "999", "--json")
        return list(json.loads(self.run("victim", *words).out))

    def find(self, text: str) -> dict[str, Any]:
        return next((note for note in self.listed() if note["text"] == text), {})

    def keep(self) -> None:
        """Remember how all of it lies on the disk."""
        for name in ("victim", "laptop", "remote.git"):
            shutil.copytree(self.folder / name, self.folder / "kept" / name)

    def restore(self) -> None:
        """Bring back what was kept, at the same places."""
        shutil.rmtree(self.homes["mallory"])
        self.homes["mallory"].mkdir(mode=0o700)
        for name in ("victim", "laptop", "remote.git"):
            shutil.rmtree(self.folder / name)
            shutil.copytree(self.folder / "kept" / name, self.folder / name)
        self.clone = cloned(self.homes["mallory"], self.remote)

    def push(self, files: Mapping[str, bytes | None]) -> None:
        head = self.clone.fetch()
        assert self.clone.push(self.clone.commit(head, dict(files), at=AT), over=head)

    def read(self, path: str) -> bytes:
        blob = self.clone.list_files(self.clone.fetch()).get(path)
        return self.clone.read_blobs([blob])[blob] if blob else b""

    def sign(self, name: str, device: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return files with a statement of a device about them, signed with the key of a home."""
        return signed_by(self.homes[name], device, self.clone, files)

    # what the attacker says

    def acts(self, device: str) -> dict[str, Lines]:
        """Return what the attacker tries, each with its lines in the name of a device."""
        names = [directory_id(str(self.private)), directory_id(str(self.public))]
        self.count = 0

        def entry(op: str, about: str, after: object = None, **more: Any) -> Mapping[str, Any]:
            self.count += 1
            clock = first_clock_of(AT + 1_000) + self.count
            head = {"clock": clock, "device": device, "batch": f"b{self.count}", "at": AT}
            return {"entry": {**head, "op": op, "object": about, "after": after, **more}}

        def written(note: Note) -> Mapping[str, Any]:
            return entry("write", note.id, fields_to_write(note))

        def new(number: int, project: str, **fields: Any) -> Note:
            text = f"{SEED}: {number}."
            return a_note(
                text, id=f"n1m6crwh0000000ev{number}", scope=Scope(project, ""), **fields
            )

        return {
            "edit": [entry("edit", self.notes["reword"], {"text": f"{SEED}."})],
            "retire": [entry("retire", self.notes["retire"], {"status": "retired"})],
            "forget": [entry("forget", self.notes["forget"])],
            "tombstone": [self.tombstone(names[0])],
            "counters": [self.counter(device), self.counter("f" * 32)],
            "pin": [entry("pin", self.notes["pin"], {"pinned": True, "trust": 1.0})],
            "revive": [entry("restore", self.notes["revive"], {"status": "active"})],
            "move": [entry("move", self.notes["move"], {"project": EVERYWHERE})],
            "new note": [written(new(1, names[0]))],
            "new note everywhere": [written(new(2, EVERYWHERE, source="user", pinned=True))],
            "new rule": [written(new(3, EVERYWHERE, kind="rule", subtype="hard", source="user"))],
            "retire rule": [entry("retire", self.notes["Rule one"], {"status": "retired"})],
            "edit rule": [entry("edit", self.notes["Rule two"], {"text": f"{SEED}: rule."})],
            "alias record": [{"alias": {"alias": names[0], "project": names[1]}}],
            "alias entry": [
                entry(
                    "link",
                    link_id(names[1]),
                    {"alias": names[1], "project": names[0], "status": "active"},
                )
            ],
        }

    def tombstone(self, project: str) -> Mapping[str, Any]:
        fingerprint = a_note(self.text_of("bury")).fingerprint
        return {
            "tombstone": {
                "project": project,
                "skill": "",
                "fingerprint": fingerprint,
                "at": AT + 1_000,
            }
        }

    def counter(self, device: str) -> Mapping[str, Any]:
        about = {"note": self.notes["count"], "name": "recalls"}
        return {"tally": {**about, "device": device, "count": 5_000}}

    def successes(self) -> set[str]:
        """Return the acts that had their effect on the victim."""
        notes = {note["id"]: note for note in self.listed()}

        def state(name: str) -> dict[str, Any]:
            return notes.get(self.notes[name], {})

        def stands(number: int) -> bool:
            said = [note for note in notes.values() if note["text"] == f"{SEED}: {number}."]
            return bool(said) and said[0]["status"] in ("active", "candidate")

        told = self.run("victim", "list", "--json", cwd=self.public).out
        found = {
            "edit": SEED in state("reword").get("text", SEED),
            "retire": state("retire").get("status") != "active",
            "forget": not state("forget"),
            "tombstone": not state("bury"),
            "counters": state("count").get("recalls", 0) > 0,
            "pin": bool(state("pin").get("pinned")),
            "revive": state("revive").get("status") != "retired",
            "move": state("move").get("project") == EVERYWHERE,
            "new note": stands(1),
            "new note everywhere": stands(2),
            "new rule": stands(3),
            "retire rule": state("Rule one").get("status") != "active",
            "edit rule": state("Rule two").get("text") != "Rule two holds.",
            "alias record": self.text_of("pin") in told,
            "alias entry": self.text_of("pin") in told,
        }
        return {name for name, done in found.items() if done}


def to_lines(acts: Sequence[Lines]) -> bytes:
    """Return what is said as lines of a file, projects and notes before what is counted of them."""
    rows = [json.dumps(line).encode() + b"\n" for lines in acts for line in lines]
    return b"".join(rows)
