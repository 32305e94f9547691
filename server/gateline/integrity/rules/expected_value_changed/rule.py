"""GTL605 expected-value-changed as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import shared, together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.expected_value_changed import CODE, files, self_updating, values
from gateline.integrity.tests import data_rows

RULE = Rule(
    CODE,
    "expected-value-changed",
    together(values.find, files.find, self_updating.find, shared(data_rows.find, CODE)),
)
