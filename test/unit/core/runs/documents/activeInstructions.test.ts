import assert from "node:assert/strict";
import {
  activeInstructions,
  reinstatedInstructions,
  withdrawnInstructions,
} from "../../../../../src/core/runs/documents/activeInstructions.js";
import { runRow } from "../runRows.js";

const runs = [
  ["done", "COMPLETED"],
  ["failed", "FAILED"],
  ["open", "PENDING"],
  ["own", "PENDING"],
].map(([run_id = "", status]) => ({ ...runRow(status), run_id }));

const row = (id: string, run_id: string, type = "format", by = "") => ({
  instruction_id: id,
  run_id,
  instruction_type: type,
  content: id,
  status: by === "" ? "ACTIVE" : "SUPERSEDED",
  superseded_by_id: by,
  justification: "",
});
const held = (...rows: ReturnType<typeof row>[]) =>
  activeInstructions("own", rows, runs).map(({ instruction_id }) => instruction_id);

describe("the instructions that a run has to follow", () => {
  it("[R-MV-12] end with a run that failed or was cancelled, and with the run that they concern", () => {
    assert.deepEqual(
      held(
        row("I1", "done"),
        row("I2", "failed"),
        row("I3", "open"),
        row("I4", "done", "scope"),
        row("I5", "open", "Goal "),
        row("I6", "own", "scope"),
        row("I7", "by hand", "tone"),
      ),
      ["I1", "I3", "I6", "I7"],
    );
    // A run that failed and is tried again has its own.
    const again = activeInstructions("failed", [row("I2", "failed")], runs);
    assert.equal(again.length, 1);
  });

  it("[R-MV-12] hold again when what took their place has ended, unless something else has", () => {
    assert.deepEqual(held(row("I1", "done", "format", "I2"), row("I2", "done")), ["I2"]);
    assert.deepEqual(held(row("I1", "done", "format", "I2"), row("I2", "failed")), ["I1"]);
    assert.deepEqual(held(row("I1", "done", "format", "I2"), row("I2", "done", "scope")), ["I1"]);
    assert.deepEqual(
      held(
        row("I1", "done", "format", "I2"),
        row("I2", "failed", "format", "I3"),
        row("I3", "done"),
      ),
      ["I3"],
    );
    // What the table does not have, or has in a circle, ends nothing for good.
    assert.deepEqual(held(row("I1", "done", "format", "I9")), []);
    const circle = [row("I1", "failed", "format", "I2"), row("I2", "failed", "format", "I1")];
    assert.deepEqual(held(...circle), []);
    assert.deepEqual(
      held(row("I1", "done", "format", "I2"), row("I2", "failed", "format", "I1")),
      [],
    );
  });
});

describe("the table of instructions after a run has failed", () => {
  const edits = (...rows: ReturnType<typeof row>[]) =>
    withdrawnInstructions(rows, runs).map(
      (edit) =>
        edit.type === "set" &&
        `${edit.id} ${edit.values.status ?? ""} ${edit.values.superseded_by_id ?? ""}`.trim(),
    );

  it("[R-MV-12] says that the run's own hold no longer, and what they had replaced does again", () => {
    assert.deepEqual(
      edits(
        row("I1", "done", "format", "I2"),
        row("I2", "failed", "format", "I3"),
        row("I3", "failed"),
        row("I4", "done", "tone", "I5"),
        row("I5", "done"),
        row("I6", "open"),
        row("I7", "done", "tone", "I3"),
      ),
      ["I3 SUPERSEDED failed", "I7 ACTIVE", "I1 ACTIVE"],
    );
  });

  it("[R-MV-12] is not changed twice, nor where something else has taken the place", () => {
    assert.deepEqual(edits(row("I1", "done"), row("I2", "failed", "format", "failed")), []);
    assert.deepEqual(
      edits(
        row("I1", "done", "format", "I2"),
        row("I2", "failed", "format", "I3"),
        row("I3", "done"),
      ),
      [],
    );
  });

  it("[R-MV-12] says the same as before when the run goes on, except of what was replaced meanwhile", () => {
    const rows = [
      row("I1", "done"),
      row("I2", "done", "tone", "I9"),
      row("I3", "failed", "format", "failed"),
      row("I4", "failed", "tone", "I9"),
      row("I9", "done"),
      // Its own that holds is replaced by no other of its own.
      row("I10", "failed"),
    ];
    const supersedes = ["I1", "I2", "I10"];
    const proposed = { type: "format", content: " I3\n", supersedes, justification: "" };
    assert.deepEqual(
      reinstatedInstructions("failed", rows, [proposed]).map(
        (edit) => edit.type === "set" && [edit.id, edit.values],
      ),
      [
        ["I3", { status: "ACTIVE", superseded_by_id: "" }],
        ["I1", { status: "SUPERSEDED", superseded_by_id: "I3" }],
      ],
    );
  });
});
