import assert from "node:assert/strict";
import fc from "fast-check";
import { Page } from "../../../src/cli/terminal/page.js";
import { terminalJsonParts } from "../../../src/cli/terminal/printJson.js";
import { Terminal } from "../../../src/cli/terminal/terminal.js";
import {
  terminalJson,
  terminalLine,
  terminalText,
} from "../../../src/cli/terminal/terminalText.js";

const hiding = "a\u200Bb\u{E0068}\u{E0069} \u001B]0;title\u0007\u202Ec\uFEFF\u009B2J";
const shown = "a⟨U+200B⟩b⟨U+E0068⟩⟨U+E0069⟩ ␛]0;title␇⟨U+202E⟩c⟨U+FEFF⟩⟨U+009B⟩2J";
const writing = "👨‍👩‍👧 می‌خواهم ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 क्‍ष\r\nfine\n";

describe("what a terminal is given of models, files and servers", () => {
  it("has nothing that hides or moves the cursor", () => {
    assert.equal(terminalText(hiding), shown);
    assert.equal(terminalLine(hiding, 200), shown);
    assert.equal(terminalText(writing), writing.replace("\r", ""));
  });

  it("writes JSON in parts as it does at once, and long lists in many", () => {
    const item = fc.anything({
      values: [fc.string({ unit: "grapheme" }), fc.double(), fc.constant(null)],
    });
    const value = fc.oneof(item, fc.dictionary(fc.string(), fc.oneof(item, fc.array(item))));
    fc.assert(
      fc.property(value, (given) => {
        fc.pre(given !== undefined);
        assert.equal([...terminalJsonParts(given)].join(""), `${terminalJson(given, 2)}\n`);
      }),
      { seed: 1 },
    );
    const long = { problems: Array.from({ length: 100 }, () => "x".repeat(100_000)) };
    const parts = [...terminalJsonParts(long)];
    assert.ok(Math.max(...parts.map(({ length }) => length)) < 1_000_000);
    assert.equal(parts.join(""), `${terminalJson(long, 2)}\n`);
  });

  it("is JSON that has nothing of the kind, and says the same", () => {
    const json = terminalJson({ hiding, writing });
    assert.deepEqual(JSON.parse(json), { hiding, writing });
    assert.ok(!/[\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(json), json);
  });

  it("is the same however a message is cut into pieces", () => {
    for (const [text, whole] of [
      [hiding, shown],
      [writing, terminalText(writing)],
      [`x${"\u200B".repeat(200)}y`, `x${"⟨U+200B⟩".repeat(200)}y`],
    ] as const) {
      for (const size of [1, 2, 3, 5, 8]) {
        let printed = "";
        const terminal: Partial<Terminal> = {
          print: (one) => (printed += one),
          canOverwrite: false,
        };
        const page = new Page(terminal as Terminal);
        for (let at = 0; at < text.length; at += size) page.stream("m", text.slice(at, at + size));
        page.settle();
        assert.equal(printed.replace(/\n$/, ""), whole.replace(/\n$/, ""), `${size}`);
      }
    }
  });

  it("is made safe by the terminal itself, whoever prints it, apart from looks of ours", () => {
    const printed: string[] = [];
    const stream = {
      isTTY: true,
      on: () => undefined,
      write: (text: string) => printed.push(text),
    };
    const terminal = new Terminal(stream as never, stream as never, {}, {});
    terminal.print(`${terminal.style.red(hiding)}\r\u001b[K${writing}`);
    terminal.printError(hiding);
    const looks = `\u001b[31m${shown}\u001b[39m\r\u001b[K${terminalText(writing)}`;
    assert.deepEqual(printed, [looks, shown]);
    terminal.print(terminalText(hiding));
    assert.equal(printed.at(-1), shown, "what is safe stays as it is");
  });

  it("comes at once where nothing that follows can change it", () => {
    let printed = "";
    const terminal: Partial<Terminal> = { print: (one) => (printed += one), canOverwrite: false };
    const page = new Page(terminal as Terminal);
    page.stream("m", "one word");
    assert.equal(printed, "one word");
  });
});
