"""Fuzz: mutated payloads of all runtimes; every hook must end as its client expects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.chaos.outcome import Outcome
from bench.chaos.trial_home import HOOK, TrialHome, find_hook_fault, make_home
from tests.approving import approve
from tests.hooks.attack import SURPRISES
from tests.store.support import learn, opened

from twiceshy.runtimes import RUNTIMES, package_name_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

RECORDED = Path(__file__).resolve().parents[2] / "tests" / "payloads"
SKILLS = (".claude", ".agents", ".gemini", ".opencode", ".pi")
_AT_ONCE = 100
_HUGE = 300_000  # characters
_DEEP = 20_000  # brackets
_MOST_CHANGES = 4
_SESSIONS = 2_000
ODD_TEXTS = (
    "",
    " ",
    "\0",
    "\ud800",
    "a\udfffb",
    "\u202e\u2066rtl",
    "e" + "\u0301" * 300,
    "\U0001f9d1\u200d\U0001f680" * 40,
    "\ufeff{}",
    "</skill-memory>",
    "../../../etc/passwd",
    "/" * 5_000,
    "\x1b[2J\r\n\t",
    "你好 " * 50,
    "%s %n {0} $(true) `true`",
    "git push --force && rm -rf / ; 'unclosed",
    "((((((((((" * 20,
    "\\" * 999,
    "-1",
    "NaN",
)
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**400,
    2**63,
    1e308,
    float("nan"),
    float("inf"),
    [],
    {},
    [[]],
    [None],
    {"": ""},
    {"command": ["make"]},
    *ODD_TEXTS,
)


def run(dice: random.Random, rounds: int, *, hook: Sequence[str] = HOOK) -> Outcome:
    """Fire mutated payloads at the hooks of all runtimes."""
    outcome = Outcome("fuzz")
    with make_home(hook) as home:
        _fill(home)
        seeds = {name: read_recordings(name, home) for name in RUNTIMES}
        for begin in range(0, rounds, _AT_ONCE):
            runtime = RUNTIMES[begin // _AT_ONCE % len(RUNTIMES)]
            some = range(min(_AT_ONCE, rounds - begin))
            raws = [mutate_payload(dice.choice(seeds[runtime]), dice) for _ in some]
            for raw, end in zip(raws, home.fire_all(raws, runtime), strict=True):
                outcome.count(runtime)
                outcome.count("answers", bool(end.out))
                if fault := find_hook_fault(end):
                    outcome.bad.append(f"{runtime} {fault}: {raw[:200]!r}")
            outcome.bad += _take_log(home)
        outcome.bad += home.check_integrity() if home.database.exists() else ["no store"]
        for command in ("status", "list"):
            if home.command(command).code != 0:
                outcome.bad.append(f"{command} fails afterwards")
    return outcome


def read_recordings(runtime: str, home: TrialHome) -> list[dict[str, Any]]:
    """Return the recorded payloads of a runtime, with the paths of a trial home."""
    found = []
    for path in sorted((RECORDED / package_name_of(runtime)).rglob("*.json")):
        text = path.read_text(encoding="utf-8").replace("/home/u/shop", str(home.project))
        text = text.replace("/home/u/proj", str(home.project)).replace("/home/u", str(home.user))
        document = json.loads(text)
        if isinstance(document, dict) and "hook_event_name" in document:
            found.append(document)
    return found


def mutate_payload(document: dict[str, Any], dice: random.Random) -> bytes:
    """Return a payload with a few changes to its values, its bytes, or both."""
    changed = json.loads(json.dumps(document))
    changed["session_id"] = f"session-{dice.randrange(_SESSIONS)}"  # a session is told once
    for _ in range(dice.randrange(_MOST_CHANGES)):
        dice.choice(_VALUE_CHANGES)(changed, dice)
    compact = dice.random() < 0.9
    raw = json.dumps(
        changed,
        ensure_ascii=dice.random() < 0.3,
        separators=(",", ":") if compact else (" , ", " : "),
    ).encode("utf-8", "surrogatepass")
    raw = raw.replace(b'"DEEP"', b"[" * _DEEP + b"]" * _DEEP)
    if dice.random() < 0.5:
        raw = dice.choice(_BYTE_CHANGES)(raw, dice)
    return raw


def _list_places(value: Any) -> list[tuple[Any, Any]]:
    """Return every container and key inside a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    places: list[tuple[Any, Any]] = []
    for key, inner in list(items):
        places.append((value, key))
        if isinstance(inner, dict | list):
            places += _list_places(inner)
    return places


def _put(document: dict[str, Any], value: Any, dice: random.Random) -> None:
    if places := _list_places(document):
        container, key = dice.choice(places)
        container[key] = value


def _put_odd_value(document: dict[str, Any], dice: random.Random) -> None:
    _put(document, dice.choice(ODD_VALUES), dice)


def _put_odd_text(document: dict[str, Any], dice: random.Random) -> None:
    if texts := [place for place in _list_places(document) if isinstance(_at(place), str)]:
        container, key = dice.choice(texts)
        text, odd = container[key], dice.choice(ODD_TEXTS)
        cut = dice.randrange(len(text) + 1)
        container[key] = text[:cut] + odd + text[cut:]


def _at(place: tuple[Any, Any]) -> Any:
    return place[0][place[1]]


def _put_huge_text(document: dict[str, Any], dice: random.Random) -> None:
    if dice.random() < 0.1:
        words = dice.choice(("x", "a b ", "error: \n", '"', "\\n", "é", "=/", "{", "'"))
        _put(document, words * (_HUGE // len(words)), dice)


def _put_deep_value(document: dict[str, Any], dice: random.Random) -> None:
    value: Any = "end"
    for _ in range(dice.choice((5, 60, 300))):
        value = [value] if dice.random() < 0.5 else {"a": value}
    _put(document, dice.choice((value, "DEEP")), dice)


def _delete_key(document: dict[str, Any], dice: random.Random) -> None:
    if places := _list_places(document):
        container, key = dice.choice(places)
        del container[key]


def _move_value(document: dict[str, Any], dice: random.Random) -> None:
    """Put a copy of one value in the place of another one."""
    if places := _list_places(document):
        _put(document, json.loads(json.dumps(_at(dice.choice(places)))), dice)


def _add_key(document: dict[str, Any], dice: random.Random) -> None:
    document[dice.choice(ODD_TEXTS)] = dice.choice(ODD_VALUES)


def _flip(raw: bytes, dice: random.Random) -> bytes:
    changed = bytearray(raw)
    for _ in range(dice.choice((1, 1, 3, 20))):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _cut(raw: bytes, dice: random.Random) -> bytes:
    return raw[: dice.randrange(len(raw) + 1)]


def _double(raw: bytes, dice: random.Random) -> bytes:
    return raw + dice.choice((b"", b"\n", b" ")) + raw


def _repeat_slice(raw: bytes, dice: random.Random) -> bytes:
    begin = dice.randrange(len(raw))
    end = min(len(raw), begin + dice.randrange(1, 60))
    return raw[:end] + raw[begin:end] * dice.choice((1, 2, 50)) + raw[end:]


def _insert(raw: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(raw) + 1)
    odd = (b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b'"', b"}", b"[", b"\\")
    return raw[:at] + dice.choice(odd) + raw[at:]


_VALUE_CHANGES: tuple[Callable[[dict[str, Any], random.Random], None], ...] = (
    _put_odd_value,
    _put_odd_text,
    _put_odd_text,
    _put_huge_text,
    _put_deep_value,
    _delete_key,
    _move_value,
    _add_key,
)
_BYTE_CHANGES = (_flip, _cut, _double, _repeat_slice, _insert)


def _fill(home: TrialHome) -> None:
    """Write notes about a skill that every runtime finds, and a rule."""
    for folder in SKILLS:
        path = home.project / folder / "skills" / "pack" / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text("---\nname: pack\ndescription: d\n---\n\n# pack\n", encoding="utf-8")
    home.command("note", "Weigh every box before it is taped.", "--skill", "pack")
    with opened(home.path) as store:
        approve(store, learn(store, "Never push with force.", kind="rule"))
    home.command("note", "The shop closes at six.", "--kind", "decision")


def _take_log(home: TrialHome) -> list[str]:
    """Return the log lines of errors that nobody expected and of lost time; empty the log."""
    log = home.path / "hook.log"
    if not log.exists():
        return []
    lines = log.read_text(errors="replace").splitlines()
    log.unlink()
    unwanted = (*(f" {name}:" for name in SURPRISES), "DeadlineExpired")
    return [line for line in lines if any(name in line for name in unwanted)]
