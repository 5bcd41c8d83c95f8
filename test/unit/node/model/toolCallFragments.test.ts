import assert from "node:assert/strict";
import { ToolCallFragments, type ToolCallFragment } from "../../../../src/node/model/chatEvents.js";

const together = (...fragments: ToolCallFragment[]) => {
  const all = new ToolCallFragments();
  for (const fragment of fragments) all.add(fragment);
  return all.finish(new Set()).map((call) => `${call.id} ${call.name} ${call.arguments}`);
};

describe("ToolCallFragments", () => {
  it("tells calls apart that all have the same number", () => {
    assert.deepEqual(
      together(
        { index: 0, id: "call_first", function: { name: "a", arguments: "{}" } },
        { index: 0, id: "call_second", function: { name: "b", arguments: "{" } },
        { index: 0, function: { arguments: "}" } },
      ),
      ["call_first a {}", "call_second b {}"],
    );
  });

  it("tells calls apart that have no number", () => {
    assert.deepEqual(
      together(
        { id: "call_first", function: { name: "a", arguments: "{" } },
        { function: { arguments: "}" } },
        { id: "call_second", function: { name: "a", arguments: "{}" } },
      ),
      ["call_first a {}", "call_second a {}"],
    );
  });

  it("does not take a repeated id and name for another call", () => {
    const again = { index: 0, id: "call_first", function: { name: "a", arguments: "1" } };
    assert.deepEqual(together(again, again), ["call_first a 11"]);
    const unnumbered = { id: "call_first", function: { name: "a", arguments: "1" } };
    assert.deepEqual(together(unnumbered, unnumbered), ["call_first a 11"]);
  });

  it("finds the call of a fragment among very many without looking at each of them", () => {
    // Looked at one by one, these would be 80,000,000,000.
    const all = new ToolCallFragments();
    for (let index = 0; index < 400_000; index++) {
      all.add({ index, function: { name: "a", arguments: "{}" } });
    }
    all.add({ index: 7, function: { arguments: " " } });
    const calls = all.finish(new Set());
    assert.equal(calls.length, 400_000);
    assert.equal(calls[7]?.arguments, "{} ");
  });

  it("accepts arguments that came as an object", () => {
    assert.deepEqual(
      together({ index: 0, id: "call_first", function: { name: "a", arguments: { x: 1 } } }),
      ['call_first a {"x":1}'],
    );
  });
});
