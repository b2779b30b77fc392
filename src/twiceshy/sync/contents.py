"""Files of a commit of the shared repository, read once on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.sync.rules import VIEWS, is_merged_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.sync.rules import SharedRepository


class CommitContents:
    """The files of a commit; mergeable files can be read."""

    def __init__(self, repository: SharedRepository, commit: str) -> None:
        self.blobs = repository.list_files(commit)
        self._repository = repository
        self._read: dict[str, bytes] = {}

    def read_files(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """Return the contents of files."""
        paths = list(paths)
        wanted = {path: self.blobs[path] for path in paths if path not in self._read}
        found = self._repository.read_blobs(list(dict.fromkeys(wanted.values())))
        self._read |= {path: found[blob] for path, blob in wanted.items()}
        return {path: self._read[path] for path in paths}

    def list_merged_files(self) -> list[str]:
        """Return the files with records to merge."""
        return [path for path in self.blobs if is_merged_file(path)]

    def list_view_files(self) -> list[str]:
        """Return the pages for people."""
        return [path for path in self.blobs if path.startswith(VIEWS)]
