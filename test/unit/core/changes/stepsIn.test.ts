import assert from "node:assert/strict";
import {
  type ChangeLine,
  type FileState,
  stepsIn,
} from "../../../../src/core/changes/changeLog.js";

const kept = (content: string): FileState => ({ kind: "kept", content });
const absent: FileState = { kind: "absent" };

type Given =
  | readonly [type: "before" | "after" | "baseline", state: FileState]
  | readonly ["settled", "kept" | "undone" | "unchanged"];

function linesOf(...given: readonly Given[]): ChangeLine[] {
  const line = { schema: 1, at: "2025-01-02T03:04:05.000Z", path: "a.txt" } as const;
  return given.map((one): ChangeLine =>
    one[0] === "settled"
      ? { ...line, type: one[0], how: one[1] }
      : { ...line, type: one[0], state: one[1] },
  );
}

/** Returns the steps as in `1>2 3>4`. */
function shown(lines: readonly ChangeLine[], which: "made" | "undone" = "made"): string {
  const name = (state: FileState) => (state.kind === "kept" ? state.content : state.kind);
  const steps = stepsIn(lines)[which].get("a.txt") ?? [];
  return steps.map(({ before, after }) => `${name(before)}>${name(after)}`).join(" ");
}

describe("the steps of a task's changes", () => {
  it("go from what was found to what was left last", () => {
    assert.equal(
      shown(linesOf(["before", absent], ["after", kept("1")], ["after", kept("2")])),
      "absent>2",
    );
  });

  it("leave out what others changed between two of them", () => {
    const lines = linesOf(
      ["before", kept("1")],
      ["after", kept("2")],
      ["before", kept("3")],
      ["after", kept("4")],
    );
    assert.equal(shown(lines), "1>2 3>4");
  });

  it("leave out a change that was not made", () => {
    assert.equal(shown(linesOf(["before", kept("1")])), "");
    assert.equal(
      shown(linesOf(["before", kept("1")], ["after", kept("2")], ["before", kept("3")])),
      "1>2",
    );
    assert.equal(shown(linesOf(["after", kept("2")])), "");
  });

  it("stay when a person keeps them, and move when a person undoes them", () => {
    const made: Given[] = [
      ["before", kept("1")],
      ["after", kept("2")],
    ];
    assert.equal(shown(linesOf(...made, ["settled", "kept"])), "1>2");
    assert.equal(shown(linesOf(...made, ["settled", "unchanged"])), "");
    const undone = linesOf(
      ...made,
      ["settled", "undone"],
      ["before", kept("1")],
      ["after", kept("5")],
    );
    assert.deepEqual([shown(undone), shown(undone, "undone")], ["1>5", "1>2"]);
    assert.equal(shown(linesOf(...made, ["baseline", kept("9")], ["after", kept("3")])), "1>3");
  });
});
