// Writes what follows from the server's own schemas: the settings in package.json, and the types of the
// protocol, which are not committed: who needs them makes them with `--types`. `--check` writes nothing and
// fails when package.json is stale.
import { compile } from "json-schema-to-typescript";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { settings } from "./settings.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const schemas = `${root}/../schemas`;
const read = (path) => JSON.parse(readFileSync(path, "utf8"));

const HEAD = "// Generated from schemas/protocol by `npm run generate`; edit the server's models instead.\n";

/** The types of all messages, each type once. */
async function protocol() {
  const definitions = {};
  const messages = [];
  for (const file of readdirSync(`${schemas}/protocol`).sort()) {
    const { $defs = {}, $schema: _, ...message } = read(`${schemas}/protocol/${file}`);
    Object.assign(definitions, $defs, { [message.title]: message });
    messages.push(message.title);
  }
  const schema = {
    title: "Messages",
    description: "All of gateline's own messages.",
    type: "object",
    additionalProperties: false,
    required: messages,
    properties: Object.fromEntries(messages.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: untitled(definitions),
  };
  return compile(schema, "Messages", { bannerComment: HEAD, additionalProperties: false });
}

/** Without titles: each would become a type of its own, and types have their names from `$defs`. */
function untitled(value) {
  if (Array.isArray(value)) return value.map(untitled);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => key !== "title" || typeof inner !== "string");
  return Object.fromEntries(kept.map(([key, inner]) => [key, untitled(inner)]));
}

function manifest() {
  const current = readFileSync(`${root}/package.json`, "utf8");
  const wanted = JSON.parse(current);
  const properties = settings(read(`${schemas}/protocol/client.settings.json`));
  wanted.contributes.configuration.properties = properties;
  wanted.capabilities.untrustedWorkspaces.restrictedConfigurations = Object.keys(properties).filter((name) =>
    properties[name].scope.startsWith("machine"),
  );
  return `${JSON.stringify(wanted, null, 2)}\n`;
}

const mode = process.argv[2];
const wanted = {
  ...(mode === "--types" ? {} : { "package.json": manifest() }),
  ...(mode === "--check" ? {} : { "src/protocol.ts": await protocol() }),
};
const isStale = ([name, text]) => {
  try {
    return readFileSync(`${root}/${name}`, "utf8") !== text;
  } catch {
    return true;
  }
};
const stale = Object.entries(wanted).filter(isStale);
if (mode === "--check") {
  for (const [name] of stale) console.error(`${name} is stale: run \`npm run generate\``);
  process.exit(stale.length > 0 ? 1 : 0);
}
for (const [name, text] of stale) writeFileSync(`${root}/${name}`, text);
