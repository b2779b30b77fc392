"""Frozen, slotted value types, cheap to import in a hook.

Importing ``dataclasses`` costs more than ``json`` and ``sqlite3``.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self, dataclass_transform
else:

    def dataclass_transform(**_):
        """Replace the ``typing`` hint for type checkers at run time."""
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class ValueMeta(type):
    """Turn a class's annotations into slots and its class attributes into defaults."""

    __fields__: tuple[str, ...]
    __defaults__: dict[str, object]
    # of the slots, once there is a value
    __setters__: tuple[Callable[[object, object], None], ...]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> ValueMeta:
        """Build the class; fields keep their declaration order, bases first."""
        # plain loops: hooks build fifty such classes, and comprehensions take twice as long
        declared = body.get("__annotations__", {})
        if not declared and ("__annotate__" in body or "__annotate_func__" in body):
            raise TypeError(f"{name} needs: from __future__ import annotations")  # Python 3.14
        own = tuple(declared) if isinstance(declared, dict) else ()
        known: tuple[str, ...] = ()
        defaults: dict[str, object] = {}
        for base in bases:
            if isinstance(base, ValueMeta) and base.__fields__:
                known += base.__fields__
                defaults |= base.__defaults__
        if known and (again := set(known) & set(own)):
            raise TypeError(f"{name} declares {', '.join(sorted(again))} a second time")
        for field in own:
            if field in body:
                defaults[field] = body.pop(field)
        fields = known + own
        body["__slots__"] = own
        body["__fields__"] = body["__match_args__"] = fields
        body["__defaults__"], body["__setters__"] = defaults, ()
        return super().__new__(cls, name, bases, body)

    def bind_setters(cls) -> tuple[Callable[[object, object], None], ...]:
        """Bind the setters of the slots: most classes that a hook loads have no value in it."""
        cls.__setters__ = tuple([getattr(cls, field).__set__ for field in cls.__fields__])
        return cls.__setters__


class Value(metaclass=ValueMeta):
    """A value: equal by content, immutable; ``but()`` returns a changed copy."""

    def __init__(self, *args: object, **named: object) -> None:
        cls = type(self)
        setters = cls.__setters__ or cls.bind_setters()
        if named or len(args) != len(setters):
            args = _complete_values(cls, args, named)
        for put, value in zip(setters, args):  # noqa: B905 - as many as there are, see above
            put(self, value)

    @classmethod
    def of(cls, fields: Mapping[str, object]) -> Self:
        """Build a value from a mapping of fields, such as a row or a JSON line."""
        return cls(**fields)

    def but(self, **changes: object) -> Self:
        """Return a copy with some fields changed."""
        values = [
            changes.pop(field) if field in changes else getattr(self, field)
            for field in type(self).__fields__
        ]
        return type(self)(*values, **changes)

    def fields(self) -> dict[str, object]:
        """Return every field by name, in declaration order."""
        return {field: getattr(self, field) for field in type(self).__fields__}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; use but({name}=…)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, field) == getattr(other, field) for field in type(self).__fields__
        )

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, field) for field in type(self).__fields__)))

    def __repr__(self) -> str:
        inside = ", ".join(f"{field}={value!r}" for field, value in self.fields().items())
        return f"{type(self).__name__}({inside})"


def _complete_values(
    cls: ValueMeta, args: tuple[object, ...], named: dict[str, object]
) -> tuple[object, ...]:
    """Return the values of all fields in order: given by place, by name, or by default."""
    if len(args) > len(cls.__fields__):
        raise TypeError(f"{cls.__name__} takes {len(cls.__fields__)} values, not {len(args)}")
    given = {**cls.__defaults__, **named}
    rest = cls.__fields__[len(args) :]
    for field in rest:
        if field not in given:
            raise TypeError(f"{cls.__name__} needs {field!r}")
    if unknown := named.keys() - set(rest):
        raise TypeError(f"{cls.__name__} has no {', '.join(unknown)}, or it was given twice")
    return (*args, *[given[field] for field in rest])
