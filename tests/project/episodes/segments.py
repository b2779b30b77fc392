"""Work segments of whole transcripts."""

from collections.abc import Callable, Iterable

from twiceshy.core.transcript import Step
from twiceshy.project.episodes.work_segment import WorkSegmentBuilder


def build_from_steps(
    steps: Iterable[Step], *, redact: Callable[[str], str], root: str = "", every: int = 0
) -> WorkSegmentBuilder:
    """Build a work segment from every step of a transcript."""
    fold = WorkSegmentBuilder(redact=redact, root=root, every=every)
    for step in steps:
        fold.add_step(step)
    return fold
