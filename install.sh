#!/bin/sh
# Set twiceshy up without uv or pipx: a private environment, and a link to it on your PATH.
#
#   sh install.sh               install or upgrade, then show what `twiceshy install` would change
#   sh install.sh --uninstall   take it out of every runtime and remove it; your notes stay
#
# TWICESHY_VENV   where the environment goes    (default: ~/.local/share/twiceshy)
# TWICESHY_BIN    where the link goes           (default: ~/.local/bin)
# PYTHON          the Python to build it with   (default: the first one that is new enough)
set -eu

venv=${TWICESHY_VENV:-$HOME/.local/share/twiceshy}
bin=${TWICESHY_BIN:-$HOME/.local/bin}
link=$bin/twiceshy
enough='import sys; sys.exit(sys.version_info < (3, 11))'

say() {
    printf '%s\n' "$*" >&2
}

fail() {
    say "install.sh: $1"
    say "hint: $2"
    exit 1
}

find_python() {
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null 2>&1 && "$candidate" -c "$enough" 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    fail "no Python 3.11 or newer was found" "install one, or name it: PYTHON=/path/to/python3 sh install.sh"
}

# The checkout this script lies in, or the name under which the package index knows us.
find_source() {
    here=$(cd "$(dirname "$0")" && pwd)
    if [ -f "$0" ] && grep -q '^name = "twiceshy"$' "$here/pyproject.toml" 2>/dev/null; then
        printf '%s\n' "$here"
    else
        printf 'twiceshy\n'
    fi
}

# An environment that someone else made is never changed, and above all never removed.
is_ours() {
    [ -f "$venv/.made-by-twiceshy" ]
}

make_environment() {
    if [ -e "$venv" ] && ! is_ours; then
        fail "$venv exists and was not made by this script" "move it away, or set TWICESHY_VENV"
    fi
    python=$(find_python) || exit 1
    if is_ours && ! "$venv/bin/python" -c "$enough" 2>/dev/null; then
        say "the Python of $venv is gone; making it anew"
        "$python" -m venv --clear "$venv"
    elif ! is_ours; then
        "$python" -m venv "$venv" ||
            fail "$python cannot make an environment" "on Debian and Ubuntu: apt install python3-venv"
    fi
    : >"$venv/.made-by-twiceshy"
}

check_link() {
    if [ -e "$link" ] || [ -L "$link" ]; then
        if [ "$(readlink "$link" || :)" != "$venv/bin/twiceshy" ]; then
            fail "$link is another twiceshy; nothing was changed" "remove it first, or set TWICESHY_BIN"
        fi
    fi
}

install() {
    source=$(find_source)
    check_link
    make_environment
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$source" ||
        fail "$source could not be installed" "is the network there? pip said why above"
    mkdir -p "$bin"
    ln -sf "$venv/bin/twiceshy" "$link"
    say "installed: $("$link" --version), in $venv, linked from $link"
    case ":$PATH:" in
    *":$bin:"*) ;;
    *) say "hint: $bin is not on your PATH; add it, or call $link" ;;
    esac
    say "what connecting your agents would change:"
    if "$link" install --plan; then
        say "to go ahead: twiceshy install"
    fi
}

uninstall() {
    if [ -x "$venv/bin/twiceshy" ]; then
        "$venv/bin/twiceshy" uninstall --yes ||
            fail "it could not be taken out of every runtime; nothing was removed" "see above, then try again"
    fi
    if [ "$(readlink "$link" || :)" = "$venv/bin/twiceshy" ]; then
        rm "$link"
    fi
    if is_ours; then
        rm -r "$venv"
    fi
    say "removed; your notes stay in ${TWICESHY_HOME:-$HOME/.twiceshy}"
}

case ${1:-} in
'') install ;;
--uninstall) uninstall ;;
*) fail "no option is called $1" "sh install.sh, or sh install.sh --uninstall" ;;
esac
