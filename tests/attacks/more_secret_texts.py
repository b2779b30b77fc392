"""A second set of texts with secrets, written after the rules, and not looked at while they were written.

The language is that of ``secret_texts``.
"""

from tests.attacks import secret_texts

COMMAND_LINES = r"""
ssh build@ci "echo '«{pw}»' | sudo -S -u postgres psql -c 'select 1'"
(echo «{pw}»; sleep 1) | sudo -S true
yes «{pw}» | sudo -S reboot
cat <<< "«{W24}»" | docker login -u bob --password-stdin ghcr.example.io
docker login registry.example.com -u bob -p "«{pw}»"
nerdctl login -u bob -p «{pw}» registry.example.com
{"tool":"Bash","input":{"command":"sshpass -p '«{pw}»' ssh root@10.1.2.3 'uname -a'"}}
{"command": "curl -s -u \"bob:«{pw}»\" https://jira.example.com/rest/api/2/issue/X-1"}
$ mysql -h127.0.0.1 -P3307 -uapp -p«{pw}» -e 'show tables'
/usr/bin/mysqldump -u root --password=«{pw}» --all-databases > /backup/all.sql
time mysql --user=app --password «{pw}» < seed.sql
psql "postgresql://app:«{pw}»@localhost/app?sslmode=disable" -c '\dt'
PGPASSWORD="«{pw}»" pg_restore -d app dump.fc
docker compose run -e ADMIN_PASSWORD=«{pw}» web ./manage.py bootstrap
docker run -d --name pg -e POSTGRES_USER=app -e POSTGRES_PASSWORD='«{pw}»' -p 5432:5432 postgres:16
docker run --rm -e MYSQL_ROOT_PASSWORD=«{pw}» mysql:8
podman run --secret x -e RABBITMQ_DEFAULT_PASS=«{pw}» rabbitmq:3
kubectl create secret generic api --from-literal=key=«{W24}» --dry-run=client -o yaml
kubectl -n prod create secret generic smtp --from-literal=user=bob --from-literal=pass=«{pw}»
kubectl config set-credentials bob --token=«{W40}»
oc login https://api.example.com:6443 --token=sha256~«{B43}»
helm upgrade --install db bitnami/postgresql --set auth.postgresPassword=«{pw}»
aws secretsmanager put-secret-value --secret-id shop --secret-string '{"password":"«{pw}»"}'
aws rds modify-db-instance --db-instance-identifier shop --master-user-password «{pw}»
aws cognito-idp admin-set-user-password --username bob --password '«{pw}»' --permanent
AWS_ACCESS_KEY_ID=AKIA{T16} AWS_SECRET_ACCESS_KEY=«{P40}» aws s3 ls
gcloud secrets versions add db --data-file=- <<< "«{pw}»"
az storage blob upload --account-name shop --account-key «{P86}== » -f a
az webapp config appsettings set -n shop --settings DB_PASSWORD=«{pw}»
heroku config:set JWT_SIGNING=«{W40}» --app shop
fly secrets set SESSION=«{W32}» --app shop
flyctl secrets set A=1 MAILER=«{W24}»
gh secret set PYPI --env prod --body '«{W40}»'
gh api -H "Authorization: token «{W40}»" /user
glab auth login --token «{W26}»
vault kv put kv/shop/api key="«{W24}»" region=eu
vault kv patch secret/db password='«{pw}»'
vault operator unseal «{P43}=»
echo -n '«{pw}»' | vault kv put secret/x value=-
redis-cli -u redis://:«{pw}»@cache:6379 ping
redis-cli -p 6380 -a '«{pw}»' info
redis-cli CONFIG SET requirepass «{pw}»
mongosh "mongodb://root:«{pw}»@localhost:27017/admin"
mongo admin -u root -p '«{pw}»' --eval 'db.stats()'
curl -k -X POST -d '{"username":"admin","password":"«{pw}»"}' https://h/api/login
curl --request GET --header 'PRIVATE-TOKEN: «{B20}»' https://gitlab.example.com/api/v4/projects
curl -H 'api-key: «{W32}»' https://search.example.net/indexes
curl -H "X-API-KEY:«{W32}»" https://x
curl -H 'Cookie: session=«{W40}»' https://x
curl --cookie "auth=«{W40}»" https://x
curl "https://api.example.com/v1?api_key=«{W32}»&q=1"
curl -sL https://oauth2:«{W26}»@gitlab.example.com/a.git
http --session=x -a admin:«{pw}» :8080/admin
wget --header="Authorization: Bearer «{W40}»" https://x/y
ftp -n host <<E¶user bob «{pw}»¶E
lftp -e 'mirror' -u bob,'«{pw}»' sftp://host
7z x -p"«{pw}»" secrets.7z
7za a -tzip -p«{pw}» -mem=AES256 out.zip dir
zip --password «{pw}» -r out.zip dir
unzip -P'«{pw}»' in.zip
gpg --batch --pinentry-mode loopback --passphrase "«{pw}»" -d f.gpg
echo "«{pw}»" | gpg --passphrase-fd 0 --symmetric f
openssl enc -aes-256-cbc -pbkdf2 -k "«{pw}»" -in x -out y
openssl enc -d -aes256 -pass "pass:«{pw}»" -in y
openssl req -new -key k.pem -passin pass:«{pw}»
keytool -importkeystore -srckeystore a.p12 -srcstorepass «{pw}» -destkeystore b.jks -deststorepass x
ansible all -m ping -e ansible_ssh_pass=«{pw}»
ansible-playbook p.yml --extra-vars "ansible_become_password='«{pw}»'"
smbclient '\\nas\share' -U bob%'«{pw}»'
mount -t cifs -o user=bob,pass=«{pw}» //nas/x /mnt
net use \\server\share /user:bob «{pw}»
runas /user:bob /savecred "cmd /k set PASS=«{pw}»"
cmdkey /add:server /user:bob /pass:«{pw}»
sqlcmd -S tcp:db,1433 -U sa -P '«{pw}»'
ldapsearch -H ldap://h -D cn=admin -w '«{pw}»' -b dc=x
rabbitmqctl add_user bob «{pw}»
influx setup --username bob --password «{pw}» --org o
psql -c "ALTER ROLE app PASSWORD '«{pw}»'"
mysql -e "CREATE USER 'app'@'%' IDENTIFIED BY '«{pw}»'"
mysql -e "SET PASSWORD FOR 'root'@'localhost' = '«{pw}»'"
nmcli device wifi connect Office password "«{pw}»"
npm config set //npm.example.com/:_authToken=«{W36}»
npm publish --//npm.example.com/:_authToken=«{W36}»
yarn npm login <<< «{W36}»
poetry publish -u bob -p «{pw}»
twine upload -u bob -p '«{pw}»' dist/*
cargo publish --token «{W36}»
docker build --build-arg GITHUB_PAT=«{W40}» -t x .
git remote set-url origin https://bob:«{W40}»@github.example.com/a/b
git push https://x-access-token:«{W40}»@github.example.com/a/b main
export KUBECONFIG_PASS='«{pw}»'
export OPENAI_KEY=«{W40}»
set -gx API_TOKEN «{W28}»
setenv DB_PASSWORD «{pw}»
+ echo '«{pw}»'¶+ sudo -S id
+ docker login -u bob -p '«{pw}»' r.example.com
++ PGPASSWORD='«{pw}»'
twiceshy note "the db pass is «{pw}»"
vercel env add STRIPE production <<< "«{W40}»"
terraform login <<< «{W40}»
TF_VAR_password='«{pw}»' terraform apply
pulumi config set dbPassword «{pw}» --secret
op item edit db password=«{pw}»
bw login bob@example.com «{pw}»
docker secret create db_pass - <<< «{pw}»
printf '«{pw}»' | docker secret create db_pass -
printf "%s" "«{W24}»" | gh secret set X
rclone obscure «{pw}»
restic -r /r --insecure-no-password; RESTIC_PASSWORD='«{pw}»' restic backup
borg create; BORG_PASSPHRASE='«{pw}»' borg list
"""

CODE_AND_CONFIG = r"""
define( 'DB_PASSWORD', '«{pw}»' );
define('SECURE_AUTH_SALT', '«{S50}»');
$db = new mysqli('localhost', 'root', '«{pw}»', 'shop');
$password = '«{pw}»';
$config['smtp_pass'] = '«{pw}»';
'DB_PASS' => '«{pw}»',
DB_PASSWORD="«{pw}»" # local
MAIL_PASSWORD=«{pw}»
REDIS_PASSWORD=«{pw}»
JWT_SECRET_KEY=«{W32}»
SECRET_KEY_BASE: "«{H64}»"
ENV MYSQL_ROOT_PASSWORD «{pw}»
ENV MYSQL_ROOT_PASSWORD="«{pw}»" \
ARG SSH_KEY_PASS=«{pw}»
environment:¶  - POSTGRES_PASSWORD=«{pw}»
environment:¶  POSTGRES_PASSWORD: «{pw}»
smtp:¶  host: mail¶  user: bob¶  pass: "«{pw}»"
stringData:¶  password: «{pw}»
kind: Secret¶metadata:¶  name: db¶data:¶  password: «{W20}==»
- name: ADMIN_TOKEN¶  value: '«{W32}»'
password: '«{pw}»'  # rotate
db_password = "«{pw}»"
[mysql]¶password = «{pw}»
[default]¶aws_access_key_id = AKIA{T16}¶aws_secret_access_key = «{P40}»
spring.mail.password=«{pw}»
jdbc.password=«{pw}»
keystore.password = «{pw}»
<password><![CDATA[«{pw}»]]></password>
<add name="Db" connectionString="Data Source=db;User ID=sa;Password=«{pw}»" />
<entry key="password" value="«{pw}»" />
<string name="api_key">«{W32}»</string>
<key>Password</key>¶<string>«{pw}»</string>
"ConnectionStrings": {"Default": "Host=db;Username=app;Password=«{pw}»"}
{"user":"bob","pwd":"«{pw}»"}
{"username": "bob", "password": "«{pw}»", "remember": true}
{"headers": {"x-api-key": "«{W32}»"}}
{"env": {"GITHUB_TOKEN": "«{W40}»"}}
{"mcpServers":{"db":{"command":"x","args":["--password","«{pw}»"]}}}
{"key":"ADMIN_PASSWORD","value":"«{pw}»"}
[{"name":"API_TOKEN","value":"«{W28}»"}]
private String dbPassword = "«{pw}»";
public const string ApiKey = "«{W32}»";
final password = '«{pw}»';
static const char* kPassword = "«{pw}»";
const char *ssid = "home", *pass = "«{pw}»";
#define AIO_KEY "«{H32}»"
var password string = "«{pw}»"
cfg := mysql.Config{User: "root", Passwd: "«{pw}»"}
client := redis.NewClient(&redis.Options{Password: "«{pw}»"})
db, err := sql.Open("mysql", "root:«{pw}»@tcp(127.0.0.1:3306)/shop")
let pass = "«{pw}»".to_string();
.password("«{pw}»")
.with_basic_auth("bob", "«{pw}»")
let secret = b"«{W32}»";
const password = "«{pw}»";
const client = new Client({ user: "bob", password: "«{pw}»" });
await page.fill('#password', '«{pw}»');
cy.get('input[name=password]').type('«{pw}»')
app.use(session({ secret: '«{W24}»' }));
jwt.sign({ id }, "«{W32}»", { expiresIn: '1h' })
mongoose.connect('mongodb://root:«{pw}»@localhost/shop')
password = "«{pw}»"
PASSWORD: Final = "«{pw}»"
conn = psycopg2.connect(host="db", user="bob", password="«{pw}»")
engine = create_engine("postgresql://bob:«{pw}»@db/shop")
server.login("bob@example.com", "«{pw}»")
session.auth = ("bob", "«{pw}»")
requests.get(url, headers={"Authorization": "Bearer «{W40}»"})
openai.api_key = "«{W40}»"
SECRET_KEY = "«{S50}»"
driver.find_element(By.ID, "password").send_keys("«{pw}»")
password: "«{pw}»",
config.password = "«{pw}»"
Mail.defaults { password '«{pw}»' }
ActiveRecord::Base.establish_connection(password: '«{pw}»')
ENV['DB_PASSWORD'] ||= '«{pw}»'
val password = "«{pw}»"
password := '«{pw}»';
@Value("${db.password:«{pw}»}")
my $password = '«{pw}»';
set password "«{pw}»"
send "«{pw}»\r"
password = '''«{pw}»'''
Authorization: Digest username="bob", response="«{H32}»"
machine git.example.com¶  login bob¶  password «{pw}»
db.internal:5432:shop:app:«{pw}»
//npm.example.com/:_authToken=«{W36}»
_auth = «{W28}==»
[registry]¶token = "«{W36}»"
password_file_content=«{pw}»
"""

LOGS_AND_PROSE = r"""
INFO  [main] c.e.Db - connecting as app with password '«{pw}»'
WARN using default password: «{pw}»
[debug] env: DB_PASSWORD=«{pw}» PATH=/usr/bin
{"ts":1,"msg":"login","body":{"user":"bob","password":"«{pw}»"}}
panic: dial tcp: auth failed for bob:«{pw}»@db:5432
java.sql.SQLException: url=jdbc:mysql://db/shop?user=app&password=«{pw}»
127.0.0.1 - - "GET /login?user=bob&password=«{pw}» HTTP/1.1" 200
POST /oauth/token client_secret=«{W40}»&grant_type=x
< Set-Cookie: sessionid=«{L32}»; HttpOnly
> Authorization: Basic «{W28}==»
Password: «{pw}»
root password: «{pw}»
Your temporary password is: «{pw}»
New password: «{pw}»
the admin password is now «{pw}», please rotate
I set the password to «{pw}» for now
you can log in with bob / «{pw}»
username: bob, password: «{pw}»
user=bob pw=«{pw}»
bob's password is «{pw}»
staging creds: bob:«{pw}»
password («{pw}») was rejected
password "«{pw}»" does not match
the passphrase is «{pw}»
api key = «{W32}»
here is the token: «{W40}»
Token is «{W36}»
la contraseña de la base es «{pw}»
tu nueva contraseña: «{pw}»
votre mot de passe est «{pw}»
le mot de passe de la base est «{pw}»
Dein Passwort ist «{pw}»
das Passwort für die Datenbank ist «{pw}»
a senha do banco é «{pw}»
la password del database è «{pw}»
het wachtwoord voor de database is «{pw}»
hasło do bazy to «{pw}»
пароль от базы данных: «{pw}»
пароль «{pw}» больше не подходит
пароль до бази: «{pw}»
veritabanı şifresi «{pw}»
şifreniz: «{pw}»
数据库密码：«{pw}»
密码改成了 «{pw}»
データベースのパスワードは「«{pw}»」です
데이터베이스 비밀번호는 «{pw}»입니다
mật khẩu cơ sở dữ liệu là «{pw}»
รหัสผ่านฐานข้อมูลคือ «{pw}»
डेटाबेस का पासवर्ड «{pw}» है
كلمة مرور قاعدة البيانات هي «{pw}»
kata sandi basis data: «{pw}»
DB_PW=«{pw}»¶connecting with {same}
password: «{pw}»¶¶retrying login as bob:{same}
try «{pw}» as password
PIN: 48«{D4}»
OTP code is «{D6}»
"""

UNNAMED = r"""
leak: {W3}8Q~«{W34}»
VAULT s.9K«{W20}»x7
hvs.CAES«{B90}»
key=da2-«{L26}»
mws amzn.mws.«{uuid}»
token EAACEdEose0cBA«{W120}»
glpat-«{B20}»
gho_«{W36}»
xoxp-{D12}-{D12}-{D12}-«{H32}»
sk_live_«{W24}»
whsec_«{W32}»
SG.{B22}.«{B43}»
npm_«{W36}»
pypi-AgEIcHlwaS5vcmc«{B120}»
dop_v1_«{H64}»
AIza«{B35}»
hf_«{W34}»
ATATT3xFf«{B170}»
sntrys_«{B120}»
rk_test_«{W24}»
shpat_«{H32}»
lin_api_«{W40}»
PMAK-{H24}-«{H34}»
dp.pt.«{W43}»
tskey-auth-{W12}-«{W32}»
NRAK-«{U27}»
figd_«{B40}»
r8_«{W37}»
gsk_«{W52}»
sq0csp-«{B43}»
"""

CLASSES = {
    "command lines": COMMAND_LINES,
    "code and configuration": CODE_AND_CONFIG,
    "logs and prose": LOGS_AND_PROSE,
    "formats without a name": UNNAMED,
}
fill_templates = secret_texts.fill_templates
list_readable_pieces = secret_texts.list_readable_pieces
