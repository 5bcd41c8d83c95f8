import assert from "node:assert/strict";
import { movedLines } from "../../../../src/vscode/sourceControl/movedLines.js";

const edit = (start: [number, number], end: [number, number], text: string) => ({
  range: {
    start: { line: start[0], character: start[1] },
    end: { line: end[0], character: end[1] },
  },
  text,
});

describe("the lines of a finding in a document that is edited", () => {
  const lines = { from: 10, to: 12 };
  const cases: Readonly<Record<string, [ReturnType<typeof edit>, typeof lines | undefined]>> = {
    "stay when something below changes": [edit([13, 0], [20, 4], ""), lines],
    "stay when something above changes": [edit([3, 2], [3, 9], "other"), lines],
    "move down with a line that is put in above": [
      edit([9, 5], [9, 5], "\nx"),
      { from: 11, to: 13 },
    ],
    "move down with lines right before them": [
      edit([10, 0], [10, 0], "a\nb\n"),
      { from: 12, to: 14 },
    ],
    "move up when lines above are removed": [edit([8, 0], [10, 0], ""), { from: 8, to: 10 }],
    "are gone when one of them changes": [edit([11, 3], [11, 3], "x"), undefined],
    "are gone when they are joined with the line above": [edit([9, 4], [10, 0], ""), undefined],
    "are gone when all is replaced": [edit([0, 0], [50, 0], "new\n"), undefined],
    "are gone when one of them is removed": [edit([12, 0], [13, 0], ""), undefined],
  };
  for (const [name, [made, expected]] of Object.entries(cases)) {
    it(name, () => {
      assert.deepEqual(movedLines(lines, [made]), expected);
    });
  }

  it("move by the sum of all that is done at once", () => {
    const edits = [
      edit([15, 0], [15, 0], "x\n"),
      edit([5, 0], [6, 0], ""),
      edit([2, 0], [2, 0], "1\n2\n"),
    ];
    assert.deepEqual(movedLines(lines, edits), { from: 11, to: 13 });
  });
});
