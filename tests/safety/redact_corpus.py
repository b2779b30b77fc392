"""Secrets made up at run time, one line a format, and the ways in which they turn up in text.

A template is what a maker publishes, with the drawn part in braces: ``{W36}`` is 36 letters and
digits, and ``(a|b)`` stands for two templates. Where only a part of the text is secret, guillemets
stand around that part. Nothing that could be taken for a secret is stored in the repository.
"""

import itertools
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

ALPHABETS = {
    "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "B": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    "D": "0123456789",
    "H": "0123456789abcdef",
    "L": "abcdefghijklmnopqrstuvwxyz0123456789",
    "P": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "S": "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789!#%*+-=?_~",
    "T": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "W": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "X": "023456789ACDEFGHJKLMNPQRSTUVWXYZ",
}

# Known by their shape; where nothing is marked, the whole text is the secret.
FORMATS = """
aws-access-key (AKIA|ASIA|ABIA|ACCA){T16}
aws-session-token IQoJb3JpZ2lu{P200}
aws-session-token FwoGZXIvYXdz{P180}
aws-bedrock-key ABSK{P120}=
google-api-key AIza{B35}
google-oauth-token ya29.{B120}
google-refresh-token 1//0{B60}
google-client-secret GOCSPX-{B28}
firebase-server-key AAAA{B7}:APA91b{B134}
azure-client-secret {W3}8Q~{W34}
azure-client-secret {W3}7Q~{W31}
azure-devops-token {W76}AZDO{W4}
azure-storage-key {W76}+ASt{W6}==
azure-service-key {W42}(AzSe|AzFu|AzCa){W6}
alibaba-key LTAI{W20}
tencent-key AKID{W32}
yandex-key (AQVN|y0_Ag){B38}
digitalocean-token (dop|doo|dor)_v1_{H64}
heroku-key HRKU-{B60}
flyio-token (fm1r|fm1a|fm2)_{P100}
flyio-token fo1_{B43}
vercel-token (vcp|vci|vca|vcr|vck)_{W56}
netlify-token nfp_{W36}
cloudflare-token (cfut|cfat|cfk)_{W48}
cloudflare-origin-key v1.0-{H24}-{H146}
render-key rnd_{W32}
scalingo-token tk-us-{B48}
openshift-token sha256~{B43}
tailscale-key tskey-auth-{W12}-{W32}
pulumi-token pul-{H40}
terraform-token {W14}.atlasv1.{B67}
vault-token (hvs|hvb|hvr).{B90}
doppler-token dp.(pt|ct|sa|scim|audit).{W43}
doppler-token dp.st.prd.{W43}
onepassword-token ops_eyJ{B240}
onepassword-secret-key A3-{U6}-{U5}-{U5}-{U5}-{U6}-{U5}
age-secret-key AGE-SECRET-KEY-1{X58}
github-token gh(p|o|u|s)_{W36}
github-token ghr_{W76}
github-fine-grained-token github_pat_{W22}_{W59}
gitlab-token gl(pat|dt|rt|rtr|ft|imt|agent|soat|oas|ffct)-{B20}
gitlab-token glpat-{B27}.01.{L9}
gitlab-token glcbt-{H2}_{B20}
gitlab-token glptt-{H40}
gitlab-runner-token GR1348941{B20}
bitbucket-password ATBB{W32}
bitbucket-token ATCTT3xFf{B170}
atlassian-token ATATT3xFf{B170}
trello-token ATTA{H72}
circleci-token CCI(PAT|PRJ)_{W22}_{H40}
buildkite-token bkua_{L40}
sonar-token sq(u|p|a)_{H40}
snyk-token snyk_(uat|sat).{H8}.{W60}
sourcegraph-token sgp_{H16}_{H40}
sourcegraph-token sgp_local_{H40}
sourcegraph-token slk_{H64}
harness-token (pat|sat).{B22}.{H24}.{W20}
octopus-key API-{U32}
launchdarkly-key (sdk|mob|api)-{uuid}
postman-key PMAK-{H24}-{H34}
linear-key lin_(api|oauth|wh)_{W40}
infracost-key ico-{W32}
prefect-key (pnu|pnb)_{W36}
dbt-token (dbtc|dbtu)_{B48}
deno-deploy-token (ddp|ddw)_{W36}
codesandbox-token csb_v1_{B43}
npm-token npm_{W36}
pypi-token pypi-AgEIcHlwaS5vcmc{B120}
rubygems-key rubygems_{H48}
crates-token cio{W32}
nuget-key oy2{L43}
clojars-token CLOJARS_{L60}
docker-token dckr_(pat|oat)_{B32}
jfrog-key AKCp{W69}
jfrog-token cmVmdGtu{W56}
packagist-token packagist_(ort|out|uut)_{H68}
openvsx-token ovsxp_{B36}
anthropic-key sk-ant-api03-{B93}AA
openai-key sk-(proj|svcacct|admin|None)-{B120}
openrouter-key sk-or-v1-{H64}
langfuse-key sk-lf-{uuid}
helicone-key sk-helicone-{L7}-{L7}-{L7}-{L7}
model-key sk-{W20}T3BlbkFJ{W20}
model-key sk-{H32}
gemini-key AQ.{B50}
groq-key gsk_{W52}
cerebras-key csk-{L48}
xai-key xai-{W80}
perplexity-key pplx-{W48}
replicate-token r8_{W37}
huggingface-token (hf|api_org)_{W34}
nvidia-key nvapi-{B64}
together-key tgp_v1_{B43}
fireworks-key fw_{W24}
anyscale-key esecret_{W28}
elevenlabs-key sk_{H48}
voyage-key pa-{B43}
jina-key jina_{W60}
tavily-key tvly-dev-{W32}
firecrawl-key fc-{H32}
pinecone-key pcsk_{B70}
langsmith-key lsv2_(pt|sk)_{H32}_{H10}
langsmith-key ls__{H32}
wandb-key wandb_v1_{B60}
runpod-key rpa_{U40}{L6}
cursor-key (crsr|key)_{H64}
databricks-token dapi{H32}
baidu-key bce-v3/ALTAK-{W21}/{H40}
stripe-key (sk|rk)_live_{W24}
stripe-key (sk|rk)_(test|prod)_{W99}
stripe-webhook-secret whsec_{W32}
square-token sq0atp-{B22}
square-token sq0csp-{B43}
square-token EAAA(E|l){B59}
braintree-token access_token$(production|sandbox)${L16}${H32}
shopify-token shp(at|ca|pa|ss|tka)_{H32}
razorpay-key rzp_(live|test)_{W14}
plaid-token access-(sandbox|development|production)-{uuid}
flutterwave-key FLWSECK-{H32}-X
mollie-key live_{W30}
paddle-key pdl_(live|sdbx)_apikey_{L26}_{W22}_{W3}
easypost-key EZ(AK|TK){W54}
shippo-token shippo_(live|test)_{H40}
duffel-token duffel_(live|test)_{B43}
slack-token xox(b|a|r|s|o)-{D12}-{D13}-{W24}
slack-token xoxp-{D12}-{D12}-{D13}-{H32}
slack-token xox(e|c|d)-1-{W140}
slack-app-token xapp-1-A{U10}-{D13}-{H64}
slack-webhook https://hooks.slack.com/services/«T{U9}/B{U10}/{W24}»
slack-webhook https://hooks.slack.com/(workflows|triggers)/«T{U9}/A{U10}/{D18}/{W24}»
discord-token (MT|Mj|Mz|ND|NT|Nj|Nz|OD|OT){W22}.{B6}.{B38}
discord-webhook https://(discord|discordapp).com/api/webhooks/«{D18}/{B68}»
teams-webhook https://acme.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{H32}/{uuid}»
telegram-token {D10}:AA{B33}
matrix-token syt_{W12}_{A20}_{W6}
twilio-key SK{H32}
sendgrid-key SG.{B22}.{B43}
mailgun-key key-{H32}
mailchimp-key {H32}-us12
brevo-key (xkeysib|xsmtpsib)-{H64}-{W16}
resend-key re_{W8}_{W24}
mailersend-token mlsn.{H64}
facebook-token EAAC{W170}
instagram-token (IGQV|IGAA){B120}
twitter-bearer-token AAAAAAAAAAAAAAAAAAAAA{W25}%2B{W40}%3D{W30}
twitch-token oauth:{L30}
dropbox-token sl.{B136}
dropbox-token sl.u.{B160}
notion-token ntn_{W46}
notion-token secret_{W43}
airtable-token pat{W14}.{H64}
asana-token 2/{D16}/{D16}:{H32}
asana-token 1/{D16}:{H32}
figma-token figd_{B40}
clickup-token pk_{D8}_{U32}
hubspot-token pat-(na1|na2|eu1|ap1)-{uuid}
contentful-token CFPAT-{B43}
typeform-token tfp_{B44}
mapbox-token sk.eyJ{B80}.{B22}
readme-key rdme_{L70}
frameio-token fio-u-{B64}
rapidapi-key {L10}msh{L15}p1{L6}jsn{L12}
maxmind-key {W6}_{W29}_mmk
adobe-secret p8e-{W32}
planetscale-token pscale_(tkn|pw|oauth)_{B43}
neon-key napi_{L64}
neon-password npg_{W12}
supabase-key sbp_{H40}
supabase-secret-key sb_secret_{B31}
mongodb-atlas-secret mdb_sa_sk_{B43}
cockroach-key CCDB1_{W22}_{W40}
astra-token AstraCS:{A24}:{H64}
xata-key xau_{W43}
fauna-key fnA{B37}
sentry-token sntrys_{B120}
sentry-token sntry(u|a|i)_{H64}
newrelic-key NRAK-{U27}
newrelic-key NR(II|IQ|RA|JS)-{B32}
newrelic-license {H36}NRAL
grafana-token glsa_{W32}_{H8}
grafana-token glc_{P120}
grafana-key eyJrIjoi{W80}
dynatrace-token dt0(c01|s01|s02|s16).{T24}.{T64}
honeycomb-key hc(aik|bik|xik|amk)_{L58}
posthog-key phx_{W43}
axiom-token (xaat|xapt)-{uuid}
logfire-token pylf_(v1|v2)_us_{W44}
vault-token s.A7b{W16}3kPq9
appsync-key da2-{L26}
mws-token amzn.mws.{uuid}
authress-key (sc|ext|scauth|authress)_{L20}.{L5}.acc-{L12}.{B40}
authress-key sc_{L20}.{L5}.acc_{L12}.{B40}
settlemint-token sm_(aat|pat|sat)_{W16}
flutterwave-key FLWSECK_(TEST|LIVE)-{H32}-X
aws-bedrock-short-key bedrock-api-key-{P120}
netlify-app-token (nfo|nfc|nfu|nfb)_{W36}
yandex-iam-token t1.{B120}.{B86}
clickhouse-key 4b1d{W38}
akamai-token akab-{L16}-{L16}
defined-key dnkey-{L26}-{L52}
infisical-token st.{H24}.{H32}.{H32}
vercel-blob-token vercel_blob_rw_{W16}_{W30}
ory-token ory_(at|pat|st|rt|wk)_{B43}
unkey-key unkey_{W24}
zuplo-key zpka_{H32}_{H8}
modal-token (ak|as)-{W20}7Z
buildkite-agent-token (bkct|bkaj|bkpt)_{W40}
phabricator-token cli-{L28}
youtrack-token perm:{W12}.{W8}.{W30}
youtrack-token perm-{W12}.{W8}.{W30}
endorlabs-key endr+{W16}
rootly-key rootly_{H64}
chromatic-token chpt_{H15}
percy-token (web|auto|app)_{H64}
deepsource-key dsp_{W40}
aikido-token AIK_(CI|RUNTIME)_{W40}
intra42-secret s-s4t2(ud|af)-{H64}
trigger-key tr_(dev|prod|stg|pat)_{W24}
checkly-key cu_{H32}
flagsmith-key ser.{W22}
statsig-key secret-{W43}
apify-token apify_api_{W36}
lob-key test_{H35}
gocardless-token live_7-{B37}_
ebay-key (PRD|SBX)-{H12}-{H4}-{H4}-{H4}-{H4}
telnyx-key KEY{D8}ABCDEF{D18}_{W22}
pubnub-key sec-c-{P48}
zapier-webhook https://hooks.zapier.com/hooks/catch/«{D7}/{L7}»
nylas-key nyk_v0_{W60}
klaviyo-key pk_{H34}
adafruit-key aio_{W28}
honeybadger-token hbp_{W36}
zoho-token 1000.{H32}.{H32}
salesforce-token 00D{W12}!{W96}
close-key api_{W22}.{W22}
hex-token (hxtp|hxtw)_{H64}
bannerbear-key bb_(pr|ma)_{H30}
jwt ZXlKaGJHY2lPaU{W120}
jwt eyJhbGciOiJIUzI1NiJ9.eyJ{B90}.{B43}
jwt eyJ{B600}.eyJ{B1200}.{B340}
private-key LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{P400}
private-key LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk{P400}
private-key LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0t{P200}
"""

# Secrets that only what stands around them gives away.
SURROUNDED = """
authorization Authorization: Bearer «{W40}»
authorization curl -H "Authorization: token «{W40}»" https://api.example.com
authorization {"Authorization": "Basic «{W24}=»"}
authorization -> sent Basic «{W24}==» to upstream
authorization -> sent SSWS «00{B40}» to upstream
authorization -> sent Bearer «{W32}» to upstream
authorization Proxy-Authorization: Basic «{W24}==»
authorization Authorization: SSWS «00{B40}»
cookie Set-Cookie: session=«{W32}»; Path=/; HttpOnly
cookie -H "Cookie: session=«{H24}»"
cookie Cookie: theme=dark; sid=«{W40}»
api-key-header X-Api-Key: «{W24}»
api-key-header PRIVATE-TOKEN: «{W20}»
command-password curl -u bob:«{S14}» https://api.example.com/v1
command-password curl -sS --user admin:«{S12}» https://api.example.com/v1
command-password mysql -h db -uroot -p«{W14}» shop
command-password mysqldump --host db -p«{W14}» shop
command-password http -a bob:«{W12}» api.example.com/v1
command-password CREATE USER bob IDENTIFIED BY '«{W12}»';
command-password ALTER ROLE bob WITH PASSWORD '«{W12}»';
command-password echo ::add-mask::«{W16}»
command-password requests.get(url, auth=("bob", "«{W12}»"))
command-password sshpass -p «{W12}» ssh deploy@host
command-password redis-cli -h cache -a «{W20}» ping
command-password mongosh --host db -u root -p «{W16}»
command-password docker login -u bob -p «{W16}» registry.example.com
command-password ldapsearch -x -D cn=admin -w «{W14}» uid=bob
command-password unzip -P «{W12}» backup.zip
command-password htpasswd -bc users.htpasswd bob «{W12}»
command-password smbclient //nas/share -U bob%«{W12}»
command-password openssl rsa -in key.pem -passin pass:«{W12}»
netrc-password machine api.example.com login bob password «{S16}»
pgpass-password db.example.com:5432:shop:bob:«{W16}»
putty-private-key Private-Lines: 2 «{P64}»
wireguard-key PrivateKey = «{P43}=»
docker-auth {"auths": {"registry.example.com": {"auth": "«{W28}=»"}}}
kubeconfig-key client-key-data: «{P200}»
azure-account-key AccountName=shop;AccountKey=«{P86}==»;EndpointSuffix=core.windows.net
azure-account-key Endpoint=sb://shop.example.net/;SharedAccessKeyName=root;SharedAccessKey=«{P43}=»
url-signature https://shop.blob.example.net/c/f?sv=2022-11-02&sp=r&sig=«{W40}%3D»
url-signature https://b.example.com/f?X-Amz-Expires=900&X-Amz-Signature=«{H64}»
aws-secret-key AKIA{T16},«{P40}»
algolia-credential Algolia admin key «{H32}» was rejected
assemblyai-credential the AssemblyAI key «{H32}» was rejected
aws-credential AWS secret key «{W40}» was rejected
azure-credential the Azure key «{H32}» was rejected
circleci-credential CircleCI token «{H40}» was rejected
cloudflare-credential Cloudflare token «{W40}» was rejected
codecov-credential Codecov token «{uuid}» was rejected
cohere-credential Cohere key «{W40}» was rejected
datadog-credential Datadog key «{H32}» was rejected
datadog-credential Datadog application key «{H40}» was rejected
deepgram-credential Deepgram key «{H40}» was rejected
fastly-credential Fastly token «{W32}» was rejected
gitea-credential Gitea token «{H40}» was rejected
heroku-credential Heroku key «{uuid}» was rejected
hetzner-credential Hetzner token «{W64}» was rejected
jenkins-credential Jenkins token «{H34}» was rejected
linode-credential Linode token «{H64}» was rejected
mailgun-credential Mailgun key «{H32}-{H8}-{H8}» was rejected
mistral-credential Mistral key «{W32}» was rejected
ngrok-credential ngrok token «{W27}_{W21}» was rejected
okta-credential Okta token «00{W40}» was rejected
opsgenie-credential Opsgenie key «{uuid}» was rejected
pagerduty-credential PagerDuty token «{W20}» was rejected
paypal-credential PayPal secret «{W80}» was rejected
postmark-credential Postmark token «{uuid}» was rejected
rollbar-credential Rollbar token «{H32}» was rejected
scaleway-credential Scaleway secret «{uuid}» was rejected
snyk-credential Snyk token «{uuid}» was rejected
splunk-credential Splunk token «{uuid}» was rejected
twilio-credential Twilio token «{H32}» was rejected
twitch-credential Twitch secret «{L30}» was rejected
upstash-credential Upstash token «{W56}» was rejected
vercel-credential Vercel token «{W24}» was rejected
wandb-credential wandb key «{H40}» was rejected
zhipu-credential Zhipu key «{H32}.{W16}» was rejected
url-credentials postgres://shop:«{W16}»@db.example.com:5432/shop
url-credentials mongodb+srv://root:«{W16}»@cluster0.example.net/?retryWrites=true
url-credentials redis://:«{W24}»@cache.example.com:6379/0
url-credentials amqp://guest:«{W12}»@queue.example.com/%2f
url-credentials git clone https://oauth2:«{W26}»@git.example.com/a/b.git
url-credentials https://«{H32}»@o12345.ingest.example.io/67890
url-credentials mysql://app:«p@{W10}»@db.example.com/shop
assigned-secret DB_PASSWORD=«{S16}»
assigned-secret export FOO_TOKEN=«{W24}»
assigned-secret //registry.example.com/:_authToken=«{W36}»
assigned-secret Server=db;Database=shop;User Id=sa;Password=«{W14}!»;Encrypt=true
assigned-secret {"db_password": "«{S14}»", "retries": 3}
assigned-secret { "client_secret" : "«{W32}»" }
assigned-secret api_key: «{W32}»
assigned-secret apiKey: '«{W32}»',
assigned-secret const token: string = "«{W28}»";
assigned-secret password: str = "«{W12}»"
assigned-secret 'secret' => '«{W24}»',
assigned-secret secret_key := "«{H40}»"
assigned-secret aws_secret_access_key = «{P40}»
assigned-secret deploy --password «{W14}» --now
assigned-secret deploy --api-key=«{W32}» --now
assigned-secret ["deploy", "--token", "«{W28}»"]
assigned-secret <password>«{W14}»</password>
assigned-secret my password is «{W10}7» by the way
assigned-secret the password for the staging database is «{W10}7».
assigned-secret Password for bob@example.com: «{W12}»
assigned-secret the api key is «{W24}», do not share it
assigned-secret 密码是«{W12}»，请勿外传
assigned-secret 密碼：«{W12}»
assigned-secret 数据库的密码为 «{W12}»。
assigned-secret 令牌: «{W28}»
assigned-secret token «{W28}» expired
assigned-secret PGPASSWORD=«{W12}» psql -h db
assigned-secret GET /v1/items?access_token=«{W32}»&page=2
assigned-secret DB_PASS=«swordfish»
assigned-secret db_pass: «{W9}7»
assigned-secret POSTGRES_PASSWORD=«swordfish»
assigned-secret os.environ.setdefault("SECRET_KEY", "«{W32}»")
assigned-secret <add key="ApiKey" value="«{W28}»"/>
assigned-secret 密码已经改成 «{W12}»
assigned-secret 密码是「«{W12}»」
assigned-secret {'passphrase': '«correcthorsebattery»'}
assigned-secret user.set_password("«{W9}7»")
assigned-secret password = "«{W6}7x {W6}»"
assigned-secret const char apiKey[] = "«{W30}»";
assigned-secret os.environ["API_TOKEN"] = "«{W30}»"
assigned-secret <meta name="csrf-token" content="«{B44}»"/>
high-entropy handed over «{W40}» without a word
"""

HOLE = re.compile(r"\{(?:([A-Z])(\d+)|uuid)\}")


@dataclass(frozen=True)
class Sample:
    """A text with a secret in it, and the rule that is there for it."""

    rule: str
    before: str
    secret: str
    after: str

    @property
    def text(self) -> str:
        return self.before + self.secret + self.after


def formats(seed: int = 7) -> list[Sample]:
    """Return one secret for every template of FORMATS."""
    return [_sample(line, seed) for line in _templates(FORMATS)]


def surrounded(seed: int = 7) -> list[Sample]:
    """Return one text for every template of SURROUNDED."""
    return [_sample(line, seed) for line in SURROUNDED.strip().splitlines()]


def _templates(table: str) -> Iterator[str]:
    for line in table.strip().splitlines():
        pieces = re.split(r"\(([^()]+)\)", line)
        choices = [piece.split("|") if at % 2 else [piece] for at, piece in enumerate(pieces)]
        yield from map("".join, itertools.product(*choices))


def armoured(seed: int = 7) -> list[Sample]:
    """Return private keys between their marks."""
    dice = random.Random(seed)
    kinds = ("RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA ", "")
    blocks = []
    for kind in kinds:
        body = "\n".join(_drawn("P", 64, dice) for _ in range(6)) + "\n" + _drawn("P", 30, dice)
        marks = [f"-----{mark} {kind}PRIVATE KEY-----" for mark in ("BEGIN", "END")]
        blocks.append(Sample("private-key", "", f"{marks[0]}\n{body}\n{marks[1]}", ""))
    body = "\n".join(_drawn("P", 64, dice) for _ in range(6))
    head = "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n"
    blocks.append(
        Sample("private-key", "", f"{head}{body}\n-----END PGP PRIVATE KEY BLOCK-----", "")
    )
    return blocks


def _sample(line: str, seed: int) -> Sample:
    dice = random.Random(f"{seed}{line}")
    rule, template = line.split(" ", 1)
    filled = HOLE.sub(lambda hole: _hole(hole, dice), template)
    before, opened, rest = filled.partition("«")
    secret, _, after = rest.partition("»")
    return Sample(rule, before, secret, after) if opened else Sample(rule, "", filled, "")


def _hole(hole: re.Match[str], dice: random.Random) -> str:
    if hole[1]:
        return _drawn(hole[1], int(hole[2]), dice)
    return "-".join(_drawn("H", size, dice) for size in (8, 4, 4, 4, 12))


def _drawn(alphabet: str, size: int, dice: random.Random) -> str:
    return "".join(dice.choice(ALPHABETS[alphabet]) for _ in range(size))


# How a secret turns up: each takes what stands before it, the secret, and what stands after.

Turn = Callable[[str, str, str], str]


def as_it_is(before: str, secret: str, after: str) -> str:
    return f"{before}{secret}{after}"


def in_a_command(before: str, secret: str, after: str) -> str:
    return f"$ cd app && run.sh 'x y' ; {before}{secret}{after}\nok, done\n"


def in_stderr(before: str, secret: str, after: str) -> str:
    return f"Traceback (most recent call last):\nRuntimeError: rejected: {before}{secret}{after}\n"


def in_json(before: str, secret: str, after: str) -> str:
    return json.dumps({"stdout": f"first\n{before}{secret}{after}\nlast", "code": 1})


def in_json_twice(before: str, secret: str, after: str) -> str:
    return json.dumps({"event": in_json(before, secret, after)})


def in_colour(before: str, secret: str, after: str) -> str:
    return f"\x1b[2m>\x1b[0m {before}\x1b[1;32m{secret}\x1b[0m{after}"


def half_in_colour(before: str, secret: str, after: str) -> str:
    half = len(secret) // 2
    return f"{before}\x1b[01;31m\x1b[K{secret[:half]}\x1b[m\x1b[K{secret[half:]}{after}"


def in_lost_colour(before: str, secret: str, after: str) -> str:
    return f"[2m>[0m {before}[1;32m{secret}[0m{after}"


def escaped_in_colour(before: str, secret: str, after: str) -> str:
    return json.dumps(in_colour(before, secret, after))


def over_shell_lines(before: str, secret: str, after: str) -> str:
    half = len(secret) // 2
    return f"{before}{secret[:half]}\\\n{secret[half:]}{after}"


def over_indented_shell_lines(before: str, secret: str, after: str) -> str:
    third = len(secret) // 3
    pieces = secret[:third], secret[third : 2 * third], secret[2 * third :]
    return f"{before}{pieces[0]}\\\n    {pieces[1]}\\\n    {pieces[2]}{after}"


def over_escaped_lines(before: str, secret: str, after: str) -> str:
    half = len(secret) // 2
    return json.dumps(f"{before}{secret[:half]}\n{secret[half:]}{after}")


def over_short_lines(before: str, secret: str, after: str) -> str:
    half = len(secret) // 2
    return f"{before}{secret[:half]}\n    {secret[half:]}{after}"


def wrapped(column: int, indent: str) -> Turn:
    """Return the turn that a terminal of 80 columns gives a secret that begins at ``column``."""

    def wrap(before: str, secret: str, after: str) -> str:
        padding = "." * max(0, column - 1 - len(before)) + " "
        line = padding + before + secret + after
        room = 80 - len(indent)
        rows = [line[:80], *(indent + line[at : at + room] for at in range(80, len(line), room))]
        return "\n".join(rows) + "\nready.\n"

    wrap.__name__ = f"wrapped_from_column_{column}_{len(indent)}"
    return wrap


TURNS: tuple[Turn, ...] = (
    as_it_is,
    in_a_command,
    in_stderr,
    in_json,
    in_json_twice,
    in_colour,
    half_in_colour,
    in_lost_colour,
    escaped_in_colour,
    over_shell_lines,
    over_indented_shell_lines,
    over_escaped_lines,
    over_short_lines,
    wrapped(60, ""),
    wrapped(72, "    "),
)


def recognisable(turn: Turn, seed: int = 7) -> list[Sample]:
    """Return every sample that a reader would still recognise after that turn."""
    if turn is over_short_lines:  # only a format tells that two short lines are one token
        return formats(seed) + armoured(seed)
    told = formats(seed) + surrounded(seed) + armoured(seed)
    if turn is over_escaped_lines:  # nothing tells that two nameless words are one
        return [sample for sample in told if sample.rule != "high-entropy"]
    return told


_MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")
_NOISE = re.compile(
    r"\x1b\[[0-9;]*[A-Za-z]|\\+u001b\[[0-9;]*[A-Za-z]|\[[0-9;]*m|\\\n|\\+n|\s", re.IGNORECASE
)


def survivors(secret: str, text: str, *, size: int = 8) -> Iterator[str]:
    """Yield every piece of the secret that can still be read in the text."""
    pressed = _NOISE.sub("", _MARK.sub("", text))
    bare = _NOISE.sub("", secret)
    size = min(size, len(bare))
    for at in range(len(bare) - size + 1):
        if bare[at : at + size] in pressed:
            yield bare[at : at + size]
