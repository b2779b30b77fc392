"""A line repeats a failed line only if every step of it was on that line: anything else may be the fix."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.trigger import parse_trigger
from twiceshy.shell.repeated_line import FailedLines, read_failed_lines


def failed(trigger: str, *lines: str, missing: str = "", place: str = "") -> FailedLines:
    """Return failed lines that a trigger is about."""
    parsed = parse_trigger(trigger)
    assert parsed is not None
    return read_failed_lines(parsed, lines, missing=missing, place=place)


FLAG = failed("Bash/usage --set-fle helm", "helm upgrade api ./chart --set-fle image=v1")
TARGET = failed("Bash/usage make protos", "make protos", "make -j4 protos")
MISSING = failed("Bash/usage hadolint", "hadolint -f json build/Dockerfile", missing="hadolint")
SCRIPT = failed("Bash/usage npm typechek", "git add -A && npm run typechek")
FILE = failed("files/missing config/database.yaml", "nl -v20 config/database.yaml")
WORK = failed("Bash/outcome e2e make", "make e2e BROWSER=firefox")
IN_WEB = failed("Bash/usage cd=web e2e npm", "cd web && npm run e2e")
ALL = [
    (FLAG, "helm upgrade api ./chart --set-fle image=v1"),
    (TARGET, "make protos"),
    (MISSING, "hadolint -f json build/Dockerfile"),
    (SCRIPT, "git add -A && npm run typechek"),
    (FILE, "nl -v20 config/database.yaml"),
    (WORK, "make e2e BROWSER=firefox"),
    (IN_WEB, "cd web && npm run e2e"),
]


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (FLAG, "helm upgrade api ./chart --set-fle image=v2"),
        (FLAG, "helm upgrade api ./other/chart --set-fle image=v1"),
        (FLAG, "helm upgrade api ./chart --set-fle image=v1 2>&1 | tail -5"),
        (FLAG, "nice -n 5 helm upgrade api ./chart --set-fle image=v1 >/dev/null"),
        (TARGET, "make protos"),
        (TARGET, "make -j8 protos"),
        (TARGET, "timeout 60 make protos"),
        (TARGET, "cd . && make protos"),
        (MISSING, "hadolint other/Dockerfile"),
        (MISSING, "sudo hadolint -f json build/Dockerfile"),
        (MISSING, "env hadolint build/Dockerfile"),
        (MISSING, "timeout -s KILL 5 hadolint build/Dockerfile"),
        (SCRIPT, "git add -A && npm run typechek"),
        (SCRIPT, "npm run typechek"),
        (SCRIPT, "git add -A; npm run typechek"),
        (FILE, "nl -v50 config/database.yaml"),
        (WORK, "make e2e BROWSER=firefox"),
        (IN_WEB, "(cd web; npm run e2e)"),
        (IN_WEB, "cd ./web/ && npm run e2e"),
    ],
)
def test_a_line_is_repeated_exactly_or_in_words_that_do_not_matter(
    known: FailedLines, line: str
) -> None:
    assert known.are_repeated_by(line)


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (FLAG, "grep -rn -- --set-fle helm"),
        (FLAG, "rg -e --set-fle helm"),
        (FLAG, "helm template api ./chart --set-fle image=v1"),
        (FLAG, "helm upgrade api ./chart -- --set-fle image=v1"),
        (FLAG, "helm upgrade api ./chart --set-fle image=v1 --post-renderer ./fix"),
        (FLAG, "HELM_PLUGINS=x helm upgrade api ./chart --set-fle image=v1"),
        (FLAG, "helm upgrade api ./chart --set-fle image=v1 > out.yaml"),
        (TARGET, "make -C schemas protos"),
        (TARGET, "make -Cschemas protos"),
        (TARGET, "make -f other.mk protos"),
        (TARGET, "cd schemas && make protos"),
        (TARGET, "make -n protos"),
        (TARGET, "git log -- make protos"),
        (TARGET, "echo 'protos:' >> Makefile && make protos"),
        (TARGET, "make protos <<EOF\nprotos:\nEOF"),
        (TARGET, "make protos < answers"),
        (TARGET, "make Makefile protos"),
        (TARGET, "test -f a.proto || make protos"),
        (TARGET, "for d in a b; do make protos; done"),
        (TARGET, "p() { make protos; }; cd schemas; p"),
        (TARGET, "make protos && make protos-install"),
        (TARGET, "bash -lc 'make protos'"),
        (TARGET, "make protos $(touch Makefile)"),
        (TARGET, 'make protos "$(touch Makefile)"'),
        (TARGET, "make protos 'open"),
        (TARGET, "make protos …"),
        (MISSING, "apt-get install -y hadolint"),
        (MISSING, "command -v hadolint"),
        (MISSING, "which hadolint && hadolint build/Dockerfile"),
        (MISSING, "hadolint --version || brew install hadolint"),
        (MISSING, "hadolint --version"),
        (MISSING, "npx hadolint build/Dockerfile"),
        (MISSING, "docker run hadolint/hadolint build/Dockerfile"),
        (MISSING, "bin/hadolint build/Dockerfile"),
        (MISSING, "/opt/tools/hadolint build/Dockerfile"),
        (MISSING, "PATH=$PWD/bin hadolint build/Dockerfile"),
        (MISSING, "env PATH=/opt hadolint build/Dockerfile"),
        (MISSING, "sudo -u ci hadolint build/Dockerfile"),
        (MISSING, "alias hadolint=docker-hadolint; hadolint build/Dockerfile"),
        (MISSING, "source env.sh; hadolint build/Dockerfile"),
        (MISSING, "find . -name Dockerfile -exec hadolint {} ;"),
        (SCRIPT, "npm pkg set scripts.typechek=tsc && npm run typechek"),
        (SCRIPT, "npm run typechek --prefix web"),
        (SCRIPT, "npm --prefix web run typechek"),
        (SCRIPT, "npm run typechek --workspaces"),
        (SCRIPT, "npm run typechek && git add -A"),
        (FILE, "touch config/database.yaml"),
        (FILE, "cp config/database.yml config/database.yaml && nl -v20 config/database.yaml"),
        (FILE, "[ -f config/database.yaml ] && nl -v20 config/database.yaml"),
        (FILE, "nl -v20 services/api/config/database.yaml"),
        (FILE, "git show HEAD~2:config/database.yaml"),
        (FILE, "nl -v20 > config/database.yaml"),
        (WORK, "make e2e BROWSER=chromium"),
        (WORK, "make e2e"),
        (WORK, "sudo make e2e BROWSER=firefox"),
        (WORK, "docker compose up -d && make e2e BROWSER=firefox"),
        (IN_WEB, "npm run e2e"),
        (IN_WEB, "cd web/app && npm run e2e"),
        (IN_WEB, "cd web && cd .. && npm run e2e"),
    ],
)
def test_a_line_that_may_put_it_right_is_another_line(known: FailedLines, line: str) -> None:
    assert not known.are_repeated_by(line)


def test_words_that_differed_among_the_failed_calls_do_not_matter() -> None:
    one, other = (f"helm upgrade {name} ./chart --set-fle a=b" for name in ("api", "web"))

    assert not failed("Bash/usage --set-fle helm", one).are_repeated_by(other)
    assert failed("Bash/usage --set-fle helm", one, other).are_repeated_by(
        "helm upgrade mail ./chart --set-fle a=b"
    )


def test_a_number_of_another_step_may_differ_if_it_differed_among_the_failed_lines() -> None:
    lines = [f"git tag v{number} && gh create v{number}" for number in (1, 2, 3)]
    often = failed("Bash/usage create gh !--verify-tag", *lines)
    once = failed("Bash/usage create gh !--verify-tag", *lines[:1])

    assert often.are_repeated_by("git tag v4 && gh create v4")
    assert not often.are_repeated_by("git fetch v4 && gh create v4")
    assert not often.are_repeated_by("git tag w4 && gh create v4")
    assert not once.are_repeated_by("git tag v4 && gh create v4")


def test_the_folder_of_a_call_is_the_one_it_runs_in() -> None:
    known = failed("Bash/usage make protos", "make protos", place="schemas")

    assert known.are_repeated_by("cd ../schemas && make protos", place="schemas")
    assert not known.are_repeated_by("cd .. && make protos", place="schemas")


WORDS = [
    "cp",
    "touch",
    "config/a",
    "git",
    "pull",
    "install",
    "hadolint",
    "make",
    "protos",
    "npm",
    "-y",
]
STEPS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
JOINS = st.sampled_from([" && ", "; ", " || ", " & ", "\n"])


@given(known=st.sampled_from(ALL), step=STEPS, join=JOINS, is_before=st.booleans())
def test_a_line_with_a_step_that_never_failed_is_no_repetition(
    known: tuple[FailedLines, str], step: str, join: str, *, is_before: bool
) -> None:
    lines, line = known

    assert lines.are_repeated_by(line)
    assert not lines.are_repeated_by(step + join + line if is_before else line + join + step)
