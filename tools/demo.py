"""``make demo``: write three notes, recall them, ask why, undo one; in a home that is thrown away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

PROMPT = "\033[1m$ {}\033[0m" if sys.stdout.isatty() else "$ {}"


def twiceshy(*words: str, quiet: bool = False) -> str:
    """Run one command as a user would, showing it and what it prints."""
    shown = " ".join(f'"{word}"' if " " in word else word for word in words)
    if not quiet:
        print("\n" + PROMPT.format(f"twiceshy {shown}"), flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "twiceshy", *words], stdout=subprocess.PIPE, text=True, check=True
    )
    if not quiet:
        print(done.stdout, end="", flush=True)
    return done.stdout


def tell(text: str) -> None:
    """Say what happens next."""
    print(f"\n# {text}", flush=True)


def main() -> None:
    """Play the whole story."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "TWICESHY_HOME": os.path.join(folder, ".twiceshy")}
        project = os.path.join(folder, "shop")
        os.mkdir(project)
        os.chdir(project)
        play()


def play() -> None:
    """Write, recall, explain, undo."""
    tell("Three things were learned the hard way while cutting releases.")
    twiceshy(
        "note",
        "Lock with `uv lock --frozen` before tagging, or the lock file is rewritten.",
        *("--skill", "release", "--why", "cutting a release", "--pin"),
    )
    twiceshy(
        "note",
        "`gh release create v1` failed: tag not found. `gh release create v1 --verify-tag` worked.",
        *("--skill", "release", "--type", "fix"),
    )
    wrong = twiceshy(
        "note", "Changelog entries go under Unreleased; the release bot moves them.",
        *("--skill", "release", "--type", "discovery"),
    ).strip()  # fmt: skip

    tell("The first one is learned again, in other words. It is counted, not kept twice.")
    twiceshy(
        "note",
        "- [2026-11] lock with `uv lock --frozen` before tagging or the lock file is rewritten",
        *("--skill", "release"),
    )

    tell("The next session loads the skill. This is what its agent reads:")
    twiceshy("recall", "tag and publish the release", "--skill", "release")

    tell("Where does a note come from?")
    notes = json.loads(twiceshy("list", "--skill", "release", "--json", quiet=True))
    pinned = next(note["handle"] for note in notes if note["pinned"])
    twiceshy("why", pinned)

    tell("There is no release bot after all: retire that note, change our mind, take it back.")
    twiceshy("retire", wrong)
    twiceshy("undo")

    tell("A secret never reaches the disk.")
    twiceshy("note", "The staging password is hunter2-but-longer, ask Kim before changing it.")
    twiceshy("list")
    twiceshy("status")


if __name__ == "__main__":
    main()
