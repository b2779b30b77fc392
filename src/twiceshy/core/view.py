"""Record of a view: a file of notes that people may edit."""

from __future__ import annotations

from twiceshy.core.value import Value


class ViewRecord(Value):
    """The last text written to a view, with format, project, skill and time.

    The view of an episode has the id of the episode in the place of a skill.
    """

    path: str
    format: str
    project: str
    skill: str
    body: str
    at: int
