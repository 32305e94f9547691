import assert from "node:assert/strict";
import { test } from "node:test";
import { bundledCommand, bundledEnvironment, programCommand } from "../../src/server/command";

test("the bundled server is isolated", () => {
  assert.deepEqual(bundledCommand("/s/bin/python"), { command: "/s/bin/python", args: ["-I", "-m", "gateline", "server"] });
});

test("an installed server is started as an editor would", () => {
  assert.deepEqual(programCommand("/opt/gateline"), { command: "/opt/gateline", args: ["server"] });
});

test("nothing that points Python elsewhere is handed on", () => {
  const given = { PYTHONPATH: "/w", PYTHONHOME: "/w", PYTHONSTARTUP: "/w/x.py", HOME: "/home/me", VIRTUAL_ENV: "/w/.venv", GONE: undefined };
  assert.deepEqual(bundledEnvironment(given, []), { HOME: "/home/me", VIRTUAL_ENV: "/w/.venv" });
});

test("PATH loses the places of an untrusted workspace, and no others", () => {
  assert.deepEqual(bundledEnvironment({ PATH: ".:/w/bin:/usr/bin" }, ["/w"]), { PATH: "/usr/bin" });
  assert.deepEqual(bundledEnvironment({ PATH: ".:/w/bin:/usr/bin" }, []), { PATH: ".:/w/bin:/usr/bin" });
});
