// The settings of VS Code: those that the server takes come from its schema, those that only this
// extension knows stand here. What names a program has a `machine` scope, and is restricted by that.

/** What VS Code needs beside the server's own words, by key of the server's schema. */
const SERVED = {
  interpreter: {
    scope: "machine-overridable",
    type: ["string", "array"],
    default: "",
    more: "Without it: the one chosen in the Python extension, else `.venv` in the folder, else `#python.defaultInterpreterPath#`.",
  },
  diagnostics: { scope: "window" },
  drawnElsewhere: {
    scope: "resource",
    type: ["array", "null"],
    default: null,
    more:
      "Without it, gateline looks at the installed extensions (Pylance, basedpyright, Pyright, mypy, ty, Pyrefly, Bandit, Ruff) " +
      "and at what they are told to check. An empty list draws everything.",
  },
};

/** Known to the server, but never a setting: VS Code's workspace trust decides, and what this extension does. */
const NOT_SETTINGS = ["trusted", "asksForReasons"];

const OWN = {
  "gateline.path": {
    scope: "machine-overridable",
    type: "array",
    items: { type: "string" },
    default: [],
    markdownDescription:
      "Paths of `gateline` programs; the first that exists is the server. `~` and `${workspaceFolder}` are understood. " +
      "Empty: see `#gateline.importStrategy#`.",
  },
  "gateline.importStrategy": {
    scope: "machine-overridable",
    type: "string",
    enum: ["useBundled", "fromEnvironment"],
    markdownEnumDescriptions: [
      "The server that comes with this extension.",
      "The `gateline` installed beside the project's interpreter; without one there, the bundled server.",
    ],
    default: "useBundled",
    markdownDescription: "Which server runs, when `#gateline.path#` names none.",
  },
  "gateline.serverInterpreter": {
    scope: "machine-overridable",
    type: "string",
    default: "",
    markdownDescription:
      "The Python (3.11 or newer) that runs the bundled server. Empty: `#gateline.interpreter#` when it is new enough, else the first `python3` on PATH that is.",
  },
  "gateline.coverageGutter": {
    scope: "resource",
    type: "boolean",
    default: false,
    markdownDescription:
      "Whether the gutter shows which changed lines tests execute: covered, only partly, not at all, or not measured since something changed.",
  },
  "gateline.trace.server": {
    scope: "window",
    type: "string",
    enum: ["off", "messages", "compact", "verbose"],
    default: "messages",
    markdownDescription:
      "What is written of the messages to and from the server, once the output channel *gateline* has the log level *Trace* (**Developer: Set Log Level...**).",
  },
};

/** The properties of `contributes.configuration`, in the order in which they are shown. */
export function settings(schema) {
  const served = Object.entries(schema.properties).filter(([key]) => !NOT_SETTINGS.includes(key));
  const unknown = served.filter(([key]) => !(key in SERVED)).map(([key]) => key);
  if (unknown.length > 0) {
    throw new Error(`the server takes ${unknown.join(", ")}: give it a scope in scripts/settings.mjs`);
  }
  return Object.fromEntries([
    ...served.map(([key, property]) => [`gateline.${key}`, setting(property, SERVED[key])]),
    ...Object.entries(OWN),
  ]);
}

function setting(property, { more, ...over }) {
  const { title: _, description, anyOf, ...rest } = property;
  const shape = anyOf ? merged(anyOf) : rest;
  const markdownDescription = [description, more].filter(Boolean).join(" ");
  return { ...shape, default: property.default, ...over, markdownDescription };
}

/** VS Code's settings editor knows lists of types, but no alternatives. */
function merged(alternatives) {
  const { enum: values, ...found } = Object.assign({}, ...alternatives);
  const type = alternatives.map((alternative) => alternative.type);
  const wanted = values && type.includes("null") ? [...values, null] : values;
  return { ...found, type, ...(wanted ? { enum: wanted } : {}) };
}
