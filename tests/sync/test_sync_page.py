"""The example of the page about sync does what the page says."""

import json
import re
from pathlib import Path

from tests.person import run_by_person
from tests.requirements import requirement
from tests.sync.support import bare

PAGE = Path(__file__).parents[2] / "docs" / "sync.md"
ADDRESS = "git@example.org:me/notes.git"


def steps_of_page() -> list[tuple[str, list[str], list[str]]]:
    """Return each step of the example: the machine, its command, and what it prints."""
    (example,) = re.findall(r"```text\n(laptop\$.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    steps: list[tuple[str, list[str], list[str]]] = []
    for line in example.splitlines():
        if found := re.fullmatch(r"(\w+)\$ twiceshy (.*)", line):
            steps.append((found[1], found[2].split(), []))
        else:
            steps[-1][2].append(line)
    return steps


@requirement("Y31")
def test_two_machines_introduce_each_other_as_the_page_shows(tmp_path: Path) -> None:
    remote, keys = bare(tmp_path / "remote.git"), {}

    def run(machine: str, *words: str) -> tuple[str, str]:
        env = {"TWICESHY_HOME": str(tmp_path / machine)}
        done = run_by_person(*words, cwd=tmp_path, env=env)
        assert done.code == 0, done.err
        return done.out, done.err

    for machine in ("laptop", "desktop"):
        (tmp_path / machine).mkdir(mode=0o700)
        run(machine, "note", f"Known to the {machine}.", "--everywhere")
        keys[machine] = json.loads(run(machine, "sync", "--devices", "--json")[0])["fingerprint"]

    for machine, words, expected in steps_of_page():
        known = {f"SHA256:…{name}": key for name, key in keys.items()} | {ADDRESS: remote}
        said = run(machine, *(known.get(word, word) for word in words))[1].splitlines()
        for line in expected:
            assert any(re.fullmatch(_to_pattern(line, known), each) for each in said), (line, said)
    run("desktop", "sync")
    run("laptop", "sync")

    for machine in ("laptop", "desktop"):
        texts = {note["text"] for note in json.loads(run(machine, "list", "--json")[0])}
        assert texts == {"Known to the laptop.", "Known to the desktop."}


def _to_pattern(line: str, known: dict[str, str]) -> str:
    """Return what a line of the page stands for: any count, the name of this machine, real keys."""
    for shown, value in known.items():
        line = line.replace(shown, value)
    counted = re.sub(r"^\\?\d+", r"\\d+", re.escape(line))
    return counted.replace(r"\ of\ laptop\ ", r"\ of\ \S+\ ")
