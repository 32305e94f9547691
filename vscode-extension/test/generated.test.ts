import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { command: string; title: string }[];
    readonly configuration: { readonly properties: Record<string, Property> };
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
}
interface Property {
  readonly scope?: string;
  readonly markdownDescription?: string;
  readonly default?: unknown;
  readonly type?: unknown;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const properties = Object.entries(manifest.contributes.configuration.properties);

test("what is generated from the server's schemas is fresh", () => {
  const done = spawnSync(process.execPath, ["scripts/generate.mjs", "--check"], { encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
});

for (const [name, property] of properties) {
  test(`${name} has a type, a scope, a default and a description`, () => {
    assert.ok(property.type && property.scope && property.markdownDescription, JSON.stringify(property));
    assert.ok("default" in property);
  });
}

test("what names a program is ignored in a workspace that is not trusted", () => {
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  const programs = ["gateline.interpreter", "gateline.path", "gateline.importStrategy", "gateline.serverInterpreter"];
  assert.deepEqual([...restricted].sort(), [...programs].sort());
});

test("no lock file names another place than the public registry", () => {
  assert.doesNotMatch(readFileSync("package-lock.json", "utf8"), /"resolved": "(?!https:\/\/registry\.npmjs\.org\/)/);
});
