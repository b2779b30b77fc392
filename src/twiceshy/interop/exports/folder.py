"""Write a layout into a new folder, completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import TYPE_CHECKING

from twiceshy.core.errors import BundleError
from twiceshy.files.replace import write_new_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.interop.exports import ExportedFile


def fill_new_folder(folder: str, fill: Callable[[str], None]) -> None:
    """Fill a private folder, then move it to ``folder``, absent or empty before."""
    target = os.path.abspath(folder)
    _refuse_occupied(target, shown=folder)
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        draft = tempfile.mkdtemp(prefix=".twiceshy-", dir=os.path.dirname(target))  # owner-only
        try:
            fill(draft)
            if os.path.isdir(target):
                os.rmdir(target)  # fails unless it is still empty
            os.rename(draft, target)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    except OSError as error:
        raise BundleError(
            f"cannot write {folder}: {error.strerror}", hint="choose another place"
        ) from error


def write_files(folder: str, files: Iterable[ExportedFile]) -> None:
    """Write files into our own folder."""
    for file in files:
        path = os.path.join(folder, *file.path.split("/"))
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_new_file(path, file.text.encode())


def _refuse_occupied(target: str, *, shown: str) -> None:
    """Refuse an occupied place: live folders of other programs stay untouched."""
    if os.path.islink(target) or (os.path.lexists(target) and not os.path.isdir(target)):
        raise BundleError(f"{shown} is no folder", hint="name a folder that is not there yet")
    if os.path.isdir(target) and os.listdir(target):
        raise BundleError(
            f"{shown} is not empty",
            hint="name a folder that is not there yet, and copy from it what you want",
        )
