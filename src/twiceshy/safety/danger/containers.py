"""Containers that are started: whose image, and what of the machine they get."""

from __future__ import annotations

from twiceshy.safety.danger.lines import PROSE, program_name
from twiceshy.safety.danger.reasons import CREDENTIALS, INSTALLS, RIGHTS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from twiceshy.safety.danger.lines import WordRun

_ENGINES = frozenset("docker podman nerdctl finch".split())
_STARTING = frozenset("run create pull".split())
_WITHOUT_VALUE = frozenset(
    """-d -i -t -it -ti -dit -itd -P --rm --detach --interactive --tty --init --privileged --read-only --no-healthcheck
    --oom-kill-disable --publish-all --sig-proxy --quiet -q --all-tags -a --disable-content-trust --tls-verify""".split()
)
_MOUNTING = frozenset("-v --volume --mount".split())
_LOCAL = ("localhost/", "localhost:", "127.0.0.1:", "$", "<", "{", "./")
_WHOLE = frozenset(
    (
        "",
        "/",
        "~",
        "$HOME",
        "${HOME}",
        "/etc",
        "/root",
        "/home",
        "/var",
        "/proc",
        "/sys",
        "/dev",
        "/boot",
    )
)


def find_container_dangers(run: WordRun, known: Collection[str]) -> Iterator[str]:
    """Yield reasons for review of a container that a run starts; ``known`` are hosts."""
    names = list(map(program_name, run.words))
    for at, name in enumerate(names):
        if name in _ENGINES:
            begin = at + 1
            while names[begin : begin + 1] in (["container"], ["image"]):
                begin += 1
            if names[begin : begin + 1] and names[begin] in _STARTING:
                yield from _judge_arguments(run.words[begin + 1 :], known)
    for word in run.words:
        source = word.partition("=")[2] if word.startswith("--") else word
        if "docker.sock" in word or "containerd.sock" in word or "podman.sock" in word:
            yield RIGHTS
        elif names[:1] and _ENGINES.intersection(names) and ":" in source:
            yield from _judge_mount(source.partition(":")[0])


def _judge_arguments(words: Sequence[str], known: Collection[str]) -> Iterator[str]:
    before = ""
    for word in words:
        if word[:1] == "-":
            before = "" if word in _WITHOUT_VALUE or "=" in word else word
        elif before:
            if before == "--mount":
                yield from _judge_source(word)
            before = ""
        else:
            if word.lower() not in PROSE and _is_foreign(word, known):
                yield INSTALLS
            return


def _judge_source(mount: str) -> Iterator[str]:
    for part in mount.split(","):
        name, _, value = part.partition("=")
        if name in ("source", "src"):
            yield from _judge_mount(value)


def _judge_mount(source: str) -> Iterator[str]:
    if source.rstrip("/") in _WHOLE and source[:1] in ("/", "~", "$"):
        yield RIGHTS
    if any(each in source for each in ("/.ssh", "/.aws", "/.gnupg", "/.kube", "/.config/gcloud")):
        yield CREDENTIALS


def _is_foreign(image: str, known: Collection[str]) -> bool:
    """True for an image of somebody: an official or a local one has no owner before a slash."""
    host = image.partition("/")[0].partition(":")[0]
    return "/" in image and not image.startswith(_LOCAL) and host.lower() not in known
