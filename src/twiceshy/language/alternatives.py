"""Names of which a project has one at a time for one purpose, such as npm and pnpm."""

from __future__ import annotations

from twiceshy.language.stem import stem_word

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
aws gcp azure heroku hetzner digitalocean vercel netlify
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
make just task cmake meson ninja
java kotlin scala
javascript typescript
python ruby perl php go rust
flask django fastapi
express koa hapi fastify
rest graphql grpc soap
xml json yaml toml csv
datadog newrelic nagios zabbix grafana
sentry bugsnag rollbar
log4j logback winston pino
argon2 bcrypt scrypt pbkdf2 md5 sha1 sha256 sha512
rsa ed25519 ecdsa
tabs spaces
merge rebase squash
main master develop trunk
semver calver
mit apache-2.0 gpl bsd mpl
chrome firefox safari
vim emacs vscode intellij
ubuntu debian alpine centos fedora rocky
gcc clang msvc
unity unreal godot
pandas polars
pytorch tensorflow jax
airflow prefect dagster luigi
snowflake bigquery redshift databricks
stripe paypal adyen braintree
sendgrid mailgun ses postmark
figma sketch
zoom meet webex
git subversion mercurial perforce
bash zsh fish powershell
celery rq dramatiq
sqlalchemy peewee tortoise
prisma typeorm sequelize knex drizzle
hibernate mybatis jooq
tailwind bootstrap bulma
sass less
dependabot renovate
snake_case camelcase kebab-case pascalcase
monday tuesday wednesday thursday friday saturday sunday
mondays tuesdays wednesdays thursdays fridays saturdays sundays
english german french spanish chinese
utc cet pst
true false
on off
enabled disabled
enable disable
public private
always never
lru lfu fifo
hourly daily nightly weekly monthly yearly
sphinx mkdocs docusaurus
consul etcd zookeeper nacos eureka apollo
flyway liquibase
gson jackson fastjson moshi
mqtt coap amqp
h264 h265 av1 vp9
钉钉 飞书 企业微信 企微
阿里云 腾讯云 华为云 阿里 腾讯 华为
支付宝 微信支付
周一 周二 周三 周四 周五 周六 周日 周天
每天 每周 每月 每小时 每日
英文 中文 英语
打开 关闭
合并 变基
制表符 空格
""".strip().splitlines()
_KIND_OF = {stem_word(name): kind for kind, line in enumerate(_KINDS) for name in line.split()}


def are_alternatives(one: str, other: str) -> bool:
    """True if two stems name different things of which a project has one for one purpose."""
    kind = _KIND_OF.get(one)
    return kind is not None and one != other and kind == _KIND_OF.get(other)
