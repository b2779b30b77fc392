"""The reader of command lines and tool calls, and the public programs known to it. Pure.

The lists stand here, where no hook loads a further module for them.
"""

from __future__ import annotations

# How many words behind a program name what it does.
DEPTH = dict.fromkeys(
    """apt apt-get brew bun bundle cargo composer conda deno docker dotnet fly flutter gem git
    go golangci-lint gradle gradlew hatch heroku helm just k6 kubectl make mix mvn mypy nox npm npx
    nx pip pip3 pipx pnpm poetry podman pre-commit pulumi rails rake rye sbt serverless skaffold swift
    systemctl task terraform tofu tox turbo twine uv uvx vercel wrangler yarn zig""".split(),
    1,
) | dict.fromkeys("aws az doctl gcloud gh glab jj".split(), 2)
# They look, move or join: what they do is never the point of a command line, nor a step of the work.
IDLE = frozenset(
    """[ [[ : alias awk base64 basename bat break case cat cd clear command continue cut date declare df
    dirname do done du echo egrep env esac exit export fd fgrep fi file find for function grep head id
    jobs jq kill less ls local man mkdir more nl od pgrep pkill popd printenv printf ps pushd pwd read
    readlink realpath return rg sed select set sleep sort source stat strings tail tee test time touch
    tr trap tree true false type uname uniq unset wait wc which while whoami xxd yq""".split()
)
# Their output is what somebody else wrote, and an error word in it tells nothing.
READERS = IDLE.union(
    """ack ag chmod chown cmp column comm cp curl diff dig gawk git-grep hexdump history host hostname
    journalctl ln look lsof md5 md5sum mktemp mv nslookup open ping rev rm rmdir sha256sum shasum tac
    times top tput wget whatis whereis xmllint yes zcat zgrep zless""".split()
)
# Others that take any word as an argument, the name of a program as well.
_TAKERS = "bash code dash emacs java ksh nano node perl php python python3 ruby sh tmux vi vim zsh"
KNOWN = READERS.union(DEPTH, _TAKERS.split())
# Other programs have subcommands with these names, so they tell little about the word before.
_ORDINARY = "bundle composer fly gem hatch helm just mix poetry serverless swift task turbo"
TELLING = DEPTH.keys() - _ORDINARY.split()
# Behind these words a program is an object, and is not started.
_HANDLING = (
    "add get help info install link list remove search show uninstall update upgrade use which"
)
HANDLING = frozenset(_HANDLING.split())
