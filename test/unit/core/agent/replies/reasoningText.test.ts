import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ReasoningText,
  withoutOpenThought,
} from "../../../../../src/core/agent/replies/reasoningText.js";

function shown(...pieces: readonly string[]): string {
  const reasoning = new ReasoningText();
  const text = pieces.map((piece) => reasoning.add(piece)).join("");
  return withoutOpenThought(text + reasoning.finish());
}

/** Returns the text in pieces of the lengths given. */
function split(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return [...pieces, text.slice(at)];
}

const lengths = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });

describe("ReasoningText", () => {
  const cases: [text: string, shown: string][] = [
    ["<think>Hm.</think>\n\nHello", "Hello"],
    ["\n<thinking>\nHm.\n</thinking>\nHello", "Hello"],
    ["<reasoning>a</reasoning><think>b</think> Hello\n", "Hello\n"],
    ["[THINK]Hm.[/THINK]Hello", "Hello"],
    ["<THINK>Hm.</THINK>Hello", "Hello"],
    ["<think></think>Hello", "Hello"],
    ["<think>never ends", ""],
    ["It is so.\n</think>\n\nHello", "Hello"],
    ["Hm.\n</thinking>\nHello", "Hello"],
  ];
  for (const [text, expected] of cases) {
    it(`takes the thoughts out of ${JSON.stringify(text)}, however it is cut`, () => {
      fc.assert(fc.property(lengths, (cuts) => shown(...split(text, cuts)) === expected));
    });
  }

  it("holds back no blanks without end, which thoughts might follow", () => {
    const reasoning = new ReasoningText();
    assert.equal(reasoning.add(" ".repeat(9_000)), "");
    assert.equal(reasoning.add(" ".repeat(2_000)), " ".repeat(11_000));
  });

  it("leaves every other text as it is, to the byte", () => {
    for (const text of [
      "",
      "  \n",
      "Use <think> and </think> for thoughts.",
      "The model writes `</think>`:\n\n```\n</think>\n```\nand goes on.",
      "<thinker>is a tag</thinker>",
      "<th",
      "< think>no</think>",
      "an end </think> within a line",
    ]) {
      assert.equal(shown(text), text);
    }
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), lengths, (text, cuts) => {
        fc.pre(!/think|thought|reasoning/i.test(text));
        return shown(...split(text, cuts)) === text;
      }),
    );
  });
});
