import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../src/panel/model";
import type { StatusParams } from "../../src/protocol";
import { EVALUATION, FAILED } from "./example";

const status = (folder: string, over: Partial<StatusParams> = {}) => ({ folder, working: false, ...over }) as StatusParams;

test("before anything is known the server starts", () => {
  assert.equal(new Model().state.server.state, "starting");
});

test("work keeps what was known", () => {
  const model = new Model();
  model.take("a", "shop", status("a", { label: "GL 86" }));
  model.learn("a", EVALUATION, FAILED.history);
  model.take("a", "shop", status("a", { label: "GL …", working: true }));
  assert.deepEqual([model.state.working, model.state.status?.label], [true, "GL 86"]);
  assert.equal(model.state.evaluation, EVALUATION);
  model.take("a", "shop", status("a", { label: "GL 90" }));
  assert.deepEqual([model.state.working, model.state.status?.label], [false, "GL 90"]);
});

test("the wanted folder is shown as soon as it is known, and by the server's spelling asked for", () => {
  const model = new Model();
  model.choose("file:///b%20c");
  model.take("file:///a", "a", status("file:///a"));
  assert.equal(model.folder, "file:///a");
  model.take("file:///b%20c", "b c", status("file:///b c"));
  assert.deepEqual([model.folder, model.address], ["file:///b%20c", "file:///b c"]);
  assert.deepEqual(model.state.folders.map(({ name }) => name), ["a", "b c"]);
});

test("an answer about a folder that is gone is dropped", () => {
  const model = new Model();
  model.learn("a", EVALUATION, []);
  assert.equal(model.state.evaluation, null);
});

test("a server that ends leaves the last verdict; one that begins forgets it", () => {
  const model = new Model();
  model.take("a", "shop", status("a", { working: true }));
  model.learn("a", EVALUATION, []);
  model.fail("it ended");
  assert.deepEqual(model.state.server, { state: "stopped", message: "it ended" });
  assert.deepEqual([model.state.evaluation, model.state.working], [EVALUATION, false]);
  model.begin();
  assert.deepEqual([model.state.server.state, model.state.evaluation], ["starting", null]);
});
