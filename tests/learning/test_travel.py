"""Lessons leave their project: when two projects taught them in the same words, and never else."""

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.learning.detect.acts import failed, ran
from tests.learning.sessions import ROOT
from tests.requirements import requirement
from tests.store.support import Clock, a_store, app_of

from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE
from twiceshy.learning.detect.fix import find_fix
from twiceshy.learning.detect.lesson import build_lesson
from twiceshy.learning.lessons import learn_lesson
from twiceshy.learning.public_words import is_public_lesson
from twiceshy.learning.sources import SessionOrigin
from twiceshy.learning.state import LearningState
from twiceshy.notes.write import change_note
from twiceshy.shell.tool_call import ToolCall
from twiceshy.store.command_store import WholeStore

WRONG, RIGHT = "gh pr diff 7 --stat", "gh pr diff 7 --name-only"
LINE = "`gh pr diff`: use `--name-only`, not `--stat`: unknown flag: --stat"
CANARY = "quetzal"


def teach(
    store: WholeStore, project: str, wrong: ToolCall, right: ToolCall | None, *, skill: str = ""
) -> None:
    """Let a session of a project make a mistake, at work with a skill, and put it right."""
    number = len(store.notes(NoteFilter(statuses=()), limit=None))
    origin = SessionOrigin(f"{project}-{number}", project, ROOT)
    wrong = wrong.but(skill=skill)
    lesson = build_lesson(wrong, find_fix(wrong, [right] if right else []), root=ROOT)
    if lesson:
        learn_lesson(LearningState(app_of(store), origin), lesson)


def global_notes(store: WholeStore) -> list[Note]:
    return store.notes(NoteFilter(projects=(EVERYWHERE,)), limit=None)


def test_public_words_leave_a_project_after_a_second_session(store: WholeStore) -> None:
    wrong, right = failed(WRONG, "unknown flag: --stat"), ran(RIGHT)
    counted = []

    for project in ("shop", "shop", "shop", "blog"):
        teach(store, project, wrong, right)
        counted.append([(each.text, each.status, each.sightings) for each in global_notes(store)])

    assert counted == [[]] + [[(LINE, "active", seen)] for seen in (2, 3, 4)]


# what fails, the error, and what works: a word in each is the project's own, or may be
OWN = {
    "an operand": ("docker run --nme db", "unknown flag: --nme", "docker run db --name"),
    "a value": ("gh repo view --nam=shop", "unknown flag: --nam", "gh repo view --name=shop"),
    "a script": ("npm run buld", 'Missing script: "buld"', "npm run build"),
    "a target": ("make cleen", "No rule to make target 'cleen'.", "make clean"),
    "a program": ("shopctl push --al", "unknown flag: --al", "shopctl push --all"),
    "a subcommand": ("git shopit --al", "error: unknown option `al'", "git shopit --all"),
    "an option": ("gh pr list --shopp", "unknown flag: --shopp", "gh pr list --shop"),
    "an unlike option": ("gh pr list --shop", "unknown flag: --shop", "gh pr list --all"),
    "a host": ("gh pr list --al", "unknown flag: --al at git.shop.example", "gh pr list --all"),
    "a path": ("git log --al", "unknown option: --al in src/shop", "git log --all"),
    "an argument of a script": ("python3 x.py --al", "unknown flag: --al", "python3 x.py --all"),
    "an argument of a task": (
        "cargo run --relese",
        "unknown flag: --relese",
        "cargo run --release",
    ),
}


@requirement("T11")
@pytest.mark.parametrize("case", OWN)
def test_a_word_that_may_be_private_keeps_a_lesson_in_its_project(
    store: WholeStore, case: str
) -> None:
    command, error, right = OWN[case]

    for _ in range(3):
        teach(store, "shop", failed(command, error), ran(right))

    assert global_notes(store) == []


@requirement("T11")
@pytest.mark.parametrize("place", ["kubectl", "bin/kubectl"])
def test_a_program_of_the_project_is_not_public(
    store: WholeStore, tmp_path: Path, place: str
) -> None:
    (tmp_path / "bin").mkdir()
    teach(
        store,
        "shop",
        failed(WRONG.replace("gh", "kubectl"), "unknown flag: --stat"),
        ran(RIGHT.replace("gh", "kubectl")),
    )
    [note] = store.notes(NoteFilter(), limit=None)
    before = is_public_lesson(note, str(tmp_path))

    (tmp_path / place).touch()

    assert (before, is_public_lesson(note, str(tmp_path))) == (True, False)


def test_what_a_person_moved_into_a_project_stays_there(store: WholeStore) -> None:
    wrong, right = failed(WRONG, "unknown flag: --stat"), ran(RIGHT)
    for _ in range(2):
        teach(store, "shop", wrong, right)
    [note] = global_notes(store)
    change_note(app_of(store), "move", note, project="wiki")

    teach(store, "shop", wrong, right)

    assert global_notes(store) == []


def test_a_setting_keeps_lessons_where_they_were_taught(store: WholeStore) -> None:
    wrong, right = failed(WRONG, "unknown flag: --stat"), ran(RIGHT)
    for project in ("shop", "blog"):
        lesson = build_lesson(wrong, right, root=ROOT)
        assert lesson is not None
        app = app_of(store, notes__travel=False)
        learn_lesson(LearningState(app, SessionOrigin(project, project, ROOT)), lesson)

    assert global_notes(store) == []


words = st.sampled_from(
    [CANARY, f"--{CANARY}", f"--repo {CANARY}/x", f"src/{CANARY}.py", f"{CANARY}.example", "--all"]
)
commands = st.builds(
    "{} {} {}".format, st.sampled_from(["git push", "gh pr diff", "npm run", CANARY]), words, words
)
errors = st.sampled_from(
    [
        "unknown flag: --all",
        f"unknown flag: --{CANARY}",
        f"{CANARY}: command not found",
        f"src/{CANARY}.py: No such file or directory",
        f"fatal: could not reach {CANARY}.example",
    ]
)
plain = st.builds(
    "{} {}".format,
    st.sampled_from(["git push", "gh pr diff", "npm run"]),
    st.sampled_from(["--all", "--web", "-x"]),
)


@requirement("T11")
@settings(max_examples=60)
@given(st.lists(st.tuples(commands, errors, plain), min_size=1, max_size=4), plain)
def test_nothing_that_only_one_project_knows_ever_leaves_it(
    taught: list[tuple[str, str, str]], other: str
) -> None:
    with TemporaryDirectory() as folder, closing(a_store(Path(folder), clock=Clock())) as store:
        for command, error, right in taught:
            teach(store, "shop", failed(command, error), ran(f"{right} {CANARY}"))
            other_call = failed(command.replace(CANARY, "plain"), error.replace(CANARY, "plain"))
            teach(store, "blog", other_call, ran(other))
            teach(store, "shop", failed(command, error), ran(right))

        left = [
            f"{note.text} {note.why} {note.tag} {note.trigger}" for note in global_notes(store)
        ]

        assert not [text for text in left if CANARY in text]


def test_what_both_projects_know_leaves_them(store: WholeStore) -> None:
    wrong, right = failed(WRONG, "unknown flag: --stat"), ran(RIGHT)

    for project in ("shop", "blog"):
        teach(store, project, wrong, right)

    assert [(note.text, note.status, note.sightings) for note in global_notes(store)] == [
        (LINE, "active", 2)
    ]


SKILL = "Deploy by `shipper push --force`. A server needs a release, never the script of a build."
SKILL_WORDS = "deploy release server script build push".split()
names = st.builds(
    lambda words, joint: joint.join(words),
    st.lists(st.sampled_from(SKILL_WORDS), min_size=2, max_size=3),
    st.sampled_from(["-", "_", "/", ".", ":", "@", "="]),
)


def install_skill(home: Path) -> None:
    folder = home.parent / "user/.claude/skills/ship"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(f"---\nname: ship\ndescription: d\n---\n\n{SKILL}\n")


def test_a_lesson_in_the_words_of_a_users_skill_leaves_its_project_at_once(
    home: Path, store: WholeStore
) -> None:
    install_skill(home)
    wrong = failed("shipper push build", "unknown command build")

    teach(store, "shop", wrong, ran("shipper push --force"), skill="ship")

    [note] = global_notes(store)
    assert (note.scope.skill, note.status) == ("ship", "candidate")


@requirement("T11")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names, st.sampled_from(["shipper push {}", "shipper {}", "cat {}", "shipper push --{}"]))
def test_a_name_made_of_a_skills_words_stays_in_its_project(
    home: Path, name: str, command: str
) -> None:
    install_skill(home)
    wrong = failed(command.format(name), f"no such file: {name}")
    with TemporaryDirectory() as folder, closing(a_store(Path(folder), clock=Clock())) as store:
        teach(store, "shop", wrong, ran("shipper push --force"), skill="ship")
        teach(store, "shop", wrong, None, skill="ship")

        assert [note.text for note in global_notes(store) if name in note.text] == []


def test_what_is_taught_at_work_with_different_skills_is_about_none_of_them(
    store: WholeStore,
) -> None:
    wrong, right = failed(WRONG, "unknown flag: --stat"), ran(RIGHT)

    teach(store, "shop", wrong, right, skill="ship")
    teach(store, "blog", wrong, right)

    assert [(note.text, note.scope.skill) for note in global_notes(store)] == [(LINE, "")]
