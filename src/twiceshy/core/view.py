"""A view: a file that shows what is known, and that people may edit; kept as we wrote it last."""

from __future__ import annotations

from twiceshy.core.value import Value


class View(Value):
    """What we wrote to a file: in which format, about which project and skill, and when."""

    path: str
    format: str
    project: str
    skill: str
    body: str
    at: int
