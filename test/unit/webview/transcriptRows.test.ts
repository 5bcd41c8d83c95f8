import assert from "node:assert/strict";
import type { Item } from "../../../src/core/conversation/state/items.js";
import {
  groupFiles,
  groupSummary,
  type ToolItem,
} from "../../../src/webview/items/toolCallGroup.js";
import { turnSummary } from "../../../src/webview/transcript/foldedTurn.js";
import {
  transcriptRows,
  type TranscriptRow,
} from "../../../src/webview/transcript/transcriptRows.js";

const at = "2026-01-01T00:00:00.000Z";
const tool = (id: string, more: Partial<ToolItem> = {}): ToolItem => ({
  kind: "tool",
  id,
  at,
  taskId: "A",
  tool: "read_file",
  title: `src/${id}.js`,
  state: "ok",
  output: "",
  omitted: 0,
  ...more,
});
const text = (id: string, taskId = "A"): Item => ({
  kind: "text",
  id,
  at,
  taskId,
  text: id,
  streaming: false,
});
const task = (taskId: string): Item => ({
  kind: "task",
  id: `${taskId}#1`,
  at,
  taskId,
  mode: "m",
  goal: taskId,
  running: true,
});

function rows(items: readonly Item[], open: string[] = [], held: string[] = []): string[] {
  const all = transcriptRows(items, {
    isOpen: (id) => open.includes(id),
    staysVisible: (id) => held.includes(id),
  });
  return all.map(shown);
}

function shown(row: TranscriptRow): string {
  const task = row.task ? `${row.task.taskId}: ` : "";
  if ("steps" in row) return `${task}(${row.steps.map(({ id }) => id).join(" ")})`;
  if ("calls" in row) return `${task}[${row.calls.map(({ id }) => id).join(" ")}]`;
  return `${task}${row.isInGroup ? "> " : ""}${row.id}`;
}

const report = (taskId = "A", more: Partial<Extract<Item, { kind: "report" }>> = {}): Item => ({
  kind: "report",
  id: `${taskId}!1`,
  at: "2026-01-01T00:00:12.000Z",
  taskId,
  mode: "m",
  end: "Done",
  message: "Done.",
  artifacts: [],
  ...more,
});

describe("the steps of a turn that has ended", () => {
  const steps = [text("t"), tool("a"), tool("b", { state: "failed" }), text("u")];
  const turn = [task("A"), ...steps, report()];

  it("are one line, with the report below it", () => {
    assert.deepEqual(rows(turn), ["A#1", "(t a b u)", "A!1"]);
    assert.equal(
      turnSummary({ steps, durationMs: 12_000 }),
      "Worked for 12 s · 2 steps · 1 failed",
    );
  });

  it("stay as they are while it runs, waits for the user, or has called no tool", () => {
    assert.deepEqual(rows(turn.slice(0, -1)), ["A#1", "t", "a", "b", "u"]);
    const waits = [...turn.slice(0, -1), report("A", { end: "Waiting" })];
    assert.deepEqual(rows(waits), ["A#1", "t", "a", "b", "u", "A!1"]);
    assert.deepEqual(rows([task("A"), text("t"), report()]), ["A#1", "t", "A!1"]);
  });

  it("are shown below the line when it is opened, or while a person is in one of them", () => {
    const open = ["A#1", "(t a b u)", "t", "a", "b", "u", "A!1"];
    assert.deepEqual(rows(turn, ["turn t"]), open);
    assert.deepEqual(rows(turn, [], ["a"]), open);
  });

  it("belong to their own task where tasks run side by side", () => {
    const mixed = [
      task("A"),
      tool("a"),
      task("B"),
      text("x", "B"),
      tool("b"),
      text("y", "B"),
      report(),
    ];
    assert.deepEqual(rows(mixed), ["A#1", "(a b)", "B#1", "x", "y", "A: A!1"]);
  });
});

describe("transcriptRows", () => {
  const three = [tool("a"), tool("b"), tool("c")];

  it("makes one line of three reading calls or more, however many follow one another", () => {
    assert.deepEqual(rows([text("t"), ...three, tool("d"), text("u")]), ["t", "[a b c d]", "u"]);
    assert.deepEqual(rows(three.slice(1)), ["b", "c"]);
  });

  it("hides nothing that failed, runs, changed something or was asked about", () => {
    for (const more of [
      { state: "failed" },
      { state: "running" },
      { tool: "edit_file" },
    ] as const) {
      assert.deepEqual(rows([...three, tool("x", more), tool("d")]), ["[a b c]", "x", "d"]);
    }
  });

  it("opens, and stays as it is while a person is in it", () => {
    assert.deepEqual(rows(three, ["group a"]), ["[a b c]", "> a", "> b", "> c"]);
    assert.deepEqual(rows(three, [], ["b"]), ["a", "b", "c"]);
    assert.deepEqual(rows(three, ["group a"], ["b"]), ["[a b c]", "> a", "> b", "> c"]);
  });

  it("says whose turn it is where tasks run side by side", () => {
    const other = three.map((one) => ({ ...one, id: `B${one.id}`, taskId: "B" }));
    assert.deepEqual(
      rows([task("A"), text("a1"), task("B"), text("a2"), text("a3"), ...other, ...three]),
      ["A#1", "a1", "B#1", "A: a2", "a3", "B: [Ba Bb Bc]", "A: [a b c]"],
    );
  });

  it("sums a group of calls up in few words", () => {
    const list = tool("l", { tool: "list_files", title: "src" });
    const search = (id: string) => tool(id, { tool: "search_files", title: "x in src" });
    assert.equal(groupSummary(three), "Read 3 files");
    assert.equal(
      groupSummary([
        ...three,
        tool("p", { title: "src/a.js:1-40" }),
        list,
        search("1"),
        search("2"),
      ]),
      "Read 3 files, 1 folder, 2 searches",
    );
    assert.equal(
      groupFiles([list, ...three, tool("p", { title: "src/a.js:7-" })]),
      "a.js, b.js, c.js",
    );
  });
});
