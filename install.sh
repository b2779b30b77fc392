#!/bin/sh
# Install twiceshy without uv or pipx: a private environment, and a link to it on your PATH.
#
#   sh install.sh               install or upgrade, then show what `twiceshy install` would change
#   sh install.sh --uninstall   remove it from every runtime and from this machine; your notes stay
#
# TWICESHY_SOURCE folder, wheel or git+ADDRESS of twiceshy (default: the checkout of this script)
# TWICESHY_VENV   folder of the environment     (default: ~/.local/share/twiceshy)
# TWICESHY_BIN    folder of the link            (default: ~/.local/bin)
# PYTHON          Python for the environment    (default: the first Python 3.11 or newer)
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
    fail "Python 3.11 or newer not found" "install Python, or give its path: PYTHON=/path/to/python3 sh install.sh"
}

# TWICESHY_SOURCE, or the checkout that contains this script. Never a name on an index: anybody may take it there.
find_source() {
    here=$(cd "$(dirname "$0")" && pwd)
    if [ -n "${TWICESHY_SOURCE:-}" ]; then
        printf '%s\n' "$TWICESHY_SOURCE"
    elif [ -f "$0" ] && grep -q '^name = "twiceshy"$' "$here/pyproject.toml" 2>/dev/null; then
        printf '%s\n' "$here"
    else
        fail "there is no checkout of twiceshy around this script" \
            "run it in a checkout, or name a folder, a wheel or git+ADDRESS in TWICESHY_SOURCE"
    fi
}

# An environment from another program is never changed and never removed.
is_ours() {
    [ -f "$venv/.made-by-twiceshy" ]
}

make_environment() {
    if [ -e "$venv" ] && ! is_ours; then
        fail "$venv exists and was not created by this script" "move it, or set TWICESHY_VENV"
    fi
    python=$(find_python) || exit 1
    if is_ours && ! "$venv/bin/python" -c "$enough" 2>/dev/null; then
        say "the Python of $venv is missing; creating the environment again"
        "$python" -m venv --clear "$venv"
    elif ! is_ours; then
        "$python" -m venv "$venv" ||
            fail "$python cannot create an environment" "on Debian and Ubuntu: apt install python3-venv"
    fi
    : >"$venv/.made-by-twiceshy"
}

check_link() {
    if [ -e "$link" ] || [ -L "$link" ]; then
        if [ "$(readlink "$link" || :)" != "$venv/bin/twiceshy" ]; then
            fail "$link belongs to another installation of twiceshy; nothing was changed" "remove it first, or set TWICESHY_BIN"
        fi
    fi
}

install() {
    source=$(find_source) || exit 1
    check_link
    make_environment
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$source" ||
        fail "cannot install $source" "see the message of pip above; check the network"
    mkdir -p "$bin"
    ln -sf "$venv/bin/twiceshy" "$link"
    say "installed: $("$link" --version), in $venv, linked from $link"
    case ":$PATH:" in
    *":$bin:"*) ;;
    *) say "hint: $bin is not on your PATH; add it, or run $link" ;;
    esac
    say "changes that twiceshy install would make:"
    if "$link" install --plan; then
        say "to make these changes, run: twiceshy install"
    fi
}

uninstall() {
    if [ -x "$venv/bin/twiceshy" ]; then
        "$venv/bin/twiceshy" uninstall --yes ||
            fail "cannot remove twiceshy from every runtime; nothing was removed" "see the message above, then try again"
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
*) fail "unknown option: $1" "use: sh install.sh, or: sh install.sh --uninstall" ;;
esac
