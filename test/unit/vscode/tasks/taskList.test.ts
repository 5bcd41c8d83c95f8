import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { TaskList } from "../../../../src/vscode/tasks/taskList.js";
import { replaced } from "../../../editor/replaced.js";
import { HastyClock } from "../../../fakes/hastyClock.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

const task = (number: number) => `ROO#TASK_20260102030405_AB12C${number}`;
const line = (number: number, goal: string) =>
  JSON.stringify({
    taskId: task(number),
    suggested_mode: "rooroo-developer",
    goal_for_expert: goal,
  });

describe("the list of tasks", () => {
  let stage: ExtensionStage;
  useExtensionStage({ folder: "empty" }, (opened) => {
    stage = opened;
  });
  /** The labels below a row, as the view has them, once there are so many. */
  const rowsBelow = (group: string, count: number): Promise<string[]> =>
    until(async () => {
      const rows = await stage.rows();
      const at = rows.findIndex(({ element }) => element === group);
      const [parent, ...rest] = at < 0 ? [] : rows.slice(at);
      const depth = parent?.depth ?? 0;
      const end = rest.findIndex((row) => row.depth <= depth);
      const below = end < 0 ? rest : rest.slice(0, end);
      const labels = below.flatMap((row) => (row.depth === depth + 1 ? [row.label] : []));
      return labels.length >= count && labels;
    }, `${count} rows in ${group}`);

  afterEach(async () => {
    await stage.command("workbench.action.closeAllEditors");
    await stage.remove(".rooroo/queue.jsonl");
    const { tasks } = stage.parts;
    await until(() => tasks.overview.problems.length === 0, "an empty queue");
  });

  it("fills from the files, and follows a hand edit of the queue", async () => {
    await stage.write(".rooroo/queue.jsonl", `${line(1, "First")}\n${line(2, "Second")}\n`);
    assert.deepEqual(await rowsBelow("group:queued", 2), ["First", "Second"]);

    await stage.write(".rooroo/queue.jsonl", `${line(2, "Second")}\n${line(3, "Third")}\n`);
    await until(async () => (await rowsBelow("group:queued", 2))[1] === "Third", "the edit");
    const { status } = stage.parts;
    await until(() => status.current.queued === 2, "the count of the status");
  });

  it("has what came with the folder as earlier work, whose files open by a click, and no other file does", async () => {
    const context = ".rooroo/tasks/ROO#TASK_20250101000000_AAAA/context.md";
    await stage.write(context, "# Look at the valve\n");
    await stage.write(".rooroo/queue.jsonl", `${line(1, "First")}\n`);
    assert.deepEqual(await rowsBelow("group:earlier", 1), ["Look at the valve"]);
    const opened = () => vscode.window.activeTextEditor?.document.uri.path ?? "";
    await stage.command("rooroo.openEarlierFile", ".rooroo/queue.jsonl");
    assert.equal(opened(), "");
    await stage.command("rooroo.openEarlierFile", context);
    await until(() => opened().endsWith(context), "the context file");
    await stage.remove(".rooroo/tasks/ROO#TASK_20250101000000_AAAA");
  });

  it("shows a long queue page by page, and the row for more leads to the first of the next page", async () => {
    const all = Array.from({ length: 250 }, (_, n) => n + 100);
    await stage.write(".rooroo/queue.jsonl", all.map((n) => `${line(n, `Goal ${n}`)}\n`).join(""));
    const first = await rowsBelow("group:queued", 101);
    assert.deepEqual(first.slice(-2), ["Goal 199", "Show 100 More"]);
    const { surfaces } = stage.parts;
    const more = surfaces.tree.getChildren("group:queued").at(-1) ?? "";
    const item = surfaces.tree.getTreeItem(more);
    await stage.command(item.command?.command ?? "", more);
    const next = await rowsBelow("group:queued", 201);
    assert.deepEqual(next.slice(-2), ["Goal 299", "Show 50 More"]);
    const chosen = () => surfaces.tree.row(surfaces.view.selected?.id)?.label;
    await until(() => chosen() === "Goal 200", "the first new row");
    await stage.command("rooroo.showMoreRows", "no such row");
    const last = surfaces.tree.getChildren("group:queued").at(-1) ?? "";
    await stage.command("rooroo.showMoreRows", last);
    assert.equal((await rowsBelow("group:queued", 250)).length, 250);
  });

  it("follows an edit that VS Code tells nothing of", async () => {
    const { workspace } = stage.parts;
    const log = vscode.window.createOutputChannel("Rooroo test", { log: true });
    const never = () => new vscode.Disposable(() => undefined);
    const deaf = { onDidCreate: never, onDidChange: never, onDidDelete: never, dispose: never };
    const list = new TaskList(workspace, log, new HastyClock());
    try {
      await replaced(
        vscode.workspace,
        "createFileSystemWatcher",
        () => deaf,
        async () => {
          const read = new Promise((resolve) => list.onDidChange(resolve));
          list.watch();
          await read;
        },
      );
      for (const goal of ["Unheard of", "Unheard of, too"]) {
        await stage.write(".rooroo/queue.jsonl", `${line(5, goal)}\n`);
        await until(() => list.overview.tasks[0]?.goal === goal, "the edit");
      }
    } finally {
      list.dispose();
      log.dispose();
    }
  });

  it("shows a line that cannot be used, keeps it, and opens it", async () => {
    const torn = `{"taskId":"${task(1)}","suggested_mode":"rooroo-devel`;
    const foreign = `{"taskId":"${task(2)}","suggested_mode":"barista","goal_for_expert":"Tea"}`;
    const text = `${line(3, "Good")}\n${foreign}\n${torn}`;
    await stage.write(".rooroo/queue.jsonl", text);
    const { surfaces } = stage.parts;
    const roots = await until(() => {
      // Where there are jobs or runs, tasks are a group beside theirs.
      const { tree } = surfaces;
      const rows = [...tree.getChildren(), ...tree.getChildren("list:tasks")];
      return rows.filter((id) => id.startsWith("problem:")).length === 2 && rows;
    }, "two problems");
    const first = roots.find((id) => id.startsWith("problem:"));
    const item = surfaces.tree.getTreeItem(first ?? "");
    assert.match(String(item.description), /barista/);

    const [lineNumber] = (item.command?.arguments ?? []) as number[];
    await stage.command(item.command?.command ?? "", lineNumber);
    const editor = await until(() => vscode.window.activeTextEditor, "an editor");
    assert.equal(editor.document.uri.fsPath, stage.path(".rooroo/queue.jsonl"));
    assert.equal(editor.selection.active.line, 1);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), text);
  });

  it("opens a task's context and report, by row and by id", async () => {
    const folder = `.rooroo/tasks/${task(4)}`;
    const record = { schema: 1, taskId: task(4), parentTaskId: null, planId: null };
    await stage.write(`${folder}/context.md`, "# Context\n");
    await stage.writeState(`${folder}/task.json`, {
      ...record,
      mode: "rooroo-analyzer",
      goal: "Look",
      createdAt: "",
    });
    await stage.writeState(`${folder}/report.json`, {
      status: "Done",
      message: "Seen.",
      output_artifact_paths: [],
      clarification_question: null,
      error_details: null,
    });
    // Files that come together with their folder can be missed; what is there already is not.
    await stage.write(".rooroo/queue.jsonl", "");
    await until(async () => (await rowsBelow("group:done", 1)).includes("Look"), "the task");
    await stage.command("rooroo.openContext", task(4));
    const path = stage.path(`${folder}/context.md`);
    await until(
      () => vscode.window.activeTextEditor?.document.uri.fsPath === path,
      "context.md in an editor",
    );
    // The conversation does not have this task, so that its row shows the report, too.
    for (const command of ["rooroo.openReport", "rooroo.showTask"]) {
      await stage.command("workbench.action.closeAllEditors");
      await stage.command(command, `task:done:done:${task(4)}`);
      await until(
        () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === "Report: Look",
        `the report by ${command}`,
      );
    }
    await stage.command("workbench.action.closeAllEditors");
    await stage.remove(folder);
  });

  it("shows apart what came with the folder, until a person adopts it", async () => {
    const folder = `.rooroo/tasks/${task(6)}`;
    const record = { schema: 1, taskId: task(6), parentTaskId: null, planId: null };
    await stage.write(
      `${folder}/task.json`,
      JSON.stringify({ ...record, mode: "rooroo-analyzer", goal: "Shipped", createdAt: "" }),
    );
    await stage.write(".rooroo/queue.jsonl", "");
    await until(
      async () => (await rowsBelow("group:foreign", 1)).includes("Shipped"),
      "the task from elsewhere",
    );
    await stage.command("rooroo.adoptTask", `task:foreign:foreign:${task(6)}`);
    await until(
      async () => (await rowsBelow("group:interrupted", 1)).includes("Shipped"),
      "the adopted task",
    );
    await stage.remove(folder);
  });

  it("puts queued tasks into another order, by command and by drop", async () => {
    const { surfaces } = stage.parts;
    const goals = ["A", "B", "C", "D"];
    await stage.write(
      ".rooroo/queue.jsonl",
      goals.map((goal, index) => `${line(index, goal)}\n`).join(""),
    );
    const rowOf = (goal: string) => `task:queued:queued:${task(goals.indexOf(goal))}`;
    const order = (wanted: string) =>
      until(
        async () => (await rowsBelow("group:queued", 4)).join("") === wanted,
        `the order ${wanted}`,
      );
    await order("ABCD");
    for (const [command, goal, wanted] of [
      ["runNext", "C", "CABD"],
      ["moveUp", "B", "CBAD"],
      ["moveDown", "B", "CABD"],
      ["moveDown", "B", "CADB"],
      ["moveDown", "B", "CADB"],
    ] as const) {
      await stage.command(`rooroo.${command}`, rowOf(goal));
      await order(wanted);
    }
    for (const [goal, target, wanted] of [
      ["B", rowOf("A"), "CBAD"],
      ["C", rowOf("A"), "BACD"],
      ["B", "group:queued", "ACDB"],
      ["A", undefined, "CDBA"],
    ] as const) {
      const data = new vscode.DataTransfer();
      surfaces.dragAndDrop.handleDrag([rowOf(goal)], data);
      await surfaces.dragAndDrop.handleDrop(target, data);
      await order(wanted);
    }
    const first = surfaces.tree.getTreeItem(rowOf("C")).contextValue ?? "";
    assert.doesNotMatch(first, /hasBefore/);
    assert.match(first, /hasBehind/);
  });

  it("shows a plan once, with all its tasks and what has become of them, and opens it", async () => {
    const time = "20260102030405_AB12CD";
    const planId = `ROO#PLAN_${time}`;
    const record = (taskId: string, mode: string, goal: string, plan: string | null) =>
      stage.writeState(`.rooroo/tasks/${taskId}/task.json`, {
        schema: 1,
        taskId,
        parentTaskId: null,
        planId: plan,
        mode,
        goal,
        createdAt: "",
      });
    const reported = (taskId: string, status: string) =>
      stage.writeState(`.rooroo/tasks/${taskId}/report.json`, {
        status,
        message: "Seen.",
        output_artifact_paths: [],
        clarification_question: null,
        error_details: null,
      });
    const part = (number: number) => `ROO#SUB_${time}_S00${number}`;
    await record(`ROO#TASK_${time}`, "rooroo-planner", "Count in cents", null);
    await reported(`ROO#TASK_${time}`, "Done");
    await stage.write(`.rooroo/plans/${planId}.md`, "# Count in cents\n");
    for (const number of [1, 2, 3]) {
      await record(part(number), "rooroo-developer", `Part ${number}`, planId);
    }
    await reported(part(1), "Done");
    const queued = (number: number) =>
      JSON.stringify({
        taskId: part(number),
        suggested_mode: "rooroo-developer",
        goal_for_expert: `Part ${number}`,
        plan_id: planId,
      });
    await stage.write(".rooroo/queue.jsonl", `${queued(3)}\n${queued(2)}\n`);
    const { surfaces } = stage.parts;
    const plan = `plan:queued:${planId}`;
    const all = (group: string) => rowsBelow(group, 4);
    await all(plan);
    const item = surfaces.tree.getTreeItem(plan);
    assert.equal(item.label, "Count in cents");
    assert.equal(item.description, "1/3");
    assert.match(item.accessibilityInformation?.label ?? "", /1 of 3 done, Queued$/);
    assert.deepEqual(await all(plan), ["Count in cents", "Part 1", "Part 3", "Part 2"]);
    await stage.command("rooroo.openPlan", plan);
    const path = stage.path(`.rooroo/plans/${planId}.md`);
    await until(
      () => vscode.window.activeTextEditor?.document.uri.fsPath === path,
      "the plan in an editor",
    );

    await reported(part(2), "Failed");
    await stage.write(".rooroo/queue.jsonl", `${queued(3)}\n`);
    assert.deepEqual(await all(`plan:interrupted:${planId}`), [
      "Count in cents",
      "Part 1",
      "Part 2",
      "Part 3",
    ]);
    assert.equal(surfaces.tree.getTreeItem("group:interrupted").description, "1");
    for (const folder of [`ROO#TASK_${time}`, part(1), part(2), part(3)]) {
      await stage.remove(`.rooroo/tasks/${folder}`);
    }
  });

  it("takes a task out of the queue", async () => {
    await stage.write(".rooroo/queue.jsonl", `${line(5, "Fifth")}\n${line(6, "Sixth")}\n`);
    await rowsBelow("group:queued", 2);
    await stage.command("rooroo.removeFromQueue", `task:queued:${task(5)}`);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), `${line(6, "Sixth")}\n`);
  });
});
