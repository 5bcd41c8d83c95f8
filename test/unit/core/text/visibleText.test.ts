import assert from "node:assert/strict";
import fc from "fast-check";
import { visibleLine, visibleText } from "../../../../src/core/text/visibleText.js";
import { executeCommand } from "../../../../src/core/tools/commands/executeCommand.js";
import { ToolWorld } from "../tools/toolWorld.js";

describe("visibleText", () => {
  it("names every character that could hide something or move its neighbours", () => {
    const hidden = [
      0x00, 0x08, 0x0d, 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1680, 0x17b4, 0x180b,
      0x180e, 0x2000, 0x200b, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x202f, 0x2060, 0x2066,
      0x2069, 0x2800, 0x3000, 0x3164, 0xd800, 0xe000, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9,
      0xfffe, 0x1d173, 0xe0001, 0xe0041, 0xe0100, 0xe01ef, 0x10ffff,
    ];
    for (const code of hidden) {
      const name = code.toString(16).toUpperCase().padStart(4, "0");
      assert.equal(visibleText(`a${String.fromCodePoint(code)}b`), `a⟨U+${name}⟩b`);
    }
    const plain = "ls -la\n\tgrep 'é ü 日本 العربية 😀' | sed s/a/b/";
    assert.equal(visibleText(plain), plain);
  });

  it("lets nothing be pushed out of sight", () => {
    assert.equal(visibleText(`ls${" ".repeat(900)}; rm x`), "ls⟨900 spaces⟩; rm x");
    assert.equal(visibleText(`ls${"\n".repeat(50)}rm x`), "ls\n⟨50 empty lines⟩\nrm x");
    assert.equal(visibleText(`ls${" \t\n".repeat(50)}rm x`), "ls\n⟨50 empty lines⟩\nrm x");
    const code = `${" ".repeat(60)}deep();\n\n\n\nnext();`;
    assert.equal(visibleText(code), code);
    const long = visibleLine("x".repeat(500));
    assert.equal(long.length, 80);
    assert.match(long, /…$/);
  });

  it("keeps everything that can be seen, in its order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const seen = text.replace(/[^\p{L}\p{N}]/gu, "");
        const shown = visibleText(text).replace(/⟨U\+[0-9A-F]+⟩/g, "");
        assert.equal(
          shown.replace(/[^\p{L}\p{N}]/gu, ""),
          seen.replace(/[\u115f\u1160\u3164\uffa0]/g, ""),
        );
      }),
    );
  });

  it("is of the very bytes that run, to their end", async () => {
    const line = fc.string({ unit: "binary", minLength: 1, maxLength: 40 }).map((t) => `x${t}x`);
    await fc.assert(
      fc.asyncProperty(line, async (command) => {
        if (command.includes("\0")) return;
        const world = new ToolWorld();
        const prepared = await world.prepare(executeCommand, { command });
        assert.ok(!("ok" in prepared) && prepared.action?.access === "command");
        assert.equal(prepared.action.preview.text, visibleText(command));
        await prepared.run({});
        assert.deepEqual(
          world.shell.requests.map((request) => request.command),
          [command],
        );
        assert.equal(prepared.action.command, command);
      }),
    );
    const world = new ToolWorld();
    const long = `echo ${"a".repeat(50_000)}; rm -rf x`;
    const action = await world.actionOf(executeCommand, { command: long });
    assert.equal(action.preview.text, long);
  });
});
