"""The other half of the labelled set: ordinary texts in which nothing may be replaced."""

from __future__ import annotations

CHAT = """
I live in Delhi and work at Acme since 2019.
I moved to Bangalore on 10 January 2026.
My favourite languages are Python, Go and C++.
I am allergic to peanuts; please remember that.
Call me on +91 98450 12345 after six.
My phone number is 555-867-5309.
The meeting is at 10:30 on 2026-03-14, room 4.
I used to live in Paris, from 2015 to 2017.
My order number is 4500012345678.
The tracking number is 1Z999AA10123456784.
My flight is LH760 on 3 May, seat 32K.
The password is required.
password: required
The token is invalid.
password is too short
Your password must be at least 8 characters long.
I forgot my password again.
Please reset my password before Monday.
The password is the same as last year.
I keep my secret to myself.
The secret is to add a little salt.
The secret: practise every day.
The key is under the mat.
The key to success is patience.
The key point is that the token count matters.
Bearer of bad news here.
He was the ring bearer at our wedding.
The basic idea is simple.
Basic authentication is enough for us.
My passport is in the drawer.
She passed the exam with 92 points.
Pass: 12/15, fail: 3/15.
Pass the ball to me.
We have 128 tokens left.
max tokens: 4096
The token limit is 128000.
My password manager is 1Password.
The password is base64-encoded before it is sent.
password hashing: argon2id with 64MB
The password is stored as SHA256.
password to 2FA is a big step
My card was declined yesterday.
The business card is on the table.
Draw a card from the deck of 52.
I have a credit of 250 euros.
I was born on 1988-07-23.
My wife's name is Mira; she likes tea.
The ISBN is 978-3-16-148410-0.
ISBN 9780306406157 is a good book.
My IBAN is DE89 3704 0044 0532 0130 00.
IBAN: GB29NWBK60161331926819
The invoice 2024000123456789 is paid.
It costs 1,234,567.89 dollars.
Version 3.11.7 is installed.
The room code is B-204.
I need 12characters at most.
password: 8 to 64 characters
Password: at least one digit
password: ********
password: xxxxxxxx
password = <your password>
password: N/A
password: none
token: none
the token is expired
The token was revoked on 2024-05-01.
the api key is missing
my api key is not working
API key: see the vault
api key is required for this endpoint
secret: see 1password
the client secret is optional
Our secret santa is on 2025-12-20.
I told her the secret is safe.
My email is bob.smith42@example.com.
password reset mail went to bob.smith42@example.com
I take 500mg twice a day.
The serial number is C02XG0FDJGH5.
The licence plate is KA05MH1234.
Case number 2023-CV-0098765.
The temperature was 23.5 degrees.
I ran 10.5 km in 52:13.
My shoe size is 42 and I am 1.80 m tall.
"""

LANGUAGES = """
Ich wohne seit 2019 in Berlin.
Das Passwort ist falsch.
Passwort vergessen?
Das Passwort lautet anders als früher.
Mein Passwort ist zu kurz.
Passwort: erforderlich
Meine Telefonnummer ist 030 1234567.
Die Karte ist im Schrank.
Eine Karte für 12 Euro, bitte.
Die Bestellnummer lautet 4500098765432.
Kennwort ändern
Ich habe am 12.03.2024 Geburtstag.
Vivo en Madrid desde 2015.
La contraseña es incorrecta.
contraseña: obligatoria
He olvidado mi contraseña.
La clave es la paciencia.
La clave del éxito es trabajar.
La tarjeta está en la mesa.
Mi teléfono es 612 345 678.
El pedido 4500011122233 llegó ayer.
Cumplo 40 años el 3 de mayo de 2026.
J'habite à Paris depuis 2012.
Le mot de passe est incorrect.
mot de passe oublié
La carte du restaurant est belle.
Mon numéro est le 06 12 34 56 78.
Moro em Lisboa desde 2018.
A senha é obrigatória.
A senha é muito curta.
我住在北京，1988年出生。
我的密码忘记了
密码错误，请重试
密码长度为8到16位
密码是必填项
密码还没有改。订单号是4500012345，请查收
请输入密码，至少8个字符
我的手机号是13800138000
订单号：202403150001234567
卡号不对
银行卡丢了，要补办
身份证号码请不要发给别人
快递单号 SF1234567890123
令牌已过期
密钥管理很重要
我的生日是1990年12月25日
会议在下午3点30分
パスワードを忘れました
パスワードは8文字以上です
カードをなくしました
電話番号は03-1234-5678です
私は2020年から東京に住んでいます
注文番号は45000123456です
비밀번호를 잊어버렸어요
비밀번호는 8자 이상이어야 합니다
카드를 잃어버렸어요
전화번호는 010-1234-5678입니다
Я живу в Москве с 2015 года.
Пароль неверный
пароль должен быть длиннее
Забыл пароль от почты
карта мира на стене
मैं दिल्ली में रहता हूँ
पासवर्ड भूल गया
मेरा फ़ोन नंबर 98450 12345 है
أعيش في القاهرة منذ 2010
Tôi sống ở Hà Nội từ năm 2018.
Mieszkam w Warszawie od 2016 roku.
שלום, אני גר בתל אביב
👨‍👩‍👧‍👦 family of four 👍🏽 since 2019
"""

CODE = """
password = getpass.getpass()
password = os.environ["DB_PASSWORD"]
password: str
password: str | None = None
def login(user: str, password: str) -> bool:
def read_token(self, key: str, *, password: str | None = None) -> dict[str, Any]:
secret = self._settings.get("client_secret") or os.environ["API_KEY"]
token = request.headers.get("X-Auth-Token")
token: Token = next(tokens)
tokens = tokenizer.encode(text, max_length=512)
api_key = settings.API_KEY
api_key=os.getenv("OPENAI_API_KEY")
apiKey: process.env.API_KEY_2
password: ${DB_PASSWORD}
password: {{ vault_db_password_1 }}
PASSWORD=$DB_PASSWORD_2
password = "%(password)s"
"password": "%s"
"password": {"type": "string", "minLength": 8}
"password": null,
password VARCHAR(255) NOT NULL
ALTER TABLE users ADD COLUMN password_hash CHAR(60);
if password != confirm_password2:
self.password = password
password = new_password1
return check_password(password, user.password_hash)
const secret = await getSecret("prod/db/password-2024");
secretName: prod-db-credentials-01
secretKeyRef: name=db-secret-v2
kubectl get secret my-app-secret-01 -o yaml
token_type: bearer
"token_type": "Bearer", "expires_in": 3600
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer YOUR_ACCESS_TOKEN
Authorization: Bearer ${ACCESS_TOKEN_1}
Authorization: Basic <credentials>
export OPENAI_API_KEY=sk-...
OPENAI_API_KEY="sk-your-key-here"
ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
STRIPE_KEY=sk_test_...
the prefix ghp_ marks a personal token
tokens that start with xoxb- belong to bots
<div class="sk-circle-fade-dot sk-cube-grid-animation-wrapper">
.sk-chasing-dot-before-the-animation-starts { color: red }
task-force-alpha-bravo-charlie-delta-2024
risk-assessment-for-the-third-quarter-2024
postgres://user:password@localhost:5432/db
postgres://localhost:5432/db
postgres://user@localhost/db
https://user:<password>@example.com
https://user:${PASSWORD}@example.com/
mysql://root:***@db/shop
http://localhost:8080/path?x=1&y=2#top
see http://example.com:80 and write to me@example.com
sip:alice@example.com
git@github.com:team/repo.git
ssh://git@github.com:22/team/repo.git
commit 9b74c9897bac770ffc029102a200c5de6b1d3a55
Merge branch 'feature/login' into main (3f2b8c1)
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
md5 d41d8cd98f00b204e9800998ecf8427e
id: 3f2504e0-4f89-11d3-9a0c-0305e82c3301
request_id=7c9e6679-7425-40de-944b-e07fc1f90ae7
etag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
trace 4bf92f3577b34da6a3ce929d0e0e4736 span 00f067aa0ba902b7
docker pull registry.example.com/app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
integrity="sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGfakekeyfakekeyfakekeyfakekeyfakekeyfa me@host
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
the file starts with -----BEGIN RSA PRIVATE KEY----- and a line of base64
-----BEGIN PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----
{"ts": 1760000000000, "token_count": 4096, "path": "/v1/messages"}
{"prompt_tokens": 1024, "completion_tokens": 256}
next_page_token: "CAUQAA1b2c3d4e5f6"
"nextPageToken": "CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA"
cache_key = "user:1234:profile:v2"
primary key: 550e8400-e29b-41d4-a716-446655440000
partition_key: 2024-05-01T10
foreign key (user_id) references users(id)
"public_key": "AbCdEf0123456789AbCdEf"
idempotency_key=5f2b8c1e5a4d4f609c7e2b1a
sort_key: created_at_2024
key: value1
key = "item-00012"
"key": "a1b2c3d4e5f6"
model: gpt-4o-mini-2024-07-18
token: gpt-4o-mini-2024-07-18
tokenizer: cl100k_base
secret: arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db
arn:aws:iam::123456789012:user/bob
us-east-1a, eu-west-2, ap-southeast-1
uuid.uuid4().hex[:12]
passwordField.setText("")
document.getElementById("password1").value
<input type="password" name="password" id="password_1" autocomplete="off">
for i in range(1000000): total += i
0x7fffffffffffffff and 0b101010
1.2.3.4:8080, 192.168.178.20, fe80::1ff:fe23:4567:890a
2024-05-01T10:15:30.123456Z INFO worker-12 token refreshed
passed=128 failed=0 skipped=3 in 12.34s
pass_rate: 0.9876
bypass=true
encompass: wide2024
compass: N45E120
pwd && ls -la
pwd=/usr/local/share/app1
AKIA is the prefix of access keys
aws configure set region us-east-1
eyJ is how a JWT starts
<a href="https://example.com/a/b/c-d-e_f?utm_source=newsletter-2024-05&id=12345">link</a>
s3://bucket-name/path/to/object-000123.parquet
npm_config_registry=https://registry.example.com/
hf_hub_download(repo_id="org/model-7b-instruct")
pypi-server is running on port 8080
SG.example.com is a host in Singapore
"""

NUMBERS = """
4111111111111111
order 4111111111111111 shipped
4111 1111 1111 1112 is my card
card 1234 5678 9012 3456
card number: 4111
visa application 2024-000123456
visa number 123456789012
my card ends in 1881
card 1234567890123456
the card has 5000000000000000 points
credit of 4000000000000000 units
order id 5105105105105100
transaction 378282246310005 done
timestamp 1760000000000
1760000000000123456
epoch_ms=1712345678901
+1 (415) 555-2671
0049 89 1234 5678 90
tel:+442079460958
account number 12345678, sort code 12-34-56
EAN 4006381333931
GTIN 05012345678900
IMEI 490154203237518
IMEI: 35-209900-176148-1
VIN 1HGCM82633A004352
tracking 9400 1000 0000 0000 0000 00
tracking: 9205 5000 0000 0000 0000 00
UPS 1Z 999 AA1 01 2345 6784
pi is 3.14159265358979323846
0.30000000000000004
6.02214076e23
2^64 = 18446744073709551616
factorial 2432902008176640000
population 1428627663
snowflake 175928847299117063
tweet 1212092628029698048
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
4 8 15 16 23 42
10 20 30 40 50 60 70 80 90 100
2024 2025 2026 2027
1111-2222-3333-4444
00000000000000000000
coordinates 52.520008, 13.404954
DOI 10.1000/xyz123456789
arXiv:2401.12345v2
RFC 9110, section 11.6.2
ticket ABC-12345678
SKU 0123-4567-8901
invoice RE-2024-00012345
membership 6011 0000 0000
passport C01X00T47
social 078-05-1120
postcode 560001
version 20240501123456
build 1234567890abcdef
hash 5f4dcc3b5aa765d61d8327deb882cf99
"""

FREER = """
can you remember that my password hint is my first dog
I changed the password yesterday
password rotation every 90days
passwords must include 1 uppercase letter and 2 digits
the password field accepts UTF-8
token usage: 12034 of 200000
token price: $0.0000025
The secret ingredient is cinnamon2
the secret is 42
my api key expires on 2026-01-31
API keys: 3 active
secret_version: 12
password_min_length=12
PASSWORD_RESET_TIMEOUT = 259200
passwordless login since v2.14.0
tokens_per_second: 45.6
auth token lifetime: 3600s
access token expires in 15minutes
the key is B minor
my car key is in room302
private key: ~/.ssh/id_ed25519
api_key: ${{ secrets.API_KEY_V2 }}
token: ${{ github.token }}
client_secret: file:///run/secrets/cs1
password: !vault |
password: !Ref DBPassword2
password: "{{ lookup('env','PW') }}"
String password = scanner.nextLine();
$password = $_POST['password1'];
$token = bin2hex(random_bytes(32));
password := os.Getenv("PW2")
let secret = env::var("SECRET_2")?;
var token = localStorage.getItem('token2');
password: faker.internet.password(12)
pass: "test"
token = tokens[0]
token == "EOF"
token.type == TokenType.STRING2
secret = base64.b64decode(data["secret"])
api_key=api_key2
key=lambda x: x[1]
Bearer authentication with OAuth2
Basic auth: see RFC7617
Authorization: required
Authorization: AWS4-HMAC-SHA256 Credential=...
basic: 3 users, pro: 10 users
card 12 of 52
credit card ending 4242
my card expires 12/2027
visa granted on 2024-05-05, reference 20240505123456
card game with 108 cards costs 1299
tarjeta de embarque 220-1234567890
Fahrkarte 1234567890123456
Karte 1: 52.5200 13.4050
银行卡尾号1881
信用卡账单日是25号
密码设置规则：6-20位
密码由字母和数字组成
密码等级为3
密码是空的
密码是数字和字母
口令红包 8.88
パスワードは英数字8文字
el secreto es 100% paciencia
clave de acceso enviada
clave primaria: id_usuario2
la clave: 3 huevos
das Passwort ist 8-stellig
Passwort-Manager2go
le mot de passe fait 12 caractères
пароль: от 8 символов
mon code postal est 75011
flight BA2490 seat 12A
the code is in src/auth/token_v2.py
see docs/api-key-rotation-2024.md
https://example.com/reset?token_type=email
http://user@host:8080/
http://10.0.0.1:3000/@me
time 10:15@noon
a://b:c d@e
image.png?X-Amz-Expires=3600
Discord server id 81384788765712384
twilio number +15017122661
sha1-abc: da39a3ee5e6b4b0d3255bfef95601890afd80709
"""


def negatives() -> list[str]:
    """Every text in which nothing may be replaced."""
    return [line for table in (CHAT, LANGUAGES, CODE, NUMBERS, FREER) for line in table.strip().splitlines()]
