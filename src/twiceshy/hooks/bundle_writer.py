"""Write the bundle of hooks' modules, if it is missing or a source has changed."""

from __future__ import annotations

import os

from twiceshy.files.replace import replace_file
from twiceshy.hooks.bundle import PACKAGE, ModuleBundle
from twiceshy.runtimes.launcher import bundle_path, launcher_path

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

# Rooms whose modules hooks and the background job load; a module that is missing here is imported as ever.
ROOMS = """config core effect files hooks language learning notes places project recall runtimes safety shell
    store upkeep""".split()
# The package and this file are imported before the bundle is used.
_BEFORE = ("twiceshy.hooks", "twiceshy.hooks.bundle", "twiceshy.hooks.bundle_writer")
# What is not frozen of the standard library that hooks load.
STANDARD = """__future__ bisect collections contextlib copyreg enum functools hashlib json json.decoder json.encoder json.scanner
    keyword operator re re._casefix re._compiler re._constants re._parser reprlib types""".split()


def refresh_bundle(home: str) -> bool:
    """Write the bundle of a memory home with a launcher unless it is current; True if written."""
    path = bundle_path(home)
    if not os.path.exists(launcher_path(home)):
        return False  # no client starts hooks from here
    if _is_current(path):
        return False
    from twiceshy.hooks.bundle_compiler import build_bundle  # most jobs find the file current

    replace_file(path, build_bundle(dict(list_sources())))
    if not os.path.exists(launcher_path(home)):
        os.unlink(path)  # the last client was disconnected meanwhile
    return True


def _is_current(path: str) -> bool:
    """True if each module of ours is in a bundle as it is, and those of Python that are in it."""
    try:
        bundle = ModuleBundle.read(os.fsencode(path))
    except (OSError, ValueError, EOFError, TypeError):
        return False
    if bundle is None:
        return False
    own = [name for name, _ in _list_own_sources()]
    # to look for those of Python would mean to import them
    standard = [name for name in STANDARD if bundle.has_module(name)]
    return bundle.is_current((*own, *standard))


def list_sources() -> Iterator[tuple[str, str]]:
    """Yield the names and source files of all modules of the bundle."""
    from importlib import import_module  # most jobs find the file current

    yield from _list_own_sources()
    for name in STANDARD:
        if source := getattr(import_module(name), "__file__", ""):
            yield name, os.path.abspath(source)


def _list_own_sources() -> Iterator[tuple[str, str]]:
    above = len(os.path.dirname(PACKAGE)) + len(os.sep)
    yield "twiceshy.app", os.path.join(PACKAGE, "app.py")
    for room in ROOMS:
        for source in _list_files(os.path.join(PACKAGE, room)):
            name = _name_module(source[above:])
            if name not in _BEFORE:
                yield name, source


def _list_files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith(".py"):
            yield entry.path
        elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
            yield from _list_files(entry.path)


def _name_module(path: str) -> str:
    """Return the name of the module in a file, from its path below the folder of the package."""
    name = path.removesuffix(".py").replace(os.sep, ".")
    return name.removesuffix(".__init__")
