"""Mutated inputs: bytes of samples changed, cut, doubled, spliced with others and with odd words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.chaos.fuzz import ODD_TEXTS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

_LONGEST = 20_000  # bytes; what takes long beyond that is a matter of `slow`
_ODD_WORDS = [
    *(text.encode("utf-8", "surrogatepass") for text in ODD_TEXTS if len(text) < 2_000),
    *(b"[[[[", b"{{{{", b'"', b"\\", b"\\u0000", b"\\ud800", b"---\n", b"# ", b"\n- ", b"```\n"),
    *(b"<!--", b"-->", b"<private>", b"</private>", b"\r", b"\x85", b"\xe2\x80\xa8", b"\xff"),
    *(b"$(", b"`", b"<<EOF\n", b"&&", b"||", b";", b"|", b"'", b"!", b"~", b"*", b"\x00"),
    *(b"1e999", b"-0", b"9" * 400, b"true", b"null", b"0x", b"%00", b"%zz", b"\xef\xbb\xbf"),
]


def mutate(seeds: Sequence[bytes], dice: random.Random) -> bytes:
    """Return a sample after one to five changes."""
    raw = dice.choice(seeds)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 5))):
        raw = dice.choice(_CHANGES)(raw, seeds, dice)
    return raw[:_LONGEST]


def _flip(raw: bytes, _seeds: Sequence[bytes], dice: random.Random) -> bytes:
    changed = bytearray(raw)
    for _ in range(dice.choice((1, 1, 4, 30)) if raw else 0):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _cut(raw: bytes, _seeds: Sequence[bytes], dice: random.Random) -> bytes:
    begin, end = sorted((dice.randrange(len(raw) + 1), dice.randrange(len(raw) + 1)))
    return raw[begin:end] if dice.random() < 0.5 else raw[:begin] + raw[end:]


def _put_word(raw: bytes, _seeds: Sequence[bytes], dice: random.Random) -> bytes:
    at = dice.randrange(len(raw) + 1)
    return raw[:at] + dice.choice(_ODD_WORDS) * dice.choice((1, 1, 1, 2, 60)) + raw[at:]


def _splice(raw: bytes, seeds: Sequence[bytes], dice: random.Random) -> bytes:
    other = dice.choice(seeds)
    return raw[: dice.randrange(len(raw) + 1)] + other[dice.randrange(len(other) + 1) :]


def _repeat(raw: bytes, _seeds: Sequence[bytes], dice: random.Random) -> bytes:
    at = dice.randrange(len(raw) + 1)
    part = raw[at : at + dice.randrange(1, 40)]
    return raw[:at] + part * dice.choice((2, 3, 200)) + raw[at:]


def _swap_lines(raw: bytes, _seeds: Sequence[bytes], dice: random.Random) -> bytes:
    lines = raw.split(b"\n")
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _change_number(raw: bytes, _seeds: Sequence[bytes], dice: random.Random) -> bytes:
    places = [at for at, each in enumerate(raw) if 48 <= each <= 57]
    if not places:
        return raw
    at = dice.choice(places)
    odd = (b"-1", b"0", b"1e400", b"9223372036854775808", b"99999999999999999999999", b"1.5", b"")
    return raw[:at] + dice.choice(odd) + raw[at + 1 :]


_CHANGES: tuple[Callable[[bytes, Sequence[bytes], random.Random], bytes], ...] = (
    _flip,
    _cut,
    _put_word,
    _put_word,
    _splice,
    _repeat,
    _swap_lines,
    _change_number,
)
