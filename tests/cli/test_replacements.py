"""What a person sees of notes that replace another: at once, or asked about in review."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.terminal import answered
from tests.requirements import requirement

TO_PROD, TO_STAGING = "Copy from staging to prod", "Copy from prod to staging"


def note(twiceshy: Command, text: str, *options: str) -> str:
    return twiceshy("note", text, *options).out.strip()


def texts(twiceshy: Command, *options: str) -> set[str]:
    return {found["text"] for found in twiceshy("list", "--json", *options).json}


@requirement("T140")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use axios in the old admin app", "Do not use axios in the shop"),
        ("We use Jenkins to build the backend", "We no longer use Jenkins for the mobile apps"),
        ("线上 Redis 用哨兵模式", "本地 Redis 不用哨兵了，单机就行"),
    ],
)
def test_two_places_keep_two_notes(twiceshy: Command, old: str, new: str) -> None:
    note(twiceshy, old)

    assert twiceshy("note", new).err == "noted\n"

    assert texts(twiceshy) == {old, new}


@requirement("L17", "T140")
def test_a_note_says_which_note_it_replaces(twiceshy: Command) -> None:
    old = note(twiceshy, "Artifacts are kept for 30 days")

    told = twiceshy("note", "Artifacts are kept for 7 days").err

    assert f"it replaces {old}, which is retired: Artifacts are kept for 30 days" in told
    assert texts(twiceshy) == {"Artifacts are kept for 7 days"}
    twiceshy("undo")
    assert texts(twiceshy) == {"Artifacts are kept for 30 days"}


@requirement("T140", "T144")
@pytest.mark.parametrize(
    ("rule", "exception"),
    [
        ("Use Docker", "Do not use Docker volumes"),
        ("Use Windows", "Do not use Windows 7"),
        ("Use Java", "Do not use Java 8"),
        ("Run all tests", "Do not run slow tests"),
        ("使用 React", "不要使用 React 类组件"),
        ("Docker verwenden", "Keine Docker-Volumes verwenden"),
        ("Utiliser Docker", "Ne pas utiliser les volumes Docker"),
        ("Usar Java", "No usar Java 8"),
    ],
)
@pytest.mark.parametrize("is_rule_first", [True, False])
def test_an_exception_retires_no_rule_and_no_rule_an_exception(
    twiceshy: Command, rule: str, exception: str, *, is_rule_first: bool
) -> None:
    first, second = (rule, exception) if is_rule_first else (exception, rule)
    note(twiceshy, first, "--skill", "x")

    assert twiceshy("note", second, "--skill", "x", "--json").json["outcome"] == "noted"

    assert texts(twiceshy) == {rule, exception}


def count_asked(twiceshy: Command) -> int:
    return len(twiceshy("review", "--json").json.get("replacements", []))


@requirement("T140", "T145")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("In dev stop redis before postgres", "In prod stop postgres before redis"),
        ("开发环境先停 A 再停 B", "生产环境先停 B 再停 A"),
    ],
)
def test_an_exchange_in_another_place_is_not_even_asked_about(
    twiceshy: Command, old: str, new: str
) -> None:
    note(twiceshy, old)
    note(twiceshy, new)

    assert texts(twiceshy) == {old, new}
    assert count_asked(twiceshy) == 0


@requirement("T141", "T145", "T147")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("前端组通知后端组", "后端组通知前端组"),
        (
            "The web server calls the worker over gRPC",
            "The worker calls the web server over gRPC",
        ),
        ("Copiar de staging a prod", "Copiar de prod a staging"),
        ("First build, then test", "First test, then build"),
        ("先备份再升级", "先升级再备份"),
        ("Zuerst bauen, dann testen", "Zuerst testen, dann bauen"),
        ("Primero compilar, luego probar", "Primero probar, luego compilar"),
    ],
)
def test_an_exchange_is_asked_about_also_of_two_orders(
    twiceshy: Command, old: str, new: str
) -> None:
    note(twiceshy, old)
    note(twiceshy, new)

    assert texts(twiceshy) == {old, new}
    assert count_asked(twiceshy) == 1


@requirement("L17", "T146")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Retry failed uploads 3 times", "Retry failed uploads 5 times"),
        ("Compile to ES2018", "Compile to ES2022"),
        ("Use Node 18", "Use Node 22"),
        ("Use eslint 8", "Use eslint 9"),
        ("Set timeout=30", "Set timeout=60"),
        ("Keep at least 80 builds", "Keep at least 85 builds"),
        ("Releases are on Tuesday", "Releases are on Thursday now"),
        ("Le port est 8080", "Le port est 9090"),
        ("Das Zeitlimit ist 30 Sekunden", "Das Zeitlimit ist 60 Sekunden"),
        ("Ann is the release manager", "Ben is the release manager now"),
        ("Ann is the release manager", "Ben has taken over the release from Ann"),
        ("Do not use lodash", "lodash may be used again"),
        ("Use npm", "Actually, use pnpm"),
        ("Use Webpack", "Use Vite"),
        ("Deploy with Ansible", "Actually, deploy with Terraform"),
        ("Wir verwenden Jenkins", "Wir verwenden Jenkins nicht mehr"),
        ("The main branch is called master", "The main branch was renamed to main"),
        ("主分支叫 master", "主分支改名为 main"),
        ("使用 Jenkins", "停用 Jenkins"),
        ("日志写到 syslog", "日志不再写到 syslog"),
        ("支持 IE 11", "已经不支持 IE 11"),
    ],
)
def test_a_plain_change_retires_the_older_note(twiceshy: Command, old: str, new: str) -> None:
    note(twiceshy, old)
    note(twiceshy, new)

    assert texts(twiceshy) == {new}


@requirement("T141", "T147")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Tor 4 ist gesperrt", "Tor 5 ist gesperrt"),
        ("Kunde 1001 braucht Papierrechnungen", "Kunde 1002 braucht Papierrechnungen"),
        ("Key 1 opens the rack", "Key 2 opens the rack"),
        ("In 2024 we lost the audit", "In 2025 we lost the audit"),
        ("On March 3 the disk was full", "On March 9 the disk was full"),
        ("The shop is closed on Monday", "The shop is closed on Tuesday"),
        ("La tienda cierra los lunes", "La tienda cierra los martes"),
        ("Tested with Django 4.2", "Tested with Django 5.0"),
        ("兼容 Java 17", "兼容 Java 21"),
        ("Open port 80 in the firewall", "Open port 443 in the firewall"),
        ("Block IP 10.0.0.5", "Block IP 10.0.0.9"),
        ("Retry on 502", "Retry on 503"),
        ("Return 404 for missing items", "Return 410 for missing items"),
    ],
)
def test_a_number_or_a_date_without_a_word_of_change_is_asked_about(
    twiceshy: Command, old: str, new: str
) -> None:
    note(twiceshy, old)
    note(twiceshy, new)

    assert texts(twiceshy) == {old, new}
    assert count_asked(twiceshy) == 1


@requirement("T147")
@pytest.mark.parametrize(
    ("old", "new"),
    [("Gate 4 is closed", "Gate 5 is closed"), ("4 号门关闭", "5 号门关闭")],
)
def test_a_numbered_thing_stays_beside_another_one(twiceshy: Command, old: str, new: str) -> None:
    note(twiceshy, old)
    note(twiceshy, new)

    assert texts(twiceshy) == {old, new}


@requirement("T142")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TO_PROD, TO_STAGING),
        ("从测试库同步到正式库", "从正式库同步到测试库"),
        ("Copiar de staging a prod", "Copiar de prod a staging"),
        ("Copier de staging à prod", "Copier de prod à staging"),
        ("Copiar do cliente para o servidor", "Copiar do servidor para o cliente"),
        ("Copiare da staging a prod", "Copiare da prod a staging"),
        ("Von Staging an Prod senden", "Von Prod an Staging senden"),
    ],
)
def test_a_swapped_note_is_a_note_of_its_own(twiceshy: Command, one: str, other: str) -> None:
    note(twiceshy, one)

    assert twiceshy("note", other, "--json").json["outcome"] == "noted"

    assert texts(twiceshy) == {one, other}


@requirement("T142")
def test_a_moved_clause_is_the_same_note(twiceshy: Command) -> None:
    first = note(twiceshy, "Before deploying, run the migrations")

    assert note(twiceshy, "Run the migrations before deploying") == first


@requirement("T141")
class TestPairs:
    """A note that may replace another: both are shown, and review asks."""

    def written(self, twiceshy: Command) -> tuple[str, str]:
        return note(twiceshy, TO_PROD), note(twiceshy, TO_STAGING)

    def test_the_note_says_that_it_is_asked_about(self, twiceshy: Command) -> None:
        old = note(twiceshy, TO_PROD)

        told = twiceshy("note", TO_STAGING)

        new = told.out.strip()
        assert f"it may replace {old}" in told.err
        assert f"twiceshy review --accept {new}" in told.err
        assert f"--keep {new}" in told.err

    def test_review_lists_both_texts(self, twiceshy: Command) -> None:
        old, new = self.written(twiceshy)

        listed = twiceshy("review")

        assert listed.out.startswith("Does this replace that? (1)\n")
        assert f"{new}  note: {TO_STAGING}\n" in listed.out
        assert f"  older:     {old}  note: {TO_PROD}" in listed.out
        assert f"twiceshy review --keep {new}" in listed.err
        (found,) = twiceshy("review", "--json").json["replacements"]
        assert (found["handle"], found["replaces"]["handle"]) == (new, old)

    def test_both_are_told_meanwhile(self, twiceshy: Command) -> None:
        self.written(twiceshy)

        told = twiceshy("recall", "copy staging prod").out

        assert TO_PROD in told
        assert TO_STAGING in told

    def test_accepting_replaces_the_older_note(self, twiceshy: Command) -> None:
        old, new = self.written(twiceshy)

        twiceshy("review", "--accept", new)

        assert texts(twiceshy) == {TO_STAGING}
        assert f"superseded by {new}" in twiceshy("show", old).out
        assert twiceshy("review").err == "nothing waits for you\n"
        twiceshy("undo")
        assert texts(twiceshy) == {TO_PROD, TO_STAGING}

    def test_keeping_both_asks_no_more(self, twiceshy: Command) -> None:
        _, new = self.written(twiceshy)

        assert "both are kept" in twiceshy("review", "--keep", new).err

        assert texts(twiceshy) == {TO_PROD, TO_STAGING}
        assert twiceshy("review").err == "nothing waits for you\n"

    def test_rejecting_is_refused_with_a_hint(self, twiceshy: Command) -> None:
        _, new = self.written(twiceshy)

        refused = twiceshy("review", "--reject", new, fails=1)

        assert f"--keep {new}" in refused.err
        assert texts(twiceshy) == {TO_PROD, TO_STAGING}

    @pytest.mark.parametrize(
        ("answer", "left"), [("k", {TO_PROD, TO_STAGING}), ("a", {TO_STAGING})]
    )
    def test_in_a_terminal_a_person_is_asked(
        self, twiceshy: Command, project: Path, answer: str, left: set[str]
    ) -> None:
        self.written(twiceshy)

        code, shown = answered(["review"], f"{answer}\n")

        assert code == 0
        assert "it replaces the older note, [k]eep both" in shown
        assert texts(twiceshy) == left

    def test_the_question_travels_in_a_bundle(
        self, twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.written(twiceshy)
        bundle = tmp_path / "notes.jsonl"
        twiceshy("export", str(bundle))
        monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "other"))

        twiceshy("import", str(bundle), "--trust")

        (found,) = twiceshy("review", "--json").json["replacements"]
        assert (found["text"], found["replaces"]["text"]) == (TO_STAGING, TO_PROD)


@requirement("T141")
def test_a_note_that_may_replace_another_is_told_before_it(twiceshy: Command) -> None:
    old = note(twiceshy, "The nightly export writes CSV files")
    new = note(twiceshy, "Exports at night produce Parquet, analysts asked for it")

    for words in ("what format does the nightly export write", "nightly export CSV files"):
        told = twiceshy("recall", words).out

        assert f"[{new} gotcha] Exports at night" in told.split(f"[{old} ")[0]
        assert f"may replace {old}" in told
        assert [hit["handle"] for hit in twiceshy("search", words, "--json").json] == [new, old]
