"""The next call says what was wrong by what differs, whatever words the error has."""

from pathlib import Path

import pytest
from tests.learning.sessions import Told, notes_of, study

from twiceshy.core.note import MISTAKE, Note
from twiceshy.store.command_store import WholeStore

LONG_MESSAGE = "Explain at some length what has been changed in this commit, and why"


def learn(store: WholeStore, folder: Path, *sessions: Told) -> list[Note]:
    for told in sessions:
        study(store, told.file(folder))
    return notes_of(store)


# what happened, the line that is told without its reason, and the trigger of the note
FIXES = {
    "a task with letters swapped": (
        Told().failed("sbt tset", "[error] Not a valid key: tset").ran("sbt test"),
        "`sbt`: use `test`, not `tset`",
        "Bash/outcome sbt tset",
    ),
    "a name with the wrong sign in it": (
        Told()
        .failed("pants check src:api_lib", "No such target: api_lib")
        .ran("pants check src:api-lib"),
        "`pants`: use `src:api-lib`, not `src:api_lib`",
        "Bash/outcome pants src:api_lib",
    ),
    "an option with a letter left out, and its value": (
        Told()
        .failed("tofu apply -lock-timeot=5s", "flag provided but not defined: -lock-timeot")
        .ran("tofu apply -lock-timeout=5s"),
        "`tofu apply`: use `-lock-timeout=5s`, not `-lock-timeot=5s`",
        "Bash/usage -lock-timeot tofu",
    ),
    "an option whose value the error names": (
        Told()
        .failed("heroku logs --ap shop", "Error: Unexpected argument: shop")
        .ran("heroku logs --app shop"),
        "`heroku logs`: use `--app`, not `--ap`",
        "Bash/usage --ap heroku",
    ),
    "the whole name of a branch": (
        Told()
        .failed("git push origin HEAD:fast", "error: src refspec HEAD:fast does not match any")
        .ran("git push origin HEAD:refs/heads/fast"),
        "`git push`: use `HEAD:refs/heads/fast`, not `HEAD:fast`",
        "Bash/outcome HEAD:fast git",
    ),
    "an option that the error names": (
        Told()
        .failed("dotnet ef migrations list", "More than one context was found. Use --context.")
        .ran("dotnet ef migrations list --context Shop"),
        "`dotnet ef`: add `--context Shop`",
        "Bash/outcome dotnet ef !--context !Shop",
    ),
    "an option for the folder": (
        Told()
        .failed("bazelisk query", "The command is only supported from within a workspace")
        .ran("bazelisk query --workspace=svc/api"),
        "`bazelisk`: add `--workspace=svc/api`",
        "Bash/outcome bazelisk query !--workspace",
    ),
    "the folder, in words of its own": (
        Told()
        .failed("alembic upgrade head", "FAILED: No 'script_location' key found")
        .ran("cd backend && alembic upgrade head"),
        "Run `alembic upgrade head` in `backend`",
        "Bash/outcome alembic head upgrade !cd=backend",
    ),
    "a program in front": (
        Told()
        .failed("rspec spec/cart", "You have already activated rack 3.1, but need rack 3.0")
        .ran("bundle exec rspec spec/cart"),
        "Use `bundle exec rspec spec/cart`; `rspec spec/cart` fails",
        "Bash/outcome rspec !bundle !exec",
    ),
    "another version of the interpreter": (
        Told()
        .failed("python3 tools/gen.py", "SyntaxError: invalid syntax")
        .ran("python3.12 tools/gen.py"),
        "Use `python3.12 tools/gen.py`; `python3 tools/gen.py` fails",
        "Bash/outcome gen.py python3",
    ),
    "a step before the last part of a line": (
        Told()
        .failed(
            "git add -A && git commit -m 'fix it' && git push",
            "! [rejected] main -> main (fetch first)",
        )
        .ran("git fetch && git rebase origin/main")
        .ran("git push 2>&1 | tail -3"),
        "`git fetch && git rebase origin/main` first, then `git push`",
        "Bash/outcome git push !fetch !main !origin/main",
    ),
    "another task, whose name only ends like a linter's fix": (
        Told()
        .failed("npm run fmtt", "Missing script: fmtt, did you mean cody:fix?")
        .ran("npm run cody:fix"),
        "`npm run`: use `cody:fix`, not `fmtt`",
        "Bash/usage fmtt npm",
    ),
    "a linter that puts right what it found": (
        Told()
        .failed("npm run lint", "error: 'lint' did not pass")
        .ran("npm run lint:fix")
        .ran("npm run lint"),
        "`npm run lint:fix` puts right what `lint` finds",
        "Bash/outcome lint npm",
    ),
    "a step on the same line, that the error asks for": (
        Told()
        .failed(
            f'git add lib && git commit -m "{LONG_MESSAGE}"',
            "The hook stopped: code is not formatted, run mix tidyup",
        )
        .ran(f'mix tidyup && git add lib && git commit -m "{LONG_MESSAGE}"'),
        "`mix tidyup` first, then `git commit`",
        "Bash/outcome commit git !mix !tidyup",
    ),
    "a step that is about what the error quotes": (
        Told()
        .failed("cargo nextest run", "error: no such command: `nextest`")
        .ran("cargo install cargo-nextest")
        .ran("cargo nextest run"),
        "`cargo install cargo-nextest` first, then `cargo nextest run`",
        "Bash/usage cargo nextest !cargo-nextest !install",
    ),
    "a path that a program only shows": (
        Told()
        .failed("head -5 etc/app.yml", "head: cannot open 'etc/app.yml': No such file")
        .ran("head -5 etc/app.yaml"),
        "Use `head -5 etc/app.yaml`, not `etc/app.yml`",
        "files/missing etc/app.yml",
    ),
    "a path that lies deeper": (
        Told()
        .failed("wc -l src/main/App.kt", "wc: src/main/App.kt: No such file or directory")
        .ran("wc -l app/src/main/App.kt"),
        "Use `wc -l app/src/main/App.kt`, not `src/main/App.kt`",
        "files/missing main/App.kt !app/src",
    ),
    "a call that then ran and found something": (
        Told()
        .failed("mix tset", '** (Mix) The task "tset" could not be found')
        .failed("mix test", "  1) test total (CartTest)\n2 tests, 1 failure"),
        "`mix`: use `test`, not `tset`",
        "Bash/usage mix tset",
    ),
}


@pytest.mark.parametrize("name", FIXES)
def test_the_next_call_is_the_fix(name: str, store: WholeStore, tmp_path: Path) -> None:
    told, line, trigger = FIXES[name]

    (note,) = (each for each in learn(store, tmp_path, told) if each.subtype == "fix")

    assert note.text == line or note.text.startswith(f"{line}: ")
    assert note.trigger == trigger


OTHERS = {
    "another test": Told()
    .failed("pytest tests/test_cart.py", "E   ValueError: no total is set")
    .ran("pytest tests/test_card.py"),
    "fewer tests": Told()
    .failed("npx jest", "TypeError: Cannot read properties of undefined")
    .ran("npx jest -t total"),
    "the same test again, with more to see": Told()
    .failed("pytest tests/cart", "Error: no answer from the worker")
    .ran("pytest tests/cart -v"),
    "another target": Told()
    .failed("docker compose logs api", "no such service: api")
    .ran("docker compose logs db"),
    "another file of a commit": Told()
    .failed("git show main:src/a.py", "fatal: path 'src/a.py' does not exist in 'main'")
    .ran("git show main:src/b.py"),
    "a call whose line would end before what differs": Told()
    .failed(
        f"git add build/lib/{'deeper/' * 9}a.py src/b.py",
        f"fatal: pathspec 'build/lib/{'deeper/' * 9}a.py' is beyond a symbolic link: no such file",
    )
    .ran(f"git add src/{'deeper/' * 9}a.py src/b.py"),
    "another number": Told()
    .failed("gh run view 1203", "run 1203 was not found")
    .ran("gh run view 1204"),
    "a check left out": Told()
    .failed("git commit -m x", "Error: the hook does not accept this message")
    .ran("git commit -m x --no-verify"),
    "by force": Told()
    .failed("git push", "! [rejected] main -> main (non-fast-forward)")
    .ran("git push -f"),
    "a failure that is not looked at": Told()
    .failed("npm run build", "Error: no entry is set")
    .ran("npm run build || true"),
    "something was edited": Told()
    .failed("just buidl", "error: Justfile does not contain recipe `buidl`")
    .ran("sed -i s/build/buidl/ Justfile")
    .ran("just build"),
    "a step that has nothing to do with it": Told()
    .failed("npm test", "Error: no answer from the worker")
    .ran("npm run lint")
    .ran("npm test"),
    "a file of the lock was removed": Told()
    .failed("git commit -m x", "fatal: Unable to create '.git/index.lock': File exists.")
    .ran("rm -f .git/index.lock")
    .ran("git commit -m x"),
    "something else was committed": Told()
    .failed("git commit -m x", "no changes added to commit (use git add)")
    .ran("git add a.py")
    .ran("git commit -m x"),
    "an earlier part of the line in another way": Told()
    .failed("go build -o app ./cmd/... && ./app run", "go: cannot write to non-directory app")
    .ran("go build -o app ./cmd/app && ./app run"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_task_is_no_fix(name: str, store: WholeStore, tmp_path: Path) -> None:
    assert not [note for note in learn(store, tmp_path, OTHERS[name]) if note.subtype == "fix"]


SLIPS = (
    (
        "ansible-playbook site.yml --limt {}",
        "error: unrecognized arguments: --limt {}",
        "ansible-playbook site.yml --limit {}",
    ),
    ("docker run --nme {} redis", "unknown flag: --nme", "docker run --name {} redis"),
)


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_with_another_operand_is_the_same_mistake(
    slip: tuple[str, str, str], store: WholeStore, tmp_path: Path
) -> None:
    sessions = []
    for day, operand in enumerate(("web1", "db")):
        wrong, error, right = (text.format(operand) for text in slip)
        sessions.append(Told(f"s{day}", day=day).failed(wrong, error).ran(right))

    (note,) = learn(store, tmp_path, *sessions)

    assert note.sightings == len(sessions)
    assert "web1" not in f"{note.trigger} {note.text.partition(': use')[0]}"


def test_an_unfixed_mistake_is_known_by_what_the_error_denies(
    store: WholeStore, tmp_path: Path
) -> None:
    """The right call is not counted as a call that is known to fail."""
    told = Told().failed("mvn -pl core tset", '[ERROR] Unknown lifecycle phase "tset"')

    (note,) = learn(store, tmp_path, told.ran("ls").ran("mvn -pl core test -q"))

    assert note.trigger == "Bash/outcome mvn tset"
    assert note.tag.startswith(MISTAKE)


def test_the_time_of_a_failing_run_counts_without_a_fix(store: WholeStore, tmp_path: Path) -> None:
    told = Told().failed("make e2e", "Error: port 5432 is in use by postgres")

    learn(store, tmp_path, told)

    (match,) = store.match_triggers(("demo",))
    assert match.lost_ms > 0
