"""What the standard asks of a SARIF log like ours; its own schema is 3,000 lines, and not ours to ship."""

from __future__ import annotations

REGION = {
    "type": "object",
    "required": ["startLine", "startColumn", "endLine", "endColumn"],
    "additionalProperties": {"type": "integer", "minimum": 1},
}
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri", "uriBaseId"],
                    "properties": {"uri": {"type": "string", "pattern": r"^[A-Za-z0-9/._~%-]+$"}},
                },
                "region": REGION,
            },
        }
    },
}
RESULT = {
    "type": "object",
    "required": [
        "ruleId",
        "ruleIndex",
        "level",
        "message",
        "locations",
        "partialFingerprints",
        "baselineState",
    ],
    "properties": {
        "level": {"enum": ["none", "note", "warning", "error"]},
        "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
        "message": {
            "type": "object",
            "required": ["text"],
            "properties": {"text": {"type": "string", "minLength": 1}},
        },
        "locations": {"type": "array", "minItems": 1, "items": LOCATION},
        "relatedLocations": {"type": "array", "items": LOCATION},
        "partialFingerprints": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"type": "string"},
        },
        "suppressions": {
            "type": "array",
            "items": {"required": ["kind"], "properties": {"kind": {"enum": ["inSource", "external"]}}},
        },
    },
}
RULE = {
    "type": "object",
    "required": ["id", "name", "shortDescription", "helpUri"],
    "properties": {"id": {"pattern": "^GTL[0-9]{3}$"}, "helpUri": {"pattern": "^https://"}},
}
SARIF = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results", "columnKind"],
                "properties": {
                    "tool": {
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "required": ["name", "semanticVersion", "informationUri", "rules"],
                                "properties": {
                                    "rules": {"type": "array", "items": RULE, "uniqueItems": True}
                                },
                            }
                        },
                    },
                    "results": {"type": "array", "items": RESULT},
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                },
            },
        },
    },
}
