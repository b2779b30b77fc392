"""Modules of hooks in one file: compiled once, read by offset, instead of from fifty files.

The file lies in the memory home and is written by the background job (``bundle_writer``). A module is
taken from it only if its source is as it was when it was compiled; otherwise Python imports it as ever.
What a module imports at its top is loaded before it, without asking Python's finders one by one.
Annotations are quoted here: ``__future__`` would be one more file to find.
"""

import posix as system
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER
from _imp import source_hash
from marshal import loads

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

    # package or not, source file, its time and size, where its code is, the hash of the code, and
    # the modules of the bundle that it imports at its top, its package first
    Entry = tuple[bool, str, int, int, int, int, bytes, tuple[str, ...]]

NAME = "hooks.bundle"
VERSION = 3
SIZE_BYTES, HASH_BYTES = 4, 8  # length and hash of the index, with which the file begins
PACKAGE = __file__.rsplit("/", 2)[0]  # the folder of twiceshy: another copy has other modules
HASH_KEY = 0x7477696365
_WRITABLE_BY_OTHERS = 0o022
_LARGEST_INDEX = 1 << 20


class ModuleBundle:
    """Finds and loads modules of the bundle, for ``sys.meta_path``, which gives what we do not use."""

    def __init__(self, handle: int, entries: "dict[str, Entry]") -> None:
        self._handle = handle
        self._entries = entries
        self._start = 0

    @classmethod
    def read(cls, path: bytes) -> "ModuleBundle | None":
        """Read the index of a bundle; None unless it is ours, whole, of this package and interpreter."""
        handle = system.open(path, system.O_RDONLY | system.O_NOFOLLOW | system.O_NONBLOCK)
        stat = system.fstat(handle)
        if stat.st_uid != system.geteuid() or stat.st_mode & _WRITABLE_BY_OTHERS:
            return None
        begin = SIZE_BYTES + HASH_BYTES
        head = system.pread(handle, begin, 0)
        length = int.from_bytes(head[:SIZE_BYTES], "little")
        index = system.pread(handle, min(length, _LARGEST_INDEX), begin)
        if hash_content(index) != head[SIZE_BYTES:]:
            return None
        version, magic, package, total, entries = loads(index)  # noqa: S302 - written by us
        if (version, magic, package, total) != (VERSION, MAGIC_NUMBER, PACKAGE, stat.st_size):
            return None
        found = cls(handle, entries)
        found._start = begin + length
        return found

    def find_spec(
        self,
        name: str,
        path: "Sequence[str] | None" = None,  # noqa: ARG002 - Python gives it
        target: "ModuleType | None" = None,  # noqa: ARG002 - and this, too
    ) -> "ModuleSpec | None":
        """Return the spec of a module whose source has not changed."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        for needed in entry[-1]:
            self._load_directly(needed)
        code = self._read_current_code(entry)
        return self._build_spec(name, entry, code) if code else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python make the module."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run the compiled code of a module."""
        spec = module.__spec__
        if spec is not None:
            exec(loads(spec.loader_state), module.__dict__)  # noqa: S102, S302 - from our sources

    def is_current(self, name: str) -> bool:
        """True if a module is in the bundle, and its source has not changed."""
        entry = self._entries.get(name)
        return entry is not None and bool(self._read_current_code(entry))

    def _load_directly(self, name: str) -> None:
        """Load a module and what it needs; one that has changed is left to Python."""
        modules = sys.modules
        parent, _, own_name = name.rpartition(".")
        if name in modules or name not in self._entries or (parent and parent not in modules):
            return
        entry = self._entries.pop(name)  # not a second time, whatever becomes of it
        for needed in entry[-1]:
            self._load_directly(needed)
        code = self._read_current_code(entry)
        if not code:
            return
        spec = self._build_spec(name, entry, code)
        module = type(sys)(name)
        module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, spec.origin
        module.__package__ = name if entry[0] else parent
        if spec.submodule_search_locations:
            module.__path__ = spec.submodule_search_locations
        modules[name] = module
        try:
            self.exec_module(module)
        except BaseException:
            del modules[name]
            raise
        if parent:
            setattr(modules[parent], own_name, module)

    def _build_spec(self, name: str, entry: "Entry", code: bytes) -> ModuleSpec:
        is_package, source, *_ = entry
        loader: Any = self
        spec = ModuleSpec(name, loader, origin=source, loader_state=code, is_package=is_package)
        spec.has_location = True  # which makes ``__file__`` of the origin
        spec.cached = source  # or Python works out where a compiled file would be
        if is_package:
            spec.submodule_search_locations = [source.rpartition("/")[0]]
        return spec

    def _read_current_code(self, entry: "Entry") -> bytes:
        """Return the code of a module; empty if its source has changed, or the file is damaged there."""
        _, source, changed_ns, size, offset, length, code_hash, _ = entry
        try:
            stat = system.stat(source)
        except OSError:
            return b""
        if (stat.st_mtime_ns, stat.st_size) != (changed_ns, size):
            return b""
        code = system.pread(self._handle, length, self._start + offset)
        return code if hash_content(code) == code_hash else b""


def hash_content(content: bytes) -> bytes:
    """Return eight bytes by which damage is seen, as Python has them for its own files."""
    return source_hash(HASH_KEY, content)


def use_bundle() -> None:
    """Import modules from the bundle of the memory home, if there is a good one."""
    home = system.environ.get(b"TWICESHY_HOME")
    if not home:
        return
    try:
        if bundle := ModuleBundle.read(home + b"/" + NAME.encode()):
            sys.meta_path.insert(0, bundle)
    except Exception:  # noqa: BLE001, S110 - a bundle saves time, and is needed by nobody
        pass
