"""What a note says of an error: its cause, in the words of the error, or nothing."""

from pathlib import Path

import pytest
from tests.learning.sessions import ROOT, Told, notes_of, study
from tests.requirements import requirement

from twiceshy.store.command_store import WholeStore


def learned(store: WholeStore, folder: Path, *sessions: Told) -> list[str]:
    for told in sessions:
        study(store, told.file(folder))
    return [note.text for note in notes_of(store)]


# what a program printed, and the cause that a note names
CAUSES = {
    "the last of a chain": (
        "error: failed to load manifest for workspace member `/w/cart`\n\nCaused by:\n"
        "  failed to parse manifest at `/w/cart/Cargo.toml`\n\nCaused by:\n"
        "  feature `edition2024` is required",
        "feature 'edition2024' is required",
    ),
    "a cause on the line of its label": (
        'Exception in thread "main" java.lang.RuntimeException: start failed\n'
        "\tat shop.Main.main(Main.java:3)\n"
        "Caused by: java.lang.IllegalStateException: No licence key was configured\n\t... 8 more",
        "java.lang.IllegalStateException: No licence key was configured",
    ),
    "behind a heading": (
        "FAILURE: Build failed with an exception.\n\n* What went wrong:\n"
        "The shop plugin requires Java 17 to run.\n\nBUILD FAILED in 3s",
        "The shop plugin requires Java 17 to run",
    ),
    "nested below a heading": (
        "* What went wrong:\nCould not determine the dependencies of task ':cart:pack'.\n"
        "> SDK location not found. Define it with ANDROID_HOME\n\nBUILD FAILED in 2s",
        "SDK location not found. Define it with ANDROID_HOME",
    ),
    "the last clause of a long line": (
        "Error response from daemon: driver failed programming external connectivity on endpoint"
        " shop-web-1-of-many: Bind for port 8080 failed: port is already allocated",
        "Bind for port 8080 failed: port is already allocated",
    ),
    "behind the goal of a build": (
        "[ERROR] Failed to execute goal org.acme.maven.plugins:maven-packer-plugin:3.11.0:compile"
        " (default-compile) on project cart: Fatal error packing: release 21 not supported -> [Help 1]",
        "Fatal error packing: release 21 not supported",
    ),
    "none of them": (
        'ERR_SHOP_NO_SCRIPT  None of the selected carts has a "typecheck" script',
        "ERR_SHOP_NO_SCRIPT None of the selected carts has a 'typecheck' script",
    ),
    "behind codes": (
        "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error",
        "ERESOLVE unable to resolve dependency tree",
    ),
    "the last exception of a traceback": (
        'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    import cart\n'
        "ImportError: no cart\n\nDuring handling of it:\n\nTraceback (most recent call last):\n"
        '  File "b.py", line 9, in <module>\n    start()\n'
        "shop.config.Misconfigured: The STORE_KEY setting must not be empty.",
        "shop.config.Misconfigured: The STORE_KEY setting must not be empty",
    ),
    "a line without a word of failing": (
        "Unsupported class file major version 65\nBUILD FAILED in 2s",
        "Unsupported class file major version 65",
    ),
    "advice behind a colon": (
        "Migrations are pending. To resolve this, run:\n\n        bin/shop migrate",
        "Migrations are pending. To resolve this, run: bin/shop migrate",
    ),
    "before a list of choices": (
        '"shop ship" is running in the "dev" environment. If you want another one, you can either:'
        "\n  1. set SHOP_ENV=test explicitly",
        "'shop ship' is running in the 'dev' environment",
    ),
}


@requirement("T08")
@pytest.mark.parametrize("name", CAUSES)
def test_a_note_names_the_cause_behind_a_heading(
    store: WholeStore, tmp_path: Path, name: str
) -> None:
    printed, cause = CAUSES[name]

    assert learned(store, tmp_path, Told().failed("shop ship", printed)) == [
        f"`shop ship` fails: {cause}"
    ]


# what a program printed without saying why
NO_CAUSE = {
    "a timing": "hook pack-write failed (0.18 seconds)",
    "progress": "Checking 88 source files for errors (this might take a while)",
    "the middle of a word": "ped because of errors from tasks",
    "a step back": "Reverting to original state because of errors",
    "the middle of a line": "; gap: 1rem; margin-bottom: 1rem; color: invalid",
    "a version": "shop 3.14.2t",
    "code": "const failed = await cart.check(items) => {",
    "a status": "shop did fail with exit status 2",
    "a cut line": "the cart is not conf…[764]…ped, no such thing was found",
    "no word of failing": "Packed 0 carts in the shop",
    # what programs find in the code that they are given
    "a place below": "error: this `if` has identical blocks\n --> src/cart.rs:9:3\nerror: stopped",
    "a place in words": "Error: Reference to undeclared cart\n\n  on main.tf line 12, in cart:",
    "a place above": "/w/src/Cart.svelte:12:3\nError: Type 'string' is not assignable to 'number'",
    "a place inside": "ERROR: /w/cart/BUILD:3:11: Compiling cart.cc failed: (Exit 1): gcc failed",
    "a difference": "1c1\n< no such cart\n---\n> an unknown cart",
    "a change": "diff --git a/cart b/cart\n--- a/cart\n+++ b/cart\n@@ -1 +1 @@\n-failed\n+error",
    "a bug": 'Traceback (most recent call last):\n  File "a.py", line 3\nTypeError: no cart given',
    "a test run": "  1) it packs\n     no cart was found\n\n12 tests, 1 failure",
    "a count behind a program": "cart: 1 compile error",
    "a count of all": "Total errors: 11, Skipped: 0",
    "a formatter": "Checking formatting...\nCode style issues found in the above file",
}


@requirement("T04")
@pytest.mark.parametrize("name", NO_CAUSE)
def test_what_names_no_cause_or_tells_about_code_is_no_note(
    store: WholeStore, tmp_path: Path, name: str
) -> None:
    once = Told().failed("shop ship", NO_CAUSE[name])

    assert learned(store, tmp_path, once, once.again("s2", day=1)) == []


@requirement("T04")
@pytest.mark.parametrize(
    ("told", "line"),
    [
        (
            Told().failed("sed -n 1,5p api/b.go", "sed: api/b.go: No such file or directory"),
            "`api/b.go`: no such file or directory",
        ),
        (
            Told().called(
                "Read", "File does not exist.", failed=True, file_path=f"{ROOT}/pages/home/b.py"
            ),
            "`pages/home/b.py`: file does not exist",
        ),
    ],
)
def test_a_path_that_is_missing_is_a_note_when_it_is_missed_again(
    store: WholeStore, tmp_path: Path, told: Told, line: str
) -> None:
    assert learned(store, tmp_path, told) == []
    assert learned(store, tmp_path, told.again("s2", day=1)) == [line]


# what was called, what the shell said, and the note
SHELL = {
    "a word of signs": (
        "cd web && make all; echo == done ==",
        "(eval):1: = not found",
        "`echo`: quote `'== done =='`; unquoted: = not found",
        "Bash/usage ==",
    ),
    "a word of signs before another program": (
        "echo ===== state =====; git status --short",
        "zsh:1: ==== not found",
        "`echo`: quote `'===== state ====='`; unquoted: ==== not found",
        "Bash/usage ==",
    ),
    "two signs in a test": (
        'if [ "$X" == "prod" ]; then ./deploy.sh; fi',
        "(eval):1: = not found",
        "`[ … ]`: use `=`, not `==`: = not found",
        "Bash/usage == [",
    ),
    "two signs that another shell does not know": (
        'test "$A" == b && make',
        "sh: 1: test: ==: unexpected operator",
        "`test`: use `=`, not `==`: 1: test: ==: unexpected operator",
        "Bash/usage == test",
    ),
    "an extra": (
        "pip install -e .[dev]",
        "zsh: no matches found: .[dev]",
        "`pip install`: quote `'.[dev]'`; unquoted: no matches found: .[dev]",
        "Bash/usage * pip",
    ),
    "a revision": (
        "git show HEAD^ --stat",
        "(eval):1: no matches found: HEAD^",
        "`git show`: quote `'HEAD^'`; unquoted: no matches found: HEAD^",
        "Bash/usage HEAD^ git",
    ),
    "files": (
        "rg -n 'one|two' src/*_cart.go",
        "zsh: no matches found: src/*_cart.go",
        "`rg`: use find where a glob may match nothing: no matches found: src/*_cart.go",
        "Bash/usage *",
    ),
    "history": (
        "git diff HEAD~2 -- :!vendor",
        "bash: !vendor: event not found",
        "`git diff`: quote `':!vendor'`; unquoted: !vendor: event not found",
        "Bash/usage :!vendor git",
    ),
    "history and a pattern": (
        "rg needle --glob !**/vendor/**",
        "(eval):1: event not found: **/vendor/**",
        "`rg`: quote `'!**/vendor/**'`; unquoted: event not found: **/vendor/**",
        "Bash/usage * rg",
    ),
}


@requirement("T01")
@pytest.mark.parametrize("name", SHELL)
def test_a_note_blames_the_word_that_the_shell_blames(
    store: WholeStore, tmp_path: Path, name: str
) -> None:
    command, error, line, trigger = SHELL[name]

    learned(store, tmp_path, Told().failed(command, error))

    assert [(note.text, note.trigger) for note in notes_of(store)] == [(line, trigger)]


# calls about which an error says nothing
UNBLAMED = {
    "a variable of the shell": ("status=1; make -n", "(eval):1: read-only variable: status"),
    "the files of a loop": (
        "for f in src/*.cc; do tidy -i $f; done",
        "(eval):1: no matches found: src/*.cc",
    ),
    "the grammar of the shell": ("shop list (all) && make", "(eval):1: parse error near `('"),
    "a word in quotes": ("shop pack 'a b' && make", "zsh:1: no matches found: *.zip"),
    "a word in backticks": (
        'gh pr create --base main --body "see `main` first"',
        "zsh:1: command not found: main",
    ),
    "a call that a recorder cut": (
        'shop list --all "…[764]…\n)" && pack it',
        "Error: the signing agent does not answer",
    ),
    "a script of the day": (
        "python3 -c \"import cart; cart.pack('x')\"",
        "Error: the cart is not configured for this host",
    ),
}


@requirement("T04")
@pytest.mark.parametrize("name", UNBLAMED)
def test_a_call_that_an_error_does_not_blame_is_no_note(
    store: WholeStore, tmp_path: Path, name: str
) -> None:
    once = Told().failed(*UNBLAMED[name])

    assert learned(store, tmp_path, once, once.again("s2", day=1)) == []


@requirement("T01")
def test_a_subcommand_that_does_not_exist_is_not_its_program(
    store: WholeStore, tmp_path: Path
) -> None:
    told = Told().failed("poetry shell", 'The command "shell" does not exist.\n\nSince 2.0 …')

    assert learned(store, tmp_path, told) == [
        "`poetry shell` fails: The command 'shell' does not exist"
    ]


@requirement("T04")
@pytest.mark.parametrize(
    "command",
    [
        "shop add it && shop save -m \"$(cat <<'DOC'\nfix: the cart's …[764]…\nDOC\n)\"",
        "shop save -m \"$(cat <<'DOC'\nfix: the cart\nDOC",
        'cat cart.json | python3 -c "import json; …[90]…\nprint(json.load(f)["a"])"',
    ],
)
def test_a_word_behind_a_cut_is_no_program(
    store: WholeStore, tmp_path: Path, command: str
) -> None:
    once = Told().failed(command, "Error: the signing agent does not answer")

    told = learned(store, tmp_path, once, once.again("s2", day=1))

    assert not any("`DOC" in text or "`print" in text for text in told)


@requirement("T06")
def test_what_one_step_of_several_lacked_is_told_without_the_others(
    store: WholeStore, tmp_path: Path
) -> None:
    told = Told().failed(
        "shop tag v1 && gh release create v1", "release requires an argument: tag not found"
    )

    assert learned(store, tmp_path, told.ran("gh release create v1 --verify-tag")) == [
        "`gh release create`: add `--verify-tag`: release requires an argument: tag not found"
    ]


@requirement("T04")
def test_what_another_tool_was_given_once_is_a_note_when_it_fails_again(
    store: WholeStore, tmp_path: Path
) -> None:
    told = Told().called("mcp__web__click", "Ref e25 not found here", failed=True, ref="e25")

    assert learned(store, tmp_path, told) == []
    assert len(learned(store, tmp_path, told.again("s2", day=1))) == 1
