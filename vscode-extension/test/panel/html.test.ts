import assert from "node:assert/strict";
import { test } from "node:test";
import { html, prose } from "../../src/panel/html";
import { page } from "../../src/panel/page";

test("what is put in is text, wherever it is put", () => {
  const hostile = `<img src=x onerror=alert(1)> & "double" 'single'`;
  const safe = "&lt;img src=x onerror=alert(1)&gt; &amp; &quot;double&quot; &#39;single&#39;";
  assert.equal(html`<p title="${hostile}">${hostile}</p>`.text, `<p title="${safe}">${safe}</p>`);
});

test("templates and lists of them are not escaped again", () => {
  const rows = ["<a>", "b"].map((name) => html`<li>${name}</li>`);
  assert.equal(html`<ul>${rows}</ul>`.text, "<ul><li>&lt;a&gt;</li><li>b</li></ul>");
});

test("what is not there leaves nothing behind, and zero is there", () => {
  assert.equal(html`[${null}${undefined}${false}${[]}${0}]`.text, "[0]");
});

test("text cannot turn around what stands beside it", () => {
  assert.equal(html`${"a\u202Eb\u2066c\u0000d\te"}`.text, "a\ufffdb\ufffdc\ufffdd\te");
});

test("names in backquotes stand in code, and stay text", () => {
  assert.equal(prose("`f<T>` is new, `g").text, "<code>f&lt;T&gt;</code> is new, `g");
});

test("the page runs one script, loads one style sheet, and nothing else", () => {
  const text = page({ origin: "https://own.example", script: "https://own.example/panel.js", style: "https://own.example/panel.css", nonce: "n0nce" });
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1]?.replaceAll("&#39;", "'");
  assert.equal(policy, "default-src 'none'; style-src https://own.example; script-src 'nonce-n0nce'; base-uri 'none'; form-action 'none'");
  assert.equal(text.match(/<script/g)?.length, 1);
  assert.match(text, /<script nonce="n0nce" src="https:\/\/own\.example\/panel\.js"><\/script>/);
});
