"""Files of a commit of the shared repository, read once on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.sync.rules import VIEWS, merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.sync.rules import Repository


class Contents:
    """The files of a commit; mergeable files can be read."""

    def __init__(self, repository: Repository, commit: str) -> None:
        self.blobs = repository.files(commit)
        self._repository = repository
        self._read: dict[str, bytes] = {}

    def bodies(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """Return the contents of files."""
        paths = list(paths)
        wanted = {path: self.blobs[path] for path in paths if path not in self._read}
        found = self._repository.read(list(dict.fromkeys(wanted.values())))
        self._read |= {path: found[blob] for path, blob in wanted.items()}
        return {path: self._read[path] for path in paths}

    def merged(self) -> list[str]:
        """Return the files with records to merge."""
        return [path for path in self.blobs if merged(path)]

    def views(self) -> list[str]:
        """Return the pages for people."""
        return [path for path in self.blobs if path.startswith(VIEWS)]
