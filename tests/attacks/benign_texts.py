"""Lines that look like secrets and are none, by kind, made up from a seed."""

import base64
import random
import uuid
from collections.abc import Callable, Iterator

BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
WORDS = """anchor badge button canvas column cursor device editor filter folder garden handle import
kernel ledger member number object parcel puzzle record report sample script search signal socket
string switch tablet target thread ticket update vector widget window""".split()


def _draw(dice: random.Random, size: int, letters: str = BASE62) -> str:
    return "".join(dice.choices(letters, k=size))


def _hex(dice: random.Random, size: int) -> str:
    return _draw(dice, size, "0123456789abcdef")


def _word(dice: random.Random) -> str:
    return dice.choice(WORDS)


def _b64(dice: random.Random, size: int) -> str:
    return base64.b64encode(dice.randbytes(size)).decode()


def _block(dice: random.Random, width: int, indent: str) -> str:
    text = _b64(dice, dice.randrange(120, 400))
    return "\n".join(indent + text[at : at + width] for at in range(0, len(text), width))


def _path(dice: random.Random) -> str:
    return (
        "/".join(_word(dice) for _ in range(6))
        + f"/{_word(dice).title()}{_word(dice).title()}V2Test.tsx"
    )


def _svg(dice: random.Random) -> str:
    moves = " ".join(
        f"{dice.choice('MLCQcl')}{dice.random() * 90:.2f},{dice.random() * 90:.2f}"
        for _ in range(12)
    )
    return f'<path fill="#{_hex(dice, 6)}" d="{moves}z"/>'


def _uuid(dice: random.Random) -> str:
    return str(uuid.UUID(int=dice.getrandbits(128), version=4))


KINDS: dict[str, Callable[[random.Random], str]] = {
    "nanoid": lambda d: f"created {_draw(d, 21, BASE62 + '_-')} in {_word(d)}",
    "nanoid as id": lambda d: f'{{"id": "{_draw(d, 21, BASE62 + "_-")}", "kind": "{_word(d)}"}}',
    "id field": lambda d: f'"{_word(d)}Id": "{_draw(d, 28)}",',
    "base64 lines": lambda d: _block(d, 76, ""),
    "base64 lines, indented": lambda d: _block(d, 64, "    "),
    "base64 lines in quotes": lambda d: "\n".join(f'  "{line}" +' for line in _block(d, 60, "").split("\n")),
    "git hash": lambda d: f"commit {_hex(d, 40)}\nAuthor: Ada <ada@example.com>",
    "short git hash": lambda d: f"{_hex(d, 7)} Fix the {_word(d)} of {_word(d)}",
    "uuid": lambda d: f"session {_uuid(d)} ended",
    "integrity": lambda d: f'"integrity": "sha512-{_b64(d, 64)}",',
    "sri": lambda d: f'<script src="/{_word(d)}.js" integrity="sha384-{_b64(d, 48)}"></script>',
    "lock file": lambda d: f"{_word(d)}@^1.2.3:\n  resolved https://r.example.com/{_word(d)}-1.2.3.tgz#{_hex(d, 40)}",
    "go sum": lambda d: f"github.com/a/{_word(d)} v1.2.3 h1:{_b64(d, 32)}",
    "docker digest": lambda d: f"FROM node@sha256:{_hex(d, 64)}",
    "image layer": lambda d: f"{_hex(d, 12)}: Pull complete",
    "picture": lambda d: f"url(data:image/png;base64,{_b64(d, 300)})",
    "svg picture": lambda d: "data:image/svg+xml;base64," + base64.b64encode(_svg(d).encode()).decode(),
    "minified": lambda d: f"!function(e,t){{var n=t.{_word(d)}[{d.randrange(99)}];e.exports=n.a1B2c||n.{_word(d)}X9}}(0,1)",
    "css class": lambda d: f".css-{_draw(d, 6).lower()}-{_word(d).title()}Root{{margin:0 4px}}",
    "bundle name": lambda d: f"dist/assets/{_word(d)}-{_draw(d, 8)}.js  12.3 kB",
    "test name": lambda d: f"test_{_word(d)}_with_password_is_refused_{d.randrange(99)} PASSED",
    "long path": _path,
    "svg": _svg,
    "version": lambda d: f"{_word(d)}=={d.randrange(9)}.{d.randrange(30)}.{d.randrange(9)}rc{d.randrange(3)}",
    "timestamp": lambda d: f"2026-0{d.randrange(1, 9)}-1{d.randrange(9)}T09:15:2{d.randrange(9)}.{d.randrange(10**6)}Z ready",
    "password prose": lambda d: f"the password for {_word(d)} is checked by {_word(d)}_{_word(d)} v{d.randrange(9)}.2",
    "password code": lambda d: f"if (password !== {_word(d)}.password{d.randrange(9)}) throw new {_word(d).title()}Error(401);",
    "token prose": lambda d: f"the token limit of {_word(d)}-{d.randrange(4)} is {d.randrange(9999)} tokens",
    "options": lambda d: f"docker run -p {d.randrange(1000, 9999)}:80 -e NODE_ENV=production -v /x:/y {_word(d)}:1.2",
    "curl": lambda d: f"curl -fsSL -H 'Accept: application/json' -o {_word(d)}.tgz https://example.com/{_word(d)}/v{d.randrange(9)}",
    "sudo": lambda d: f"echo {_word(d)} | sudo tee /etc/{_word(d)}.conf",
    "pipes": lambda d: f"echo {_word(d)}{d.randrange(99)} | grep -c {_word(d)} && sudo -u {_word(d)} ls",
    "kubectl": lambda d: f"kubectl create configmap {_word(d)} --from-file={_word(d)}.yaml -n {_word(d)}",
    "mysql": lambda d: f"mysql -u root -p {_word(d)} < {_word(d)}.sql",
    "redis": lambda d: f"redis-cli -h {_word(d)} -p 6379 SET {_word(d)}:{d.randrange(999)} {_word(d)}",
    "connection": lambda d: f"postgres://localhost:5432/{_word(d)}_{d.randrange(9)}",
    "base64 words": lambda d: base64.b64encode(f"hello {_word(d)} and {_word(d)} number {d.randrange(99)}".encode()).decode(),
    "hex colours": lambda d: f"palette: #{_hex(d, 6)} #{_hex(d, 6)} #{_hex(d, 8)}",
    "etag": lambda d: f'ETag: W/"{_hex(d, 32)}"',
    "cursor": lambda d: f'"next_cursor": "{_b64(d, 24).rstrip("=")}"',
    "dependency": lambda d: f'implementation("org.{_word(d)}:{_word(d)}-core:{d.randrange(9)}.1.{d.randrange(9)}")',
    "address": lambda d: f"https://example.com/{_word(d)}/d/{_draw(d, 44)}/edit?pli=1",
    "german": lambda d: f"Das Passwort muss mindestens {d.randrange(8, 20)} Zeichen haben, siehe {_word(d)}-{d.randrange(9)}.",
    "spanish": lambda d: f"la contraseña no puede ser {_word(d)}, mínimo {d.randrange(8, 20)} caracteres",
    "chinese": lambda d: f"密码长度至少为 {d.randrange(8, 20)} 位,请查看 {_word(d)} 文档",
}  # fmt: skip


def list_benign_texts(seed: int = 5, each: int = 12) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each benign line."""
    for kind, build in KINDS.items():
        dice = random.Random(f"{seed}{kind}")
        for _ in range(each):
            yield kind, build(dice)
