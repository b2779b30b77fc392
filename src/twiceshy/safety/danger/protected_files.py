"""Files that a note must not show, send or change."""

from __future__ import annotations

import re

from twiceshy.safety.danger.lines import program_name
from twiceshy.safety.danger.reasons import CREDENTIALS, SETTINGS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.safety.danger.lines import WordRun

_SECRET = re.compile(
    r"(?i)(?:^|[/~@=:])\.(?:ssh|aws|gnupg|kube|azure|password-store)(?:/|$)|\bid_(?:rsa|dsa|ecdsa|ed25519)(?!\.pub)\b"
    r"|(?:^|/)\.(?:netrc|pgpass|git-credentials|pypirc|dockercfg|vault-token|credentials(?:\.json)?)$"
    r"|\.docker/config\.json|[~/]\.npmrc$|/etc/(?:shadow|sudoers|passwd|gshadow)|/proc/(?:self|\d{1,7})/environ"
    r"|gh/hosts\.yml|/credentials$|(?:^|/)credentials\.json$|\.(?:p12|pfx|kdbx|keystore|jks)$|login\.keychain"
    r"|(?:private|secret|server|tls)[\w-]{0,20}\.(?:pem|key)$|application_default_credentials"
)
_ENVIRONMENT = re.compile(
    r"(?i)(?:^|[/@=])\.env(?:\.(?!example|sample|template|dist|defaults?|test|schema)[\w-]{1,20})?$"
)
_EXAMPLE = re.compile(
    r"(?i)\.env[.-](?:example|sample|template|dist|defaults?|test)|\.?env\.example"
)
_VARIABLE = re.compile(
    r"(?i)\$\{?\w{0,40}(?:token|secret|password|passwd|api_?key|access_key|private_key|credential)"
)
_TELLING = frozenset(
    """awk base64 bat cat copy cp curl cut dump egrep gc get-content grep head http include jq less more mv
    nc od open openssl paste post print read rg rsync scp sed send share show strings tail tar tee type
    upload vi vim wget xxd zip""".split()
)
_PASSIVE = frozenset("are be been being gets is was were".split())
_SAYING = frozenset("echo printf curl wget nc http cat".split())

_LOADED = re.compile(
    r"(?i)(?:^|/)(?:claude(?:\.local)?\.md|agents\.md|gemini\.md|memory\.md|skill\.md|\.?mcp\.json"
    r"|\.cursorrules|\.windsurfrules|copilot-instructions\.md|settings(?:\.local)?\.json"
    r"|\.(?:bashrc|zshrc|profile|bash_profile|bash_login|bash_logout|bash_aliases|kshrc|cshrc|tcshrc|zprofile|zshenv|zlogin|inputrc|gitconfig)"
    r"|config\.fish|authorized_keys)$"
    r"|(?:^|/)\.(?:claude|codex|gemini|cursor|opencode|twiceshy|husky)/|\.git/hooks(?:/|$)"
    r"|/launch(?:agents|daemons)(?:/|$)|/systemd/|/cron\.d(?:/|$)|/autostart/"
)
_CHANGING = frozenset(
    """add append change chmod code cp create edit emacs insert install ln modify multiedit mv nano
    notebookedit overwrite paste patch put register rm tee touch truncate update vi vim write""".split()
)
_SENTENCE_ENDS = ".,:;!?"
_LONGEST = 400  # characters of a path that are looked at, from its end
_INTO = (">", ">>", "&>", "&>>", ">|")


def find_file_dangers(run: WordRun) -> Iterator[str]:
    """Yield reasons for review by the files and variables of a run."""
    words = [word.rstrip(_SENTENCE_ENDS)[-_LONGEST:] for word in run.words]
    names = frozenset(map(program_name, run.words))
    environment = any(map(_ENVIRONMENT.search, words)) and not any(map(_EXAMPLE.search, words))
    told = environment and not _list_acts(run.words).isdisjoint(_TELLING)
    said = names & _SAYING and any(_VARIABLE.search(text) for text in (*words, *run.quoted))
    if told or said or any(map(_SECRET.search, words)):
        yield CREDENTIALS
    if _changes_startup_file(run, words, names):
        yield SETTINGS


def _list_acts(words: Sequence[str]) -> frozenset[str]:
    """Return the names of what is done; what "is read" from somewhere is no act of the reader."""
    return frozenset(
        program_name(word)
        for before, word in zip(("", *words), words, strict=False)
        if not (word == "read" and before.lower() in _PASSIVE)
    )


def _changes_startup_file(run: WordRun, words: Sequence[str], names: frozenset[str]) -> bool:
    if run.program == "git":
        return False
    verbs = bool(names & _CHANGING) or ("sed" in names and any(word[:2] == "-i" for word in words))
    pairs = zip(("", *words), words, strict=False)
    return any((verbs or before in _INTO) and _LOADED.search(word) for before, word in pairs)
