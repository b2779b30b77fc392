"""Say which known project a checkout claims to be without proof."""

from __future__ import annotations

from twiceshy.core.store import HealthFinding
from twiceshy.core.text import fold_to_line, strip_unsafe

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.core.store import Store
    from twiceshy.places.identity import Identity


def report_claim(app: App) -> Iterator[HealthFinding]:
    """Report a checkout that says to be a known project without proof."""
    here = app.current_project()
    if here.claimed:
        said = f"{describe_claimed(app.store, here)}; its memory is not shown here"
        yield HealthFinding("checkout", "warning", said, "if it is yours: twiceshy project join")


def describe_claimed(store: Store, here: Identity) -> str:
    """Describe which known project a checkout says to be."""
    name, root = store.list_projects().get(here.claimed, ("", ""))
    where = f" ({root})" if root else ""
    return fold_to_line(
        strip_unsafe(f"{here.root} claims to be {name or here.claimed}{where}"), limit=300
    )
