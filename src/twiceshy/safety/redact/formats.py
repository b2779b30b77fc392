"""Secrets recognised by shape: a line per published format.

A rule is an id, the literals at the start of a secret, and the pattern after. A fourth
column, for a literal inside the secret, is the pattern before. No required part follows an
unbounded part: hostile text must not make matching slow.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import TypeAlias

    Format: TypeAlias = tuple[str, str, str] | tuple[str, str, str, str]

D = r"[0-9]"
H = r"[0-9a-f]"  # hex digits
L = r"[a-z0-9]"
U = r"[A-Z0-9]"
W = r"[A-Za-z0-9]"
B = r"[A-Za-z0-9_-]"  # base64 for URLs
P = r"[A-Za-z0-9+/]"  # base64 proper
T = r"[A-Z2-7]"  # base32
UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

CLOUD: tuple[Format, ...] = (
    ("aws-access-key", "AKIA ASIA ABIA ACCA", T + "{16}"),
    ("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz", r"[A-Za-z0-9+/%=]{80,}"),
    ("aws-bedrock-key", "ABSK", P + "{100,}={0,2}"),
    ("google-api-key", "AIza", B + "{35}"),
    ("google-oauth-token", "ya29.", B + "{30,}"),
    ("google-refresh-token", "1//0", B + "{40,}"),
    ("google-client-secret", "GOCSPX-", B + "{28}"),
    ("firebase-server-key", ":APA91b", B + "{120,}", B + "{11}"),
    ("azure-client-secret", "7Q~ 8Q~", r"[A-Za-z0-9_.~-]{31,34}", W + "{3}"),
    ("azure-devops-token", "AZDO", W + "{4}", W + "{76}"),
    ("azure-storage-key", "+ASt", P + "{6}==", P + "{76}"),
    ("azure-service-key", "AzSe AzFu AzCa", W + "{5,8}={0,2}", B + "{33,44}"),
    ("alibaba-key", "LTAI", W + "{12,26}"),
    ("tencent-key", "AKID", W + "{32}"),
    ("yandex-key", "AQVN y0_Ag", B + "{35,}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", H + "{64}"),
    ("heroku-key", "HRKU-", B + "{36,}"),
    ("flyio-token", "fm1r_ fm1a_ fm2_ fo1_", r"[A-Za-z0-9+/=_-]{40,}"),
    ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", W + "{24,}"),
    ("netlify-token", "nfp_", W + "{36,}"),
    ("cloudflare-token", "cfut_ cfat_ cfk_", W + "{40,}"),
    ("cloudflare-origin-key", "v1.0-", H + "{24}-" + H + "{100,}"),
    ("render-key", "rnd_", W + "{28,}"),
    ("scalingo-token", "tk-us-", B + "{48}"),
    ("openshift-token", "sha256~", B + "{43}"),
    ("tailscale-key", "tskey-", r"[a-z]{2,12}-[A-Za-z0-9-]{20,}"),
    ("pulumi-token", "pul-", H + "{40}"),
    ("terraform-token", ".atlasv1.", B + "{60,}", W + "{14}"),
    ("vault-token", "hvs. hvb. hvr.", B + "{24,}"),
    ("vault-token", "s.", r"(?=[A-Za-z]{0,23}\d)(?=[a-z\d]{0,23}[A-Z])(?![a-z]{3,}[A-Z][a-z]{3})(?![A-Z]?[a-z]{5})[A-Za-z0-9]{24}(?!\()"),
    ("appsync-key", "da2-", L + "{26}"),
    ("mws-token", "amzn.mws.", UUID),
    ("authress-key", ".acc- .acc_", r"[a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}", r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}"),
    ("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", W + "{16,}"),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"(?:[a-z0-9_-]{2,35}\.)?" + W + "{40,}"),
    ("onepassword-token", "ops_eyJ", r"[A-Za-z0-9_=-]{100,}"),
    ("onepassword-secret-key", "A3-", U + "{6}-(?:" + U + "{5}-){3}" + U + "{5,6}-" + U + "{5,}"),
    ("age-secret-key", "AGE-SECRET-KEY-1", r"[AC-HJ-NP-Z02-9]{58}"),
    ("aws-bedrock-short-key", "bedrock-api-key-", r"[A-Za-z0-9+/=]{80,}"),
    ("netlify-app-token", "nfo_ nfc_ nfu_ nfb_", W + "{36,}"),
    ("yandex-iam-token", "t1.", r"[A-Za-z0-9_-]{20,256}={0,2}\.[A-Za-z0-9_-]{86}"),
    ("clickhouse-key", "4b1d", W + "{38}"),
    ("akamai-token", "akab-", L + "{16}-" + L + "{16}"),
    ("defined-key", "dnkey-", r"[a-z0-9=_-]{26}-[a-z0-9=_-]{52}"),
    ("infisical-token", "st.", H + r"{24}\." + H + r"{32}\." + H + "{32}"),
    ("vercel-blob-token", "vercel_blob_rw_", W + "{10,24}_" + W + "{24,}"),
    ("ory-token", "ory_at_ ory_pat_ ory_st_ ory_rt_ ory_wk_", r"[A-Za-z0-9_.-]{30,}"),
    ("unkey-key", "unkey_", W + "{20,}"),
    ("zuplo-key", "zpka_", H + "{32}_" + H + "{8}"),
    ("modal-token", "ak- as-", r"(?=[A-Za-z]{0,21}\d)[A-Za-z0-9]{22}"),
)  # fmt: skip

CODE: tuple[Format, ...] = (
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", W + "{36,}"),
    ("github-fine-grained-token", "github_pat_", r"[A-Za-z0-9_]{50,}"),
    ("gitlab-token", "glpat- gldt- glrt- glrtr- glptt- glcbt- glft- glimt- glagent- glsoat- gloas- glffct-", B + r"{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?"),
    ("gitlab-runner-token", "GR1348941", B + "{20,}"),
    ("bitbucket-password", "ATBB", W + "{24,}"),
    ("bitbucket-token", "ATCTT3", r"[A-Za-z0-9_=-]{60,}"),
    ("atlassian-token", "ATATT3", r"[A-Za-z0-9_=-]{60,}"),
    ("trello-token", "ATTA", r"[0-9a-fA-F]{64,}"),
    ("circleci-token", "CCIPAT_ CCIPRJ_", W + "{20,24}_" + H + "{40}"),
    ("buildkite-token", "bkua_", L + "{40,}"),
    ("sonar-token", "squ_ sqp_ sqa_", H + "{40}"),
    ("snyk-token", "snyk_uat. snyk_sat.", r"[0-9a-f]{8}\.[A-Za-z0-9._-]{20,}"),
    ("sourcegraph-token", "sgp_ slk_", r"(?:[0-9a-f]{16}_|local_)?" + H + "{40,}"),
    ("harness-token", "pat. sat.", B + r"{22}\." + H + r"{24}\." + W + "{20}"),
    ("octopus-key", "API-", U + "{25,32}"),
    ("launchdarkly-key", "sdk- mob- api-", UUID),
    ("postman-key", "PMAK-", H + "{24}-" + H + "{34}"),
    ("linear-key", "lin_api_ lin_oauth_ lin_wh_", W + "{40,}"),
    ("infracost-key", "ico-", W + "{32}"),
    ("prefect-key", "pnu_ pnb_", W + "{36}"),
    ("dbt-token", "dbtc_ dbtu_", B + "{40,}"),
    ("deno-deploy-token", "ddp_ ddw_", W + "{36}"),
    ("codesandbox-token", "csb_v1_", B + "{40,}"),
    ("buildkite-agent-token", "bkct_ bkaj_ bkpt_", W + "{36,}"),
    ("phabricator-token", "cli-", L + "{28}"),
    ("youtrack-token", "perm: perm-", r"[A-Za-z0-9+/=]{4,64}\.[A-Za-z0-9+/=]{2,64}\.[A-Za-z0-9]{24,}"),
    ("endorlabs-key", "endr+", r"[A-Za-z0-9-]{16}"),
    ("rootly-key", "rootly_", H + "{64}"),
    ("chromatic-token", "chpt_", H + "{15,}"),
    ("percy-token", "web_ auto_ app_", H + "{64}"),
    ("deepsource-key", "dsp_", W + "{30,}"),
    ("aikido-token", "AIK_CI_ AIK_RUNTIME_", W + "{30,}"),
    ("intra42-secret", "s-s4t2ud- s-s4t2af-", H + "{64}"),
    ("trigger-key", "tr_dev_ tr_prod_ tr_stg_ tr_pat_", W + "{20,}"),
    ("checkly-key", "cu_", H + "{32}"),
    ("flagsmith-key", "ser.", W + "{22}"),
    ("statsig-key", "secret-", W + "{40,}"),
)  # fmt: skip

REGISTRIES: tuple[Format, ...] = (
    ("npm-token", "npm_", W + "{36}"),
    ("pypi-token", "pypi-AgE", B + "{50,}"),
    ("rubygems-key", "rubygems_", H + "{48}"),
    ("crates-token", "cio", r"(?<![+/]cio)" + W + "{32}"),
    ("nuget-key", "oy2", r"(?<![+/]oy2)" + L + "{43}"),
    ("clojars-token", "CLOJARS_", L + "{60}"),
    ("docker-token", "dckr_pat_ dckr_oat_", B + "{27,}"),
    ("jfrog-key", "AKCp", W + "{69}"),
    ("jfrog-token", "cmVmdGtu", W + "{56}"),
    ("packagist-token", "packagist_ort_ packagist_out_ packagist_uut_", H + "{64,}"),
    ("openvsx-token", "ovsxp_", B + "{32,}"),
)

MODELS: tuple[Format, ...] = (
    ("anthropic-key", "sk-ant-", B + "{20,}"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", B + "{20,}"),
    ("openrouter-key", "sk-or-v1-", H + "{64}"),
    ("langfuse-key", "sk-lf-", UUID),
    ("helicone-key", "sk-helicone-", r"[a-z0-9-]{20,}"),
    ("model-key", "sk-", W + "{20,}"),  # OpenAI's first form; DeepSeek, Moonshot, Qwen and proxies
    ("gemini-key", "AQ.", B + "{40,}"),
    ("groq-key", "gsk_", W + "{40,}"),
    ("cerebras-key", "csk-", L + "{40,}"),
    ("xai-key", "xai-", W + "{60,}"),
    ("perplexity-key", "pplx-", W + "{32,}"),
    ("replicate-token", "r8_", W + "{37}"),
    ("huggingface-token", "hf_ api_org_", W + "{34,}"),
    ("nvidia-key", "nvapi-", B + "{40,}"),
    ("together-key", "tgp_v1_", B + "{40,}"),
    ("fireworks-key", "fw_", W + "{22,}"),
    ("anyscale-key", "esecret_", W + "{24,}"),
    ("elevenlabs-key", "sk_", H + "{48}"),
    ("voyage-key", "pa-", r"(?=[a-z_-]{0,39}[A-Z0-9])" + B + "{40,}"),
    ("jina-key", "jina_", W + "{50,}"),
    ("tavily-key", "tvly-", B + "{28,}"),
    ("firecrawl-key", "fc-", H + "{32}"),
    ("pinecone-key", "pcsk_", B + "{50,}"),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_ ls__", H + "{32}(?:_" + H + "{10})?"),
    ("wandb-key", "wandb_v1_", B + "{40,}"),
    ("runpod-key", "rpa_", U + "{40,}[a-z0-9]*"),
    ("cursor-key", "crsr_ key_", H + "{64}"),
    ("databricks-token", "dapi", H + "{32}"),
    ("baidu-key", "bce-v3/ALTAK-", r"[A-Za-z0-9]{20,24}/[0-9a-f]{40}"),
    ("apify-token", "apify_api_", W + "{36,}"),
)  # fmt: skip

PAYMENTS: tuple[Format, ...] = (
    ("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", W + "{16,}"),
    ("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{24,}"),
    ("square-token", "sq0atp- sq0csp- EAAAE EAAAl", B + "{22,}"),
    ("braintree-token", "access_token$production$ access_token$sandbox$", L + r"{16}\$" + H + "{32}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", r"[0-9a-fA-F]{32}"),
    ("razorpay-key", "rzp_live_ rzp_test_", W + "{14,}"),
    ("plaid-token", "access-sandbox- access-development- access-production-", UUID),
    ("flutterwave-key", "FLWSECK- FLWSECK_TEST- FLWSECK_LIVE-", W + "{12,64}(?:-X)?"),
    ("paddle-key", "pdl_live_apikey_ pdl_sdbx_apikey_", L + "{26}_" + W + "{22}_" + W + "{3}"),
    ("easypost-key", "EZAK EZTK", W + "{54}"),
    ("shippo-token", "shippo_live_ shippo_test_", H + "{40}"),
    ("duffel-token", "duffel_live_ duffel_test_", B + "{43}"),
    ("gocardless-token", "live_", r"(?=[a-z_=-]{0,39}[A-Z0-9])[A-Za-z0-9_=-]{40}"),
    ("mollie-key", "live_", W + "{30,}"),
    ("lob-key", "test_", H + "{35}"),
    ("ebay-key", "PRD- SBX-", H + "{12}-(?:" + H + "{4}-){3}" + H + "{4}"),
)  # fmt: skip

MESSAGES: tuple[Format, ...] = (
    ("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd-", r"[A-Za-z0-9%./+-]{20,}"),
    ("slack-app-token", "xapp-", r"\d-[A-Z0-9]{8,14}-\d{8,16}-[0-9a-f]{40,}"),
    ("slack-webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/", r"[A-Za-z0-9/]{30,}"),
    ("discord-token", "MT Mj Mz ND NT Nj Nz OD OT", r"[A-Za-z0-9]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
    ("discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", r"\d{15,21}/[A-Za-z0-9_-]{40,}"),
    ("teams-webhook", "webhook.office.com/webhookb2/", r"[A-Za-z0-9@/-]{60,}"),
    ("telegram-token", ":AA", B + "{33,}", D + "{8,10}"),
    ("matrix-token", "syt_", r"[A-Za-z0-9]{1,64}_[A-Za-z]{20}_[A-Za-z0-9]{6}"),
    ("twilio-key", "SK", H + "{32}"),
    ("sendgrid-key", "SG.", B + r"{16,32}\." + B + "{16,64}"),
    ("mailgun-key", "key-", H + "{32}"),
    ("mailchimp-key", "-us", r"\d{1,2}", H + "{32}"),
    ("brevo-key", "xkeysib- xsmtpsib-", H + "{64}-" + W + "{16}"),
    ("resend-key", "re_", W + "{8}_" + W + "{24}"),
    ("mailersend-token", "mlsn.", H + "{64}"),
    ("facebook-token", "EAA", r"(?<![+/]EAA)" + W + "{90,}"),
    ("instagram-token", "IGQV IGAA", B + "{80,}"),
    ("twitter-bearer-token", "AAAAAAAAAAAAAAAAAAAAA", r"(?=[A-Za-z0-9]{0,80}%)[A-Za-z0-9%]{60,}"),
    ("twitch-token", "oauth:", L + "{30}"),
    ("dropbox-token", "sl.", r"(?:u\.)?" + B + "{120,}"),
    ("telnyx-key", "KEY", r"[0-9A-F]{32}_" + W + "{22}"),
    ("pubnub-key", "sec-c-", r"[A-Za-z0-9+/=]{40,}"),
    ("zapier-webhook", "hooks.zapier.com/hooks/catch/", r"\d{4,10}/[a-z0-9]{6,}"),
    ("nylas-key", "nyk_v0_", W + "{40,}"),
    ("klaviyo-key", "pk_", H + "{34}"),
)  # fmt: skip

WORK: tuple[Format, ...] = (
    ("notion-token", "ntn_ secret_", W + "{40,}"),
    ("airtable-token", "pat", W + r"{14}\." + H + "{64}"),
    ("asana-token", "1/ 2/", r"\d{13,20}(?:/\d{13,20})?:[0-9a-f]{32}"),
    ("figma-token", "figd_", B + "{36,}"),
    ("clickup-token", "pk_", D + "{6,10}_" + U + "{32}"),
    ("hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", UUID),
    ("contentful-token", "CFPAT-", B + "{43}"),
    ("typeform-token", "tfp_", B + "{40,}"),
    ("mapbox-token", "sk.eyJ", B + r"{40,512}\." + B + "{20,}"),
    ("readme-key", "rdme_", L + "{70}"),
    ("frameio-token", "fio-u-", B + "{64}"),
    ("rapidapi-key", "msh", L + "{15}p1" + L + "{6}jsn" + L + "{12}", L + "{10}"),
    ("maxmind-key", "_mmk", "", W + "{6}_" + W + "{29}"),
    ("adobe-secret", "p8e-", W + "{32}"),
    ("adafruit-key", "aio_", W + "{28}"),
    ("honeybadger-token", "hbp_", W + "{36}"),
    ("zoho-token", "1000.", H + r"{32}\." + H + "{32}"),
    ("salesforce-token", "00D", r"[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,}"),
    ("close-key", "api_", W + r"{22}\." + W + "{22}"),
    ("hex-token", "hxtp_ hxtw_", H + "{60,}"),
    ("bannerbear-key", "bb_pr_ bb_ma_", H + "{30}"),
)  # fmt: skip

DATABASES: tuple[Format, ...] = (
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{32,}"),
    ("neon-key", "napi_", W + "{40,}"),
    ("neon-password", "npg_", W + "{10,}"),
    ("supabase-key", "sbp_", r"(?:v0_)?" + H + "{40}"),
    ("supabase-secret-key", "sb_secret_", B + "{20,}"),
    ("mongodb-atlas-secret", "mdb_sa_sk_", B + "{40,}"),
    ("cockroach-key", "CCDB1_", W + "{20,24}_" + W + "{40}"),
    ("astra-token", "AstraCS:", r"[A-Za-z]{24}:[0-9a-f]{64}"),
    ("xata-key", "xau_", W + "{30,}"),
    ("fauna-key", "fnA", B + "{37,}"),
)

MONITORING: tuple[Format, ...] = (
    ("sentry-token", "sntrys_ sntryu_ sntrya_ sntryi_", r"[A-Za-z0-9_+/=-]{40,}"),
    ("newrelic-key", "NRAK- NRII- NRIQ- NRRA- NRJS-", B + "{19,}"),
    ("newrelic-license", "NRAL", "", W + "{36}"),
    ("grafana-token", "glc_ glsa_", r"[A-Za-z0-9+/=_]{32,}"),
    ("grafana-key", "eyJrIjoi", r"[A-Za-z0-9+/]{60,}={0,2}"),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s16.", U + r"{8,24}\." + U + "{64}"),
    ("honeycomb-key", "hcaik_ hcbik_ hcxik_ hcamk_", L + "{32,}"),
    ("posthog-key", "phx_", W + "{40,}"),
    ("axiom-token", "xaat- xapt-", UUID),
    ("logfire-token", "pylf_v1_ pylf_v2_", r"[a-z]{2}_" + W + "{40,}"),
)

STRUCTURED: tuple[Format, ...] = (
    ("jwt", "eyJ", B + r"{8,1024}\." + B + r"{8,}(?:\." + B + "{1,}){0,3}"),
    ("private-key", "LS0tLS1CRUdJTi", r"[A-Za-z0-9+/]{0,36}(?:UFJJVkFUR|QUklWQVRF|BSSVZBVEU)[A-Za-z0-9+/=]{16,}"),
    ("jwt", "ZXlKaGJHY2lPaU", r"[A-Za-z0-9+/_=-]{60,}"),
)  # fmt: skip

FORMATS: tuple[Format, ...] = (
    *CLOUD, *CODE, *REGISTRIES, *MODELS, *PAYMENTS, *MESSAGES, *WORK, *DATABASES, *MONITORING, *STRUCTURED,
)  # fmt: skip
