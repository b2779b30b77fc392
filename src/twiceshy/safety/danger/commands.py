"""Dangerous command lines: programs with the words that make them dangerous."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.safety.danger import reasons
from twiceshy.safety.danger.lines import program_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.safety.danger.lines import WordRun

# "the first word and all others must be there : and one of these, if there are any", where a|b is
# either. A star stands for the rest of a word, -~f for short options among which there is an f, and !
# for what must not be. A line without a colon lists words of which each is enough.
_TABLE = {
    reasons.RUNS: """
        powershell|pwsh : -enc* -EncodedCommand -e
        certutil : -urlcache
        mshta
        """,
    reasons.CREDENTIALS: """
        gh auth token :
        gh auth status : --show-token -t
        gcloud auth : print-access-token print-identity-token
        az account : get-access-token
        aws configure : get export-credentials
        aws sts : get-session-token assume-role
        aws secretsmanager : get-secret-value
        security : find-generic-password find-internet-password dump-keychain
        secret-tool : lookup search
        kubectl get : secret secrets secret/*
        vault : read kv
        npm token :
        printenv : > >>
        git credential : fill
        ssh-add : -L
        gpg : --export-secret-keys
        """,
    reasons.HOOKS: """
        git commit : -n -an -nm -anm -na -nam -sn -ns
        git config : core.hookspath commit.gpgsign
        pre-commit|husky|lefthook uninstall :
        --no-verify --no-gpg-sign --skip-hooks core.hookspath
        """,
    reasons.TLS: """
        curl : -~k --proxy-insecure
        wget : --no-check-certificate
        npm strict-ssl : false
        git config : http.sslverify
        --insecure --no-verify-ssl --no-check-certificate --insecure-skip-tls-verify
        --tls-skip-verify --skip-tls-verify --no-ssl-verify --allow-unauthenticated --trusted-host
        --nogpgcheck
        """,
    reasons.FORCE: """
        git push : --force --force-with-lease* --force-if-includes --mirror --prune --delete -~f -~d +* :*
        git reset : --hard
        git clean : -~f --force
        git branch : -D -~D --delete -d
        git tag : -d --delete -~f --force
        git checkout : -f --force .
        git restore : .
        git add : -f --force
        git rm : -~r -~f
        git stash : drop clear
        git filter-branch :
        git filter-repo :
        git reflog : expire delete
        git update-ref : -d
        git worktree remove : --force -f
        git remote : remove rm
        git gc : --prune=now
        npm|pnpm|yarn : --force
        gh : --force --admin
        gh repo : delete archive
        gh release : delete
        gh pr merge : --admin
        find : -delete
        find rm : -exec -execdir
        dd : of=/dev/*
        truncate : -s
        rmdir : /s
        remove-item : -Recurse -Force
        --hard shred mkfs
        """,
    reasons.DESTROYS: """
        terraform|tofu|pulumi|cdk destroy :
        terraform apply : -auto-approve --auto-approve
        kubectl|gcloud|az delete :
        kubectl drain :
        helm : uninstall delete
        aws s3 rm : --recursive
        aws s3 rb :
        aws : delete-* terminate-instances
        gsutil rm : -~r
        docker system prune :
        docker volume : rm prune
        docker compose down : -v --volumes
        redis-cli : FLUSHALL FLUSHDB flushall flushdb
        prisma migrate reset :
        prisma db push : --force-reset --accept-data-loss
        artisan : migrate:fresh migrate:reset db:wipe
        heroku : pg:reset apps:destroy
        fly|flyctl : destroy
        npm unpublish :
        dropdb
        """,
    reasons.RIGHTS: """
        su : -c - root
        chmod : *777 *666 a+w* o+w* ugo+w* +s u+s g+s 4??? a+rwx go+w
        setenforce : 0 permissive
        xattr : com.apple.quarantine
        iptables : -F
        ufw : disable
        sudo doas pkexec chown chgrp setcap setfacl visudo usermod csrutil spctl --privileged
        --no-sandbox --allow-root --unsafe-perm --dangerously-skip-permissions
        --dangerously-bypass-approvals-and-sandbox --yolo set-executionpolicy
        """,
    reasons.CHECKS: """
        gradle|gradlew -x : test check
        pytest : --ignore*
        set +e :
        --skip-tests --skip-test --no-tests --no-test --passwithnotests --no-lint --skip-lint
        --skip-checks --skip-check --exit-zero --no-typecheck --skip-typecheck --deselect
        -dskiptests -dskiptests=true -dmaven.test.skip -dmaven.test.skip=true
        """,
    reasons.SETTINGS: """
        crontab : !-l
        schtasks : /create
        launchctl : load bootstrap submit enable
        systemctl : enable edit link mask disable
        git config : --global --system alias.* core.pager core.editor core.sshcommand core.fsmonitor credential.helper !--list !--get !-l !--get-all !--show-origin
        claude mcp : add add-json
        codex|gemini mcp : add
        claude config : set add
        claude plugin : install add
        twiceshy : approve config pin
        reg add :
        defaults write :
        """,
    reasons.INSTALLS: """
        code : --install-extension
        brew : install tap
        apt|apt-get|dnf|yum|snap|choco|winget|conda : install
        apk add :
        pacman : -S -Sy -Syu
        helm repo : add
        """,
    reasons.ENDPOINT: """
        git remote : add set-url
        git submodule : add
        npm config : registry
        pip config : global.index-url
        """,
}


class _CommandRule(Value):
    reason: str
    others: frozenset[str]
    exact: frozenset[str]
    shapes: tuple[str, ...]
    absent: frozenset[str]

    def matches_run(self, words: frozenset[str], raw: tuple[str, ...]) -> bool:
        """True if a run satisfies the rule."""
        if not self.others <= words or not self.absent.isdisjoint(words):
            return False
        if not self.exact and not self.shapes:
            return True
        return not self.exact.isdisjoint(words) or any(
            _matches_shape(word, shape) for word in raw for shape in self.shapes
        )


def _matches_shape(word: str, shape: str) -> bool:
    if shape.startswith("-~"):
        return word[:1] == "-" and word[1:2] != "-" and len(word) <= 8 and shape[2] in word
    if shape.endswith("*"):
        return len(word) >= len(shape) - 1 > 0 and word.startswith(shape[:-1])
    if shape.startswith("*"):
        return word.endswith(shape[1:]) and word[: -len(shape[1:])] in ("", "0", "a=", "-R")
    return len(word) == len(shape) and word.isdigit() and word[0] == shape[0]


def _load_rules() -> dict[str, list[_CommandRule]]:
    table: dict[str, list[_CommandRule]] = {}
    for reason, lines in _TABLE.items():
        for line in filter(None, map(str.strip, lines.splitlines())):
            asked, colon, any_of = line.partition(" :")
            first, *others = asked.split()
            firsts = first.split("|") if colon else asked.split()
            absent = frozenset(each[1:] for each in any_of.split() if each[0] == "!")
            given = [each for each in any_of.split() if each[0] != "!"]
            shapes = tuple(each for each in given if any(mark in each for mark in "*~?"))
            needed = frozenset(others if colon else ())
            rule = _CommandRule(reason, needed, frozenset(given) - set(shapes), shapes, absent)
            for each in firsts:
                table.setdefault(each, []).append(rule)
    return table


_RULES = _load_rules()


def find_command_dangers(run: WordRun) -> Iterator[str]:
    """Yield reasons for review by the words of a run."""
    names = frozenset(map(program_name, run.words))
    flags = frozenset(word.lower() for word in run.words if word[:1] == "-" and len(word) > 2)
    words = names | flags | frozenset(run.words)
    for word in words:
        for rule in _RULES.get(word, ()):
            if rule.matches_run(words, run.words):
                yield rule.reason
