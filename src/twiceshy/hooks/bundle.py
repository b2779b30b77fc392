"""Modules of hooks in one file: compiled once, read by offset, instead of from fifty files.

The file lies in the memory home and is written by the background job (``bundle_writer``). A module is
taken from it only if its source is as it was when it was compiled; otherwise Python imports it as ever.
What a module imports at its top is loaded before it, without asking Python's finders one by one. Modules
that one event needs together lie together, too, in the order of loading: their names are read once.
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
    from collections.abc import Callable, Sequence
    from types import CodeType, ModuleType
    from typing import Any

    # of a record: its offset, the size of its head, and its size; of a group: its offset and size
    Place = tuple[int, int, int]
    # package or not, source file, its time and size
    Stamp = tuple[bool, str, int, int]
    # a stamp, and the modules of the bundle that a module imports at its top, its package first
    Head = tuple[Stamp, tuple[str, ...]]
    Group = tuple[tuple[str, Stamp, CodeType], ...]  # in the order of loading

NAME = "hooks.bundle"
VERSION = 4
SIZE_BYTES, HASH_BYTES = 4, 8  # length and hash of the index, with which the file begins
PACKAGE = __file__.rsplit("/", 2)[0]  # the folder of twiceshy: another copy has other modules
HASH_KEY = 0x7477696365
_WRITABLE_BY_OTHERS = 0o022
_LARGEST_INDEX = 1 << 20
_PIECE = 1 << 16


class ModuleBundle:
    """Finds and loads modules of the bundle, for ``sys.meta_path``, which gives what we do not use."""

    def __init__(
        self,
        handle: int,
        start: int,
        content_hash: bytes,
        places: "dict[str, Place]",
        groups: "dict[str, Place]",
    ) -> None:
        self._handle = handle
        self._start = start
        self._content_hash = content_hash
        self._places = places
        self._groups = groups  # by the module whose import loads the group
        self._members: dict[str, tuple[Stamp, CodeType]] = {}  # of groups, and not run yet

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
        about, total, *rest = loads(index)  # noqa: S302 - written by us
        if about != (VERSION, MAGIC_NUMBER, PACKAGE) or total != stat.st_size:
            return None
        return cls(handle, begin + length, *rest)

    def find_spec(
        self,
        name: str,
        path: "Sequence[str] | None" = None,  # noqa: ARG002 - Python gives it
        target: "ModuleType | None" = None,  # noqa: ARG002 - and this, too
    ) -> "ModuleSpec | None":
        """Return the spec of a module whose source has not changed."""
        place = self._places.get(name)
        if place is None:
            return None
        if member := self._members.get(name):  # its package asks for it
            self._run_member(name)
            if name in sys.modules:
                return build_spec(name, member[0], self, None)
        if group := self._groups.pop(name, None):
            self._load_group(group)
        stamp, code = self._read_current(place)
        return build_spec(name, stamp, self, code) if code else None

    def create_module(self, spec: ModuleSpec) -> "ModuleType | None":
        """Let Python make the module, unless it was loaded while its spec was looked for."""
        return None if spec.loader_state else sys.modules.get(spec.name)

    def exec_module(self, module: "ModuleType") -> None:
        """Run the compiled code of a module, once."""
        spec = module.__spec__
        if spec is not None and spec.loader_state:
            exec(loads(spec.loader_state), module.__dict__)  # noqa: S102, S302 - from our sources

    def has_module(self, name: str) -> bool:
        """True if a module is in the bundle, whatever its source is like now."""
        return name in self._places

    def is_current(self, names: "Sequence[str]") -> bool:
        """True if these modules are in the bundle, no source has changed, and nothing is damaged."""
        if not all(name in self._places for name in names):
            return False
        if hash_in_pieces(self._read_piece) != self._content_hash:
            return False
        heads = [self._places[name][:2] for name in names]
        return all(is_unchanged(self._read_stamp(*place)) for place in heads)

    def _read_piece(self, size: int, offset: int) -> bytes:
        return system.pread(self._handle, size, self._start + offset)

    def _read_stamp(self, offset: int, head_size: int) -> "Stamp":
        stamp: Stamp = loads(self._read_piece(head_size, offset + HASH_BYTES))[0]  # noqa: S302 - written by us
        return stamp

    def _load_group(self, place: "Place") -> None:
        """Load modules that are needed together, unless one of them has changed."""
        offset, _, size = place
        record = self._read_record(offset, size)
        if not record:
            return
        group: Group = loads(record)  # noqa: S302 - from our sources
        if not all(is_unchanged(stamp) for _, stamp, _ in group):
            return
        for name, stamp, code in group:
            self._members[name] = stamp, code
        for name, *_ in group:
            self._run_member(name)

    def _run_member(self, name: str) -> None:
        """Run a module of a group unless it is loaded, or waits for its package."""
        if name in sys.modules:
            self._members.pop(name, None)
        elif name in self._members and _is_next(name):
            self._run_module(name, *self._members.pop(name))

    def _load_directly(self, name: str) -> None:
        """Load a module and what it needs; one that has changed is left to Python."""
        parent = name.rpartition(".")[0]
        if (
            name in sys.modules
            or name not in self._places
            or (parent and parent not in sys.modules)
        ):
            return
        stamp, code = self._read_current(self._places.pop(name))  # not a second time
        if code and name not in sys.modules:
            self._run_module(name, stamp, loads(code))  # noqa: S302 - from our sources

    def _run_module(self, name: str, stamp: "Stamp", code: "CodeType") -> None:
        """Make a module, and run its code."""
        modules = sys.modules
        parent, _, own_name = name.rpartition(".")
        spec = build_spec(name, stamp, self, None)
        module = type(sys)(name)
        module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, spec.origin
        module.__package__ = name if stamp[0] else parent
        if spec.submodule_search_locations:
            module.__path__ = spec.submodule_search_locations
        modules[name] = module
        try:
            exec(code, module.__dict__)  # noqa: S102 - from our sources
        except BaseException:
            del modules[name]
            raise
        if parent:
            setattr(modules[parent], own_name, module)

    def _read_current(self, place: "Place") -> "tuple[Stamp, memoryview]":
        """Return the stamp and the code of a module, what it needs being loaded.

        There is no code if the source has changed, or the file is damaged there.
        """
        offset, head_size, size = place
        record = self._read_record(offset, size)
        if not record:
            return (False, "", 0, 0), record
        stamp, needed = loads(record)  # noqa: S302 - from our sources; it reads the head and no more
        for name in needed:
            self._load_directly(name)
        return stamp, record[head_size:] if is_unchanged(stamp) else record[:0]

    def _read_record(self, offset: int, size: int) -> memoryview:
        """Return the content of a record, without copying it; empty if it is damaged."""
        record = memoryview(self._read_piece(size, offset))
        content = record[HASH_BYTES:]
        return content if hash_content(content) == record[:HASH_BYTES] else record[:0]


def _is_next(name: str) -> bool:
    """True if a module is not loaded yet, and its package is; a package may import what is in it."""
    parent = name.rpartition(".")[0]
    return name not in sys.modules and (not parent or parent in sys.modules)


def is_unchanged(stamp: "Stamp") -> bool:
    """True if the source of a module is as it was when it was compiled."""
    _, source, changed_ns, size = stamp
    try:
        stat = system.stat(source)
    except OSError:
        return False
    return stat.st_size == size and stat.st_mtime_ns == changed_ns


def build_spec(name: str, stamp: "Stamp", loader: "Any", code: "memoryview | None") -> ModuleSpec:
    """Build the spec of a module."""
    is_package, source, *_ = stamp
    spec = ModuleSpec(name, loader, origin=source, loader_state=code, is_package=is_package)
    spec.has_location = True  # which makes ``__file__`` of the origin
    spec.cached = source  # or Python works out where a compiled file would be
    if is_package:
        spec.submodule_search_locations = [source.rpartition("/")[0]]
    return spec


def hash_content(content: "bytes | memoryview") -> bytes:
    """Return eight bytes by which damage is seen, as Python has them for its own files."""
    return source_hash(HASH_KEY, content)


def hash_in_pieces(read: "Callable[[int, int], bytes]") -> bytes:
    """Return the hash of all that is read by size and offset; large pieces take fresh memory."""
    hashes, offset = b"", 0
    while piece := read(_PIECE, offset):
        hashes += hash_content(piece)
        offset += len(piece)
    return hash_content(hashes)


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
