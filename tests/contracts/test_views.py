"""What every store keeps of the files that it is shown in; only the port is used."""

from twiceshy.core.store import Store
from twiceshy.core.view import ViewRecord


def a_view(**fields: object) -> ViewRecord:
    usual: dict[str, object] = {
        "path": "/home/u/shop/MEMORY.md",
        "format": "engine_hub",
        "project": "demo",
        "skill": "",
        "body": "# Memory\n",
        "at": 5,
    }
    return ViewRecord.of(usual | fields)


def test_a_view_is_known_as_it_was_written_last(store: Store) -> None:
    store.save_records(a_view())
    store.save_records(a_view(body="# Memory\n- x\n", at=6))
    store.save_records(a_view(path="/home/u/a.md"))

    assert store.list_views("/home/u/shop/MEMORY.md") == [a_view(body="# Memory\n- x\n", at=6)]
    assert [view.path for view in store.list_views()] == ["/home/u/a.md", "/home/u/shop/MEMORY.md"]
    assert store.list_views("/elsewhere") == []


def test_a_view_that_was_dropped_is_not_known(store: Store) -> None:
    store.save_records(a_view())

    store.drop_records(ViewRecord, "/home/u/shop/MEMORY.md")

    assert store.list_views() == []


def test_a_view_keeps_no_secret(store: Store) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4

    store.save_records(a_view(body=f"the token is {secret}\n"))

    assert secret not in str(store.list_views())
