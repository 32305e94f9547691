"""Which values are no secrets: told from their words, the words of their name, and where they stand."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-ÿ]+|[0-9]+")


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


SECRET = _set(
    "password passwd passphrase pass pwd passcode secret secrets token tokens key keys apikey api "
    "auth authorization authentication credential credentials cred creds bearer private access "
    "signing encryption master session cookie jwt oauth client"
)
"""What is in the name of a secret, or goes with it."""
_NAMES_SECRET = _set(
    "password passwd passphrase pass pwd passcode secret token apikey credential credentials creds bearer jwt"
)
"""What in a name says that its value is one."""
_KEYS_OF = _set("api access secret private auth signing encryption master account client service")
_ORDINARY = _set(
    "user username login name id ids field header headers env var variable help label text title "
    "type url uri path file prompt message public basic x my the a your default string str none null "
    "nil true false required optional boolean bool integer int number object any hidden masked empty "
    "undefined todo tbd na n value here admin root guest test tests testing postgres postgresql "
    "mysql mariadb redis rabbitmq mongo mongodb minio sa demo sample example dev local form input "
    "confirm confirmation reset forgot change new old current invalid wrong refresh csrf request "
    "response app application service account db database and or of to for with in on no not unset "
    "hash"
)
_DEFAULTS = _set(
    "postgres postgresql root admin guest user test mysql redis rabbitmq minio minioadmin sa "
    "password pass secret changeme example demo dev"
)
_HASH_WORDS = _set(
    "revision revisions revises rev sha sha1 sha224 sha256 sha384 sha512 md5 md checksum checksums "
    "digest digests etag integrity hash hashes hashed commit commits fingerprint uuid guid oid etags "
    "blake2b blake2s blake2 crc version versions migration tree blob snapshot cid"
)
_DESCRIBING = _set(
    "field fields header headers env var variable name names label labels help text title message "
    "messages hint prompt error errors placeholder description regex pattern format type kind param "
    "parameter arg column table policy prefix suffix scheme algorithm url uri path file filename dir "
    "id input widget element selector"
)
"""Names that end so hold what is said about a secret."""
_PLACEHOLDER = re.compile(
    r"change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|with|this)|your[-_ ]|example|dummy|placeholder|redacted|"
    r"sanitized|"
    r"not[-_ ]?a[-_ ]|fake|insert[-_ ]|todo|fixme|"
    r"(?P<same>[x*.0#-])(?P=same){5,}|^(?P<one>.)(?P=one)*$|^x{3,}|^<.*>$|<[a-z_ -]+>|^\$?\{.*\}$|\{\{.*\}\}|"
    r"\$\{|"
    r"^\$\(?[A-Za-z_]\w*\)?$|^\$\(|^%\(?\w*\)?s?$|^%[A-Za-z_]+%$|^\[.*\]$|^<%|"
    r"^(?:ENC\[|@Microsoft|vault:|op://|ref\+|arn:aws|!vault|process\.env|os\.environ|env:|keyring:|"
    r"secretsmanager)",
    re.IGNORECASE,
)
_PUBLIC = frozenset(
    {
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    }
)
"""Keys that their makers print in their manuals."""
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_HEADER = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)+")
_LABEL = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]+:?")
_PATH = re.compile(
    r"(?:~|\.{1,2})?/[\w./*{}$-]*|[a-z]+://[^\s:@]*|"
    r"[A-Za-z_]\w{0,30}(?:\.[A-Za-z_]\w{0,30})+(?:\(.*\))?"
)
_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:[-_.:/][a-z0-9]+)+")
_DIGEST = re.compile(
    r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})", re.IGNORECASE
)
_INTEGRITY = re.compile(
    r"(?:sha(?:1|224|256|384|512)|md5|blake2b)[-:=]|\$2[aby]\$|pbkdf2|\$argon2|data:\w+/", re.IGNORECASE
)
_ALPHABETS = ("abcdefghijklmnop", "ABCDEFGHIJKLMNOP")
_RUNS = ("abcdefgh", "0123456789", "ABCDEFGH", "qwertyui")
_RESERVED = re.compile(
    r"(?:localhost|127(?:\.\d+){1,3}|0\.0\.0\.0|\[?::1\]?|(?:[\w-]+\.)*example(?:\.(?:com|org|net|edu))?"
    r"|(?:[\w-]+\.)+(?:test|invalid|local|localhost|example)|host\.docker\.internal|host(?:name)?|your[\w.-]*)",
    re.IGNORECASE,
)
_STRONG = re.compile(r"(?=.*[A-Za-z])(?=.*[0-9])|[!@#$%^&*+=~?]")
_PLACES = frozenset(
    {
        "test",
        "tests",
        "testing",
        "example",
        "examples",
        "doc",
        "docs",
        "fixtures",
        "testdata",
        "samples",
        "demo",
    }
)
_DRAFTS = (".example", ".sample", ".template", ".dist", ".tmpl", ".tpl", ".j2", ".md", ".rst", ".adoc")
_LANGUAGES = frozenset({"locale", "locales", "i18n", "l10n", "translations", "lang", "langs", "messages"})


def words(text: str) -> list[str]:
    """The words of a name or a value, in small letters: `apiKey-2` is api, key, 2."""
    return [word.lower() for word in _WORD.findall(text)]


def names_secret(name: str) -> bool:
    """Whether a name says that its value is a secret."""
    found = words(name)
    if not _NAMES_SECRET.isdisjoint(found):
        return True
    return "key" in found and not _KEYS_OF.isdisjoint(found)


def names_hash(name: str) -> bool:
    """Whether a name says that its value is a hash or a revision."""
    found = [word for word in words(name) if not word.isdigit()]
    if not found or _HASH_WORDS.isdisjoint(found):
        return False
    return found[-1] in _HASH_WORDS or not names_secret(name)


def is_placeholder(value: str) -> bool:
    """Whether a value stands for a secret: `changeme`, `xxxxxx`, `<token>`, `${TOKEN}`."""
    return value in _PUBLIC or _PLACEHOLDER.search(value) is not None


def is_harmless(name: str, value: str) -> bool:
    """Whether a value that has no form of its own is plainly no secret, whoever looks at it."""
    if is_placeholder(value) or any(c.isspace() for c in value) or _UUID.fullmatch(value):
        return True
    if any(run in value for run in _ALPHABETS):
        return True
    said, own = words(value), {*words(name)}
    if set(said) <= own | SECRET | _ORDINARY:
        return True
    spoken = not (SECRET | _DESCRIBING).isdisjoint(said) or not _DESCRIBING.isdisjoint(own)
    if spoken and (_VARIABLE.fullmatch(value) or _HEADER.fullmatch(value)):
        return True
    if _LABEL.fullmatch(value) or _PATH.fullmatch(value) or names_hash(name):
        return True
    ends = words(name)[-1:]
    described = bool(ends) and ends[0] in _DESCRIBING
    return described and (not is_strong(value) or _IDENTIFIER.fullmatch(value) is not None)


def is_strong(value: str) -> bool:
    """Whether a value looks as if nobody says it: it has letters and digits, or signs, and is no name."""
    if _IDENTIFIER.fullmatch(value) and not (SECRET | _ORDINARY).isdisjoint(words(value)):
        return False
    return _STRONG.search(value) is not None and len(value) >= 6


def is_ordinary_random(name: str, value: str, before: str) -> bool:
    """Whether what looks random is a hash by its name or form, an alphabet, or data."""
    if names_hash(name) or _INTEGRITY.search(value) or _INTEGRITY.search(before[-24:]):
        return True
    if _DIGEST.fullmatch(value) and before.endswith("@"):
        return True
    return any(run in value for run in _RUNS)


def is_sample_login(user: str, password: str, host: str) -> bool:
    """Whether an address shows how one looks: a reserved host, or credentials that everybody knows."""
    known = {*words(user)} | _DEFAULTS | SECRET | _ORDINARY
    if is_placeholder(password) or is_placeholder(user):
        return True
    plain = set(words(password)) <= known or password == user
    return plain and (is_reserved(host) or "." not in host)


def is_reserved(host: str) -> bool:
    """Whether nobody can have a host: localhost, example.com and the like."""
    return _RESERVED.fullmatch(host) is not None


def is_harmless_place(path: str) -> bool:
    """Whether a file is for tests, examples or people: what is not certain there is advice."""
    parts = PurePosixPath(path)
    folders = {part.lower() for part in parts.parts[:-1]}
    name = parts.name.lower()
    return (
        not _PLACES.isdisjoint(folders)
        or name.startswith(("test_", "conftest"))
        or name.endswith(("_test.py", *_DRAFTS))
        or any(f"{draft}." in name for draft in _DRAFTS[:4])
    )


def is_translation(path: str) -> bool:
    """Whether a file holds the words of a language."""
    parts = PurePosixPath(path)
    return parts.suffix in (".po", ".pot") or not _LANGUAGES.isdisjoint(p.lower() for p in parts.parts[:-1])
