"""Play scenes with a client and keep what its hooks were told, without what belongs to one run.

A scene yields names and what was recorded: an object becomes a file of JSON, a list becomes the lines
of a transcript.
"""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tests.journeys.lab.bench import Lab
from tests.journeys.lab.client import Client
from tests.journeys.lab.neutral import Neutral
from tests.journeys.lab.wire import Json

PAYLOADS = Path(__file__).resolve().parents[2] / "payloads"
STUB = Path(__file__).with_name("stub_mcp.py")
Kind = TypeVar("Kind", bound=Client)
Named = Iterator[tuple[str, Any]]
Scene = Callable[[Kind], Named]
OWN_WORDS = "(the client's own words)"
# What a vendor wrote for its model is theirs, and no part of what we read.
OWN = set(
    "base_instructions promptGuidelines sections systemPrompt toolGuidelines toolSnippets".split()
)
OWN_LISTS = {"tools", "toolsAdded"}
LONGEST = {"description": 60}


def rehearse(client: Kind, scene: Scene[Kind], number: int = 0) -> dict[str, Any]:
    """Play a scene; return what was recorded by the name of its file."""
    shop = client.lab.project("shop")
    (shop / "boxes.txt").write_text("red\ngreen\nblue\n")
    client.skill(shop, "pack", body="Weigh the box first.")
    recorded = dict(scene(client))
    clean = Neutral(client.lab, scene=number)
    clean.learn(recorded)
    return {clean.text(name): ours(clean.of(node)) for name, node in recorded.items()}


def ours(node: Any, key: str = "") -> Any:
    """Leave out what the vendor wrote: it is long, or stands where only they write."""
    if isinstance(node, dict):
        return {name: ours(part, key if key in OWN else name) for name, part in node.items()}
    if isinstance(node, list):
        return [] if key in OWN_LISTS else [ours(part, key) for part in node]
    if isinstance(node, str) and (key in OWN or len(node) > LONGEST.get(key, 600)):
        return OWN_WORDS
    return node


def play(client: Client, log: Path, *given: Any, **more: Any) -> list[Json]:
    """Run one session in the shop and return what was recorded in it, in order."""
    log.write_text("")
    ran = client.ask(*given, project=client.lab.home / "shop", **more)
    assert ran.code == 0, ran.out + ran.err
    return lines(log)


def one(played: list[Json], event: str, text: str = "", **fields: str) -> Json:
    """Return the first payload of an event: with a text in what a tool was asked, with fields."""
    for sent in played:
        asked = json.dumps([sent.get("tool_name"), sent.get("tool_input")])
        if sent["hook_event_name"] == event and text in asked and fields.items() <= sent.items():
            return sent
    told = [sent["hook_event_name"] for sent in played]
    raise LookupError(f"no {event} {text} {fields or ''} among {told}")


def lines(file: Path) -> list[Json]:
    """Return a file of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def transcripts(client: Client, below: Path) -> Named:
    """Yield the transcripts of a client by their paths below a folder."""
    for file in client.transcripts():
        yield f"transcripts/{file.relative_to(below)}", lines(file)


def write(runtime: str, start: Callable[[Lab], Kind], scenes: Sequence[Scene[Kind]]) -> None:
    """Rehearse every scene and write what it gave; what no scene plays any more goes."""
    folder = PAYLOADS / runtime
    for outdated in rehearsed([*folder.rglob("*.json"), *folder.rglob("*.jsonl")]):
        outdated.unlink()
    for number, scene in enumerate(scenes):
        with tempfile.TemporaryDirectory() as place:
            lab = Lab(Path(place) / "lab")
            for name, node in rehearse(start(lab), scene, number).items():
                keep(folder, name, node)
            lab.close()


def rehearsed(files: Iterable[Path]) -> list[Path]:
    """Leave out what no scene writes: the index of moments, and what a plugin of ours sends on."""
    return [file for file in files if file.name != "moments.json" and file.parent.name != "sent"]


def keep(folder: Path, name: str, node: Any) -> None:
    """Write an object as a file, or a list as lines."""
    file = folder / (name if isinstance(node, list) else f"{name}.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(node, list):
        rows = [json.dumps(row, ensure_ascii=False) + "\n" for row in node]
        file.write_text("".join(rows), encoding="utf-8")
    else:
        file.write_text(json.dumps(node, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
