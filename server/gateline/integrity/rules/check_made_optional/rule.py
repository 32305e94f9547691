"""GTL634 check-made-optional as a rule: what looks for it."""

from __future__ import annotations

from gateline.integrity.finders import together
from gateline.integrity.rule import Rule
from gateline.integrity.rules.check_made_optional import CODE, merged_jobs, pipelines

RULE = Rule(CODE, "check-made-optional", together(pipelines.find, merged_jobs.find))
