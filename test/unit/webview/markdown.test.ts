import assert from "node:assert/strict";
import fc from "fast-check";
import { renderMarkdown, type RenderedMarkdown } from "../../../src/webview/markdown/markdown.js";
import { tries } from "../../fakes/tries.js";

const markdownBlocks = (text: string): readonly string[] => renderMarkdown(text).blocks;
const html = (text: string): string => markdownBlocks(text).join("");

describe("renderMarkdown", () => {
  it("makes a block of each part at the top", () => {
    assert.equal(markdownBlocks("One\n\n- a\n- b\n\n```js\nx\n```\n\n> q\n").length, 4);
  });

  it("leaves the blocks before the end as they are while a text grows", () => {
    const whole = "# A\n\nOne *two*\n\n1. a\n2. b\n\n```js\nlet a;\n\nlet b;\n```\n\nend";
    for (let length = 1; length < whole.length; length++) {
      const now = markdownBlocks(whole.slice(0, length));
      const next = markdownBlocks(whole.slice(0, length + 1));
      assert.deepEqual(now.slice(0, -2), next.slice(0, Math.max(0, now.length - 2)));
    }
  });

  it("renders a text that grows, piece by piece, as it renders the whole", () => {
    const piece = fc.constantFrom(
      ...["# A\n", "#", "## B\n", "\n===\n", "---", "- a\n", "-", "1. b\n", "2", ". c\n", "    "],
      ...["> q\n", "```js\n", "```\n", "\n", "\n\n", "|", "  "],
      "| x | y |\n",
      "| - | - |\n",
      "[a]",
      "[a]: b.ts\n",
      "word ",
      "**",
      "`",
      "\r\n",
      "* d\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let text = "";
        let rendered: RenderedMarkdown | undefined;
        for (const one of pieces) {
          text += one;
          rendered = renderMarkdown(text, rendered);
          assert.deepEqual(rendered.blocks, markdownBlocks(text));
        }
      }),
      { numRuns: tries(2_000) },
    );
  });

  it("renders only the end of a long text again when it grows", () => {
    const text = "# A\n\nOne\n\n".repeat(1_000);
    const before = renderMarkdown(text);
    assert.ok(before.settled.end > text.length - 20);
    const { blocks } = renderMarkdown(`${text}end`, before);
    assert.equal(blocks.length, 2_001);
    assert.equal(before.settled.count, 1_998);
  });

  it("treats raw HTML as text", () => {
    fc.assert(
      fc.property(fc.constantFrom("script", "img src=x onerror=y", "b", "style"), (tag) => {
        assert.doesNotMatch(html(`a <${tag}> b\n\n<${tag}>\n`), new RegExp(`<${tag}`));
      }),
    );
  });

  it("links to the web and to files, and to nothing else", () => {
    assert.match(html("[a](https://x.example)"), /href="https:\/\/x\.example"/);
    assert.match(html("[a](src/a.js:3)"), /href="src\/a\.js:3"/);
    for (const url of [
      "javascript:x",
      "command:x",
      "vscode://x",
      "data:text/html,x",
      "file:///x",
    ]) {
      assert.doesNotMatch(html(`[a](${url}) <${url}>`), /href/);
    }
  });

  it("shows an image as a link to it, so that nothing is fetched", () => {
    assert.equal(
      html('![a "pixel"](https://x.example/?d=1&e=2)'),
      '<p><a href="https://x.example/?d=1&amp;e=2">a &quot;pixel&quot;</a></p>\n',
    );
  });

  it("puts headings under the panel's own without leaving a level out", () => {
    assert.match(html("### A\n\n##### B\n"), /^<h3>A<\/h3>\n<h4>B<\/h4>/);
  });

  it("aligns columns without style attributes", () => {
    assert.match(html("| a |\n| --: |\n| 1 |\n"), /<td class="align-right">1/);
    assert.doesNotMatch(html("| a |\n| --: |\n| 1 |\n"), /style/);
  });
});
