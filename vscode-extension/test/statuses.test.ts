import assert from "node:assert/strict";
import { test } from "node:test";
import type { StatusParams } from "../src/protocol";
import { Statuses } from "../src/statuses";

const status = (label: string, working = false) => ({ label, working }) as StatusParams;

test("each folder has its own; elsewhere the first is shown", () => {
  const statuses = new Statuses();
  assert.equal(statuses.of("a"), undefined);
  statuses.take("a", status("GL 1"));
  statuses.take("b", status("GL 2"));
  assert.equal(statuses.of("b")?.now.label, "GL 2");
  assert.equal(statuses.of("c")?.now.label, "GL 1");
  assert.equal(statuses.of(undefined)?.now.label, "GL 1");
});

test("work does not make the verdict before it forgotten", () => {
  const statuses = new Statuses();
  statuses.take("a", status("GL …", true));
  assert.equal(statuses.of("a")?.last, undefined);
  statuses.take("a", status("GL 86"));
  statuses.take("a", status("GL …", true));
  assert.deepEqual([statuses.of("a")?.now.label, statuses.of("a")?.last?.label], ["GL …", "GL 86"]);
});

test("a server that begins anew knows nothing", () => {
  const statuses = new Statuses();
  statuses.take("a", status("GL 1"));
  statuses.clear();
  assert.equal(statuses.of("a"), undefined);
});
