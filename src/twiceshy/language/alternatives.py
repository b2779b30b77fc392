"""Names of which a project has one at a time for one purpose, such as npm and pnpm."""

from __future__ import annotations

from twiceshy.language.stem import stem_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

_KINDS = """
npm yarn pnpm bun deno cnpm
pip poetry uv pipenv conda hatch pdm
webpack vite rollup esbuild parcel turbopack rspack
jest mocha vitest jasmine karma ava
cypress playwright selenium puppeteer testcafe detox appium maestro
pytest unittest nose
flake8 pylint ruff black yapf
mypy pyright pyre
eslint biome tslint oxlint
jenkins travis circleci gitlab github gitea bitbucket buildkite drone teamcity bamboo forgejo gitee
postgres mysql mariadb sqlite oracle mssql mongodb dynamodb cassandra cockroachdb tidb clickhouse oceanbase
redis memcached valkey hazelcast
kafka rabbitmq nats sqs pulsar activemq kinesis rocketmq
slack teams discord mattermost telegram zulip
jira linear trello asana youtrack redmine
confluence notion gitbook wiki
react vue angular svelte solid preact
redux zustand mobx pinia vuex recoil jotai
axios fetch ky superagent
requests httpx urllib3 aiohttp
moment dayjs luxon date-fns
docker podman containerd
kubernetes nomad swarm ecs k3s
terraform pulumi cloudformation opentofu
nginx apache caddy traefik haproxy envoy
maven gradle bazel ant sbt
flask django fastapi
express koa hapi fastify
rest graphql grpc soap
datadog newrelic nagios zabbix grafana
sentry bugsnag rollbar
log4j logback winston pino
argon2 bcrypt scrypt pbkdf2 md5 sha1 sha256 sha512
rsa ed25519 ecdsa
tabs spaces
merge rebase squash
main master trunk
semver calver
mit apache-2.0 gpl bsd mpl
unity unreal godot
pandas polars
pytorch tensorflow jax
airflow prefect dagster luigi
snowflake bigquery redshift databricks
sendgrid mailgun ses postmark
zoom meet webex
git subversion mercurial perforce
celery rq dramatiq
sqlalchemy peewee tortoise
prisma typeorm sequelize knex drizzle
hibernate mybatis jooq
tailwind bootstrap bulma
sass less
dependabot renovate
snake_case camelcase kebab-case pascalcase
true false
on off
enabled disabled
enable disable
always never
lru lfu fifo
sphinx mkdocs docusaurus
consul etcd zookeeper nacos eureka apollo
flyway liquibase
gson jackson fastjson moshi
钉钉 飞书 企业微信 企微
打开 关闭
合并 变基
制表符 空格
""".strip().splitlines()
# Kinds that are plain words, which many notes have that are about something else.
_WORDS = frozenset(
    kind
    for kind, line in enumerate(_KINDS)
    if line.split()[0] in "tabs merge main true on enabled enable always 打开 合并 制表符".split()
)
_KIND_OF = {stem_word(name): kind for kind, line in enumerate(_KINDS) for name in line.split()}
# Tools of which there are versions, besides.
_TOOLS = frozenset(
    """node python java php ruby go rust kafka ubuntu debian alpine gcc clang llvm helm cmake elasticsearch windows
    port""".split()
)


def list_alternatives(terms: Iterable[str]) -> tuple[str, ...]:
    """Return the stems of what may stand in the place of the tools among some stems."""
    kinds = {kind for term in terms if (kind := _KIND_OF.get(term)) is not None}
    tools = kinds.difference(_WORDS)
    return tuple(stem for stem, kind in _KIND_OF.items() if kind in tools)


def names_tool(word: str) -> bool:
    """True for the name of a tool, after which a number is a version."""
    kind = _KIND_OF.get(stem_word(word.casefold()))
    return word != "node" and (word.casefold() in _TOOLS or (kind not in _WORDS | {None}))


def are_alternatives(one: str, other: str) -> bool:
    """True if two stems name different things of which a project has one for one purpose."""
    kind = _KIND_OF.get(one)
    return kind is not None and one != other and kind == _KIND_OF.get(other)
