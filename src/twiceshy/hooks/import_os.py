"""Import ``os`` without the abstract classes of collections, unless these are loaded already.

``os`` needs them for one thing: its environment is a mapping. To build the 25 classes takes a hook 0.5 ms
where Python itself starts in 5. A test compares this environment with the usual one.
"""

import sys

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_NAME = "_collections_abc"
_LOADED = ("os", "os.path", "posixpath", "genericpath")


def import_os() -> None:
    """Load ``os`` with a stand-in for the abstract classes, or as ever if that fails."""
    if "os" in sys.modules or _NAME in sys.modules:
        return
    stand_in = type(sys)(_NAME)
    may_be_merged = (dict, _Environment)  # with an environment
    stand_in.__dict__.update(
        _check_methods=_check_methods, MutableMapping=_Environment, Mapping=may_be_merged
    )
    sys.modules[_NAME] = stand_in
    try:
        import os  # noqa: F401 - whoever needs it imports it again
    except Exception:  # noqa: BLE001 - a newer Python may ask for more; then all is loaded anew
        for name in _LOADED:
            sys.modules.pop(name, None)
    finally:
        if sys.modules.get(_NAME) is stand_in:
            del sys.modules[_NAME]


class _Environment:
    """What ``os`` takes from its base class: reading and changing by name."""

    _data: "dict[bytes, bytes]"
    decodekey: "Callable[[bytes], str]"
    decodevalue: "Callable[[bytes], str]"

    if TYPE_CHECKING:

        def __getitem__(self, name: str) -> str: ...
        def __setitem__(self, name: str, value: str) -> None: ...
        def __delitem__(self, name: str) -> None: ...
        def __iter__(self) -> Iterator[str]: ...

    def __contains__(self, name: str) -> bool:
        try:
            self[name]
        except KeyError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        return dict(self.items()) == (dict(other) if isinstance(other, _Environment) else other)

    __hash__ = None  # type: ignore[assignment]  # as of every mapping that changes

    def get(self, name: str, default: "str | None" = None) -> "str | None":
        try:
            return self[name]
        except KeyError:
            return default

    def items(self) -> "list[tuple[str, str]]":
        named, valued = self.decodekey, self.decodevalue
        return [(named(name), valued(value)) for name, value in list(self._data.items())]

    def keys(self) -> "list[str]":
        return list(self)

    def values(self) -> "list[str]":
        return [value for _, value in self.items()]

    def pop(self, name: str, *default: "Any") -> "Any":
        try:
            value = self[name]
        except KeyError:
            if default:
                return default[0]
            raise
        del self[name]
        return value

    def popitem(self) -> "tuple[str, str]":
        for name, value in self.items():
            del self[name]
            return name, value
        raise KeyError

    def clear(self) -> None:
        for name in self:
            del self[name]

    def update(self, other: "Any" = (), /, **named: str) -> None:
        for name, value in {**dict(other), **named}.items():
            self[name] = value


def _check_methods(cls: type, *methods: str) -> "Any":
    """Return True if a class has all these methods, and NotImplemented otherwise."""
    for method in methods:
        found = [base.__dict__[method] for base in cls.__mro__ if method in base.__dict__]
        if not found or found[0] is None:
            return NotImplemented
    return True
