"""Hosts contacted by a text: addresses, ``user@host:``, network program arguments."""

from __future__ import annotations

import re

from twiceshy.safety.danger.late_pattern import LatePattern
from twiceshy.safety.danger.lines import PROSE
from twiceshy.safety.danger.link_use import is_used
from twiceshy.safety.danger.reasons import CREDENTIALS, ENDPOINT

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from twiceshy.safety.danger.lines import WordRun

_URL = re.compile(r"://([^\s/?#\"'<>`|),;\\]{1,300})")
_REMOTE = re.compile(r"(?<![\w/])[\w.-]{1,64}@([\w-]{1,63}(?:\.[\w-]{1,63}){1,6}):(?!\d{1,5}\b)")
_ADDRESS = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\w)")
_SOCKET = re.compile(r"/dev/(?:tcp|udp)/")
_HOST = re.compile(
    r"(?:[\w.-]{1,64}@)?([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6})\.?(?:[:/].{0,300})?$"
)
_PROGRAMS = frozenset(
    """curl wget nc ncat netcat telnet ftp sftp ping dig nslookup socat iwr irm invoke-webrequest
    invoke-restmethod aria2c http https""".split()
)
_SHELLS = frozenset("ssh scp rsync mosh".split())
_FILES = frozenset(
    "bin bz2 css csv dat gz htm html ini jpg js json jsonl log md out pdf pem png py rs sh sql svg tar tgz toml ts tsv txt xml yaml yml zip".split()
)
_WITH_VALUE = frozenset(
    "-o -d -H -X -T -F -K -i -b -c -A -e -w -u -m -p -L -R -D --output --data --header --request --form".split()
)
_LOOPBACK = re.compile(
    r"(?i)(?:localhost|(?:[\w-]{1,63}\.){1,3}localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal)$"
)
_USUAL_REMOTE = LatePattern(
    r"\bgit remote add (?:upstream|origin) (?:https://|ssh://git@|git@)(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)[/:]"
    r"[\w-]{1,60}/[\w-]{1,60}(?:\.git)?(?![\w/@:-])"
)
_PLACEHOLDER = "$<{[*%…"


def leave_out_remotes(text: str) -> str:
    """Return a text without remotes of public hosts that are added by their usual names, and not pushed to."""
    if "remote add" not in text or "push" in text.lower():
        return text
    return _USUAL_REMOTE.sub("git remote", text)


def find_host_dangers(
    raw: str, text: str, found: Sequence[WordRun], known: Collection[str]
) -> Iterator[str]:
    """Yield reasons for review; ``raw`` is unfolded, so that no look-alike passes as a known host.

    A link that only documents is no danger, whatever its host. A link is used where a program or a
    function gets it, a variable or an option is set to it, or a verb sends something there.
    """
    used = False
    for pattern_text in dict.fromkeys((text, raw)):
        for url in _URL.finditer(pattern_text):
            user, _, host = url[1].rpartition("@")
            if _is_unknown_host(_strip_port(host), known):
                used = used or is_used(pattern_text, url.start())
                if user.partition(":")[2].strip(_PLACEHOLDER + "}>x"):
                    yield CREDENTIALS
                    used = True
    if used or _SOCKET.search(text) or _names_unknown_host(text, found, known):
        yield ENDPOINT


def _names_unknown_host(text: str, found: Sequence[WordRun], known: Collection[str]) -> bool:
    hosts = [each[1] for each in _REMOTE.finditer(text) if is_used(text, each.start())]
    hosts += [host for at, host in _list_addresses(text) if is_used(text, at)]
    hosts += [host for run in found for host in _hosts_in_arguments(run)]
    return any(_is_unknown_host(host, known) for host in hosts)


def _is_unknown_host(host: str, known: Collection[str]) -> bool:
    return not (
        not host
        or host[0] in _PLACEHOLDER
        or _LOOPBACK.match(host)
        or host.lower().rstrip(".") in known
    )


def _strip_port(host: str) -> str:
    """Return a host without port and sentence punctuation."""
    if host.startswith("["):
        return host.partition("]")[0] + "]" if "::1]" in host else "ipv6"
    return host.partition(":")[0].rstrip(".,!…")


def _list_addresses(text: str) -> Iterator[tuple[int, str]]:
    """Yield addresses of machines, with their places."""
    for found in _ADDRESS.finditer(text):
        if all(int(part) <= 255 for part in found[0].split(".")) and found[0][:4] != "255.":
            yield found.start(), found[0]


def _hosts_in_arguments(run: WordRun) -> Iterator[str]:
    """Yield the hosts in the arguments of a network program."""
    program, *arguments = [*run.called, ""]
    if program not in _PROGRAMS | _SHELLS:
        return
    before = ""
    remote = program in _SHELLS and PROSE.isdisjoint(arguments)
    for word in arguments:
        plain = word[:1] not in ("-", "@", "$", "<", ">", "") and before not in _WITH_VALUE
        if plain and "://" not in word:
            yield from _parse_host(word, remote=remote)
        before = word


def _parse_host(word: str, *, remote: bool) -> Iterator[str]:
    found = _HOST.match(word)
    if (
        found
        and (found[1].rpartition(".")[2] not in _FILES or "/" in word)
        and not found[1].replace(".", "").isdigit()
    ):
        yield found[1]
    elif remote and not found and word[:1] not in "./~" and (":" in word or "@" in word):
        yield word.rpartition("@")[2].partition(":")[0]
