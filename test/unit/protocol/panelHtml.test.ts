import assert from "node:assert/strict";
import { panelHtml } from "../../../src/protocol/panelHtml.js";

const html = panelHtml({
  scriptUris: ["https://host/panel.js"],
  styleUris: ["https://host/panel.css"],
  codiconUri: "https://host/codicon.css",
  cspSource: "https://host",
  nonce: "abc",
  lang: 'en"><script>',
  surface: "editor",
});

describe("panelHtml", () => {
  it("allows this extension's scripts and styles and nothing inline", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
    assert.match(policy, /^default-src 'none'; script-src 'nonce-abc' https:\/\/host; /);
    assert.doesNotMatch(policy, /unsafe|\*/);
  });

  it("gives codicons the id that the elements look for, and escapes what it is given", () => {
    assert.match(html, /href="https:\/\/host\/codicon.css" id="vscode-codicon-stylesheet"/);
    assert.match(html, /<html lang="en&quot;&gt;&lt;script&gt;" data-surface="editor">/);
    assert.equal(html.match(/<script/g)?.length, 1);
  });
});
