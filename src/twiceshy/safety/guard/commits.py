"""Commits of a push, and sensitive content in their changes."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.safety.redact import redact

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from twiceshy.safety.guard.push import GitPush

_HEADER, _FILE, _HUNK = "diff --git ", "+++ b/", "@@ "
_MARK = "[REDACTED:"
# They find what looks random and has no name: in a commit that is a checksum or a sample more often.
_VAGUE = frozenset(("high-entropy", "unsettled"))
# Characters that are searched: a million take half a second, and a guard has three.
_MOST_OF_FILE = 200_000
_MOST_OF_ALL = 1_000_000
LONGEST = 4_000_000


class SensitiveChanges(Value):
    """Sensitive files and secrets added by commits: file and rule.

    ``unsure`` is the reason if not every commit could be searched.
    """

    files: tuple[str, ...] = ()
    secrets: tuple[tuple[str, str], ...] = ()
    unsure: str = ""

    def __bool__(self) -> bool:
        return bool(self.files or self.secrets or self.unsure)


def revision_arguments(push: GitPush, *, remotes: Collection[str]) -> tuple[str, ...]:
    """Return git arguments that list the commits of a push; empty if nothing is sent.

    Commits known on the remote are excluded. Nothing is known of a plain address, but an address
    is mostly that of a remote.
    """
    told = [ref for ref in push.refs if not ref.startswith("-")]
    chosen = [ref for ref in told if "*" not in ref]
    if push.mirror:
        chosen = ["--all"]
    elif push.every or len(chosen) < len(told):
        chosen.append("--branches")
    if push.tags:
        chosen.append("--tags")
    if not chosen and push.deleted:
        return ()
    seen = f"--remotes={push.remote}" if push.remote in remotes else "--remotes"
    return (*(chosen or ["HEAD"]), "--not", seen)


def search_patch(patch: str, files: tuple[str, ...] = ()) -> SensitiveChanges:
    """Search the added lines of a patch for secrets: file and rule, without their values."""
    found: dict[tuple[str, str], None] = {}
    left, cut = _MOST_OF_ALL, len(patch) > LONGEST
    for path, text in _added_lines(patch[:LONGEST]):
        taken = text[: min(_MOST_OF_FILE, left)]
        left -= len(taken)
        cut = cut or len(taken) < len(text)
        found.update(dict.fromkeys((path, rule) for rule in _matching_rules(taken)))
    return SensitiveChanges(files, tuple(found), "its commits are too large" if cut else "")


def _added_lines(patch: str) -> Iterator[tuple[str, str]]:
    """Yield each file of a patch with its added lines."""
    for section in ("\n" + patch).split("\n" + _HEADER)[1:]:
        head, _, body = section.partition("\n" + _HUNK)
        path = head.rpartition("\n" + _FILE)[2].partition("\n")[0]
        if body and _FILE in head:
            yield path.strip('"\t'), "\n".join(_patch_lines(body))


def _patch_lines(body: str) -> Iterator[str]:
    return (line[1:] for line in body.split("\n")[1:] if line.startswith("+"))


def _matching_rules(text: str) -> list[str]:
    before = text.count(_MARK)
    cleared = redact(text)
    if cleared.count(_MARK) <= before:
        return []
    marks = [piece.partition("]")[0] for piece in cleared.split(_MARK)[1:]]
    return [
        rule
        for rule in dict.fromkeys(marks)
        if rule not in _VAGUE and cleared.count(f"{_MARK}{rule}]") > text.count(f"{_MARK}{rule}]")
    ]
