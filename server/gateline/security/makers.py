"""Tokens of known makers: each has a form that nothing else has, so what meets it is certainly a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

_FORMS = {
    "AWS Access Key": r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}",
    "GitHub Token": r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}",
    "GitLab Token": r"(?:gl(?:pat|dt|rt|ptt|ft|imt|agent|oas|soat|cbt|ffct)-|GR1348941)[A-Za-z0-9_-]{20,}",
    "Slack Token": r"xox[a-z](?:\.xox[a-z])?-(?:[0-9]+-)+[A-Za-z0-9]{8,}|"
    r"xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-z0-9]+"
    r"|(?<=hooks\.slack\.com/services/)T[A-Za-z0-9_]+/B[A-Za-z0-9_]+/[A-Za-z0-9_]{16,}",
    "Stripe Access Key": r"(?:sk|rk)_live_[0-9A-Za-z]{20,}|whsec_[0-9A-Za-z]{32,}",
    "OpenAI Token": r"sk-[A-Za-z0-9_-]*T3BlbkFJ[A-Za-z0-9_-]{20,}"
    r"|sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}|sk-[A-Za-z0-9]{48}",
    "Anthropic Token": r"sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{20,}",
    "PyPI Token": r"pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZ)[A-Za-z0-9_-]{16,}",
    "NPM tokens": r"npm_[A-Za-z0-9]{36}|"
    r"(?<=:_authToken=)[A-Fa-f0-9]{8}(?:-[A-Fa-f0-9]{4}){3}-[A-Fa-f0-9]{12}",
    "Google API Key": r"AIza[0-9A-Za-z_-]{35}",
    "Google OAuth Secret": r"GOCSPX-[A-Za-z0-9_-]{28}",
    "Azure Storage Account access key": r"(?<=AccountKey=)[A-Za-z0-9+/]{86}==",
    "Azure Client Secret": r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
    "Twilio API Key": r"SK[0-9a-f]{32}",
    "SendGrid API Key": r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
    "Mailchimp Access Key": r"[0-9a-f]{32}-us[0-9]{1,2}",
    "Discord Bot Token": r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
    "Telegram Bot Token": r"[0-9]{8,10}:AA[0-9A-Za-z_-]{33}",
    "Square OAuth Secret": r"sq0(?:atp-[A-Za-z0-9_-]{22}|csp-[A-Za-z0-9_-]{43})",
    "Hugging Face Token": r"hf_[A-Za-z]{34}",
    "DigitalOcean Token": r"do[opr]_v1_[a-f0-9]{64}",
    "Shopify Token": r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    "Databricks Token": r"dapi[a-f0-9]{32}(?:-[0-9])?",
    "Docker Token": r"dckr_pat_[A-Za-z0-9_-]{27}",
    "RubyGems Token": r"rubygems_[a-f0-9]{48}",
    "New Relic Key": r"NRAK-[A-Z0-9]{27}",
    "Grafana Token": r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}",
    "HashiCorp Vault Token": r"hv[sb]\.[A-Za-z0-9_-]{24,}",
    "Linear Key": r"lin_api_[A-Za-z0-9]{40}",
    "Notion Token": r"ntn_[A-Za-z0-9]{40,}",
    "Postman Key": r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
    "Atlassian Token": r"ATATT3[A-Za-z0-9_=-]{50,}",
    "Groq Key": r"gsk_[A-Za-z0-9]{52}",
    "Replicate Token": r"r8_[A-Za-z0-9]{37}",
    "Supabase Token": r"sbp_[a-f0-9]{40}",
    "age Secret Key": r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
}
"""By the kind, as detect-secrets names it where it knows it."""
_INSIDE = "[A-Za-z0-9_]"
_ANY = re.compile(
    rf"(?<!{_INSIDE})(?:"
    + "|".join(f"(?P<m{number}>{form})" for number, form in enumerate(_FORMS.values()))
    + rf")(?!{_INSIDE})"
)
_KINDS = MappingProxyType({f"m{number}": kind for number, kind in enumerate(_FORMS)})
_AWS_SECRET = re.compile(r"[A-Za-z0-9/+]{40}")
BEGINNINGS = re.compile(
    r"(?<![A-Za-z0-9])(?:A(?:KIA|SIA|BIA|CCA|3T)[A-Z0-9]|gh[pousr]_|github_pat_|gl[a-z]{2,6}-|GR1348941|xox[a-z]|xapp-|"
    r"[rs]k_live_|whsec_|sk-|pypi-|npm_|AIza|GOCSPX-|SK[0-9a-f]{8}|SG\.|[MNO][A-Za-z0-9_-]{23,25}\.|sq0|hf_|do[opr]_v1_|shp[a-z]{2}_|"
    r"dapi|dckr_pat_|rubygems_|NRAK-|glsa_|hv[sb]\.|lin_api_|ntn_|PMAK-|ATATT3|gsk_|r8_|sbp_|AGE-SECRET-KEY-1)"
    r"|AccountKey=|:_authToken=|hooks\.slack\.com|[0-9]Q~|:AA[0-9A-Za-z_-]|[0-9a-f]-us[0-9]"
)
"""How a token of a known maker begins, or what stands in it: on a line without, there is none."""


def tokens(line: str) -> Iterator[tuple[str, int, int]]:
    """The kind and the columns of each token of a known maker on a line."""
    if BEGINNINGS.search(line) is None:
        return
    for found in _ANY.finditer(line):
        yield _KINDS[found.lastgroup or ""], found.start(), found.end()


def is_aws_secret(value: str) -> bool:
    """Whether a value that a name says is the secret of an AWS key has the form of one."""
    mixed = (
        any(c.isupper() for c in value) and any(c.islower() for c in value) and any(map(str.isdigit, value))
    )
    return mixed and _AWS_SECRET.fullmatch(value) is not None
