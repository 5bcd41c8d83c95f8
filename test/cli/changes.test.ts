import assert from "node:assert/strict";
import { chmod, stat } from "node:fs/promises";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plans, plays, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const files = { "src/add.js": "return a - b;\n", "run.sh": "#!/bin/sh\n", "notes.txt": "one\n" };

/** A patch of two files, in the form that some models write unasked. */
const patch = `*** Begin Patch
*** Update File: src/add.js
@@
-return a - b;
+return a + b;
*** Add File: docs/new.md
+# New
*** End Patch`;

/** Mends a sum and writes two more files. */
const works = plays(
  { route: "direct", expert: "rooroo-developer", goal: "Mend the sum" },
  {
    "rooroo-developer": (request) =>
      [
        calls("apply_diff", { path: "src/add.js", diff: patch }),
        calls("read_file", { path: "notes.txt" }),
        calls("write_to_file", { path: "notes.txt", content: "two\n" }),
        calls("edit_file", { path: "run.sh", old_text: "/bin/sh", new_text: "/bin/bash" }),
      ][settled(request)] ?? completes(),
  },
);

describe("rooroo changes and undo", () => {
  afterEach(closeStages);

  it("leaves a trace of what was undone, for the conversation and the lists", async () => {
    const stage = await Stage.open(works, files);
    assert.equal((await stage.runAll("ask", "Mend the sum")).code, 0);
    const [task] = await stage.tasks();
    assert.ok(task);
    assert.equal((await stage.run("undo", task.taskId)).code, 0);
    const [name = ""] = (await stage.list(".rooroo/conversations")).filter((one) =>
      one.endsWith(".jsonl"),
    );
    const [line] = (await stage.read(`.rooroo/conversations/${name}`))
      .split("\n")
      .filter((one) => one.includes("changesUndone"));
    const { taskId, files: count, left } = JSON.parse(line ?? "{}") as Record<string, unknown>;
    assert.deepEqual([taskId, count, left], [task.taskId, 4, []]);
    const path = `.rooroo/tasks/${task.taskId}/undone.json`;
    assert.match(await stage.read(path), /"left": \[\]/);
  });

  it("names a file on one line, whatever its name has in it", async () => {
    const path = "a\n✓ src/b.js";
    const play = [calls("write_to_file", { path, content: "one\n" })];
    const writes = plays(
      { route: "direct", expert: "rooroo-developer", goal: "Write it" },
      { "rooroo-developer": (request) => play[settled(request)] ?? completes() },
    );
    const stage = await Stage.open(writes, {});
    assert.equal((await stage.runAll("ask", "Write it")).code, 0);
    const [task] = await stage.tasks();
    const shown = await stage.run("changes", task!.taskId);
    assert.match(shown.stdout, /a ⏎ ✓ src\/b\.js {2}added\n/);
    const undone = await stage.run("undo", task!.taskId);
    for (const { stdout } of [shown, undone]) assert.doesNotMatch(stdout, /^✓ src\/b/m);
  });

  it("restores files and conversation to before a message, and undoes that", async () => {
    const stage = await Stage.open(works, files);
    assert.equal((await stage.runAll("ask", "Mend the sum")).code, 0);
    const mended = await stage.read("src/add.js");
    assert.match((await stage.run("restore")).stdout, /^ {2}1 {2}\S+ \S+ {2}Mend the sum\n$/);
    const shown = await stage.run("restore", "1");
    assert.match(shown.stdout, /nothing has been restored/);
    assert.match(shown.stdout, /\n {2}docs\/new\.md removed\n {2}notes\.txt restored\n/);
    assert.equal(await stage.read("src/add.js"), mended);

    const done = await stage.run("restore", "1", "--yes");
    assert.equal(done.stdout, 'Restored to before "Mend the sum". Files: 4.\n', done.stderr);
    assert.equal(await stage.read("src/add.js"), files["src/add.js"]);
    assert.equal((await stage.run("restore")).stdout, "No messages.\n");
    const { conversation } = (await stage.json("restore")) as { conversation: string };
    const exported = await stage.run("conversations", "export", conversation);
    assert.match(exported.stdout, /Restored the files and the conversation to before/);
    assert.doesNotMatch(exported.stdout, /## You/);

    assert.equal((await stage.run("restore", "--undo")).code, 0);
    assert.equal(await stage.read("src/add.js"), mended);
    assert.match((await stage.run("restore")).stdout, /Mend the sum/);
    assert.equal((await stage.run("restore", "--undo")).code, 64);
    assert.equal((await stage.run("restore", "7")).code, 64);
  });

  it("restores to before a task of a plan, which is queued again with the later ones and waits", async () => {
    const stage = await Stage.open(
      plays(
        { route: "plan", goal: "Write both" },
        {
          "rooroo-planner": plans("a.txt", "b.txt"),
          "rooroo-developer": (request) =>
            settled(request) === 0
              ? calls("write_to_file", { path: request.goal, content: "new\n" })
              : completes(),
        },
      ),
      {},
    );
    assert.equal((await stage.runAll("ask", "Write both")).code, 0);
    const list = (await stage.run("restore")).stdout.replaceAll(/\d{4}-\S+ \S+/g, "when");
    assert.equal(
      list,
      "  1  when  Write both\n  2  when    task: a.txt\n  3  when    task: b.txt\n",
    );
    const shown = await stage.run("restore", "3");
    assert.match(shown.stdout, /\n {2}b\.txt removed\nThe task and all that came after it/);
    assert.match(shown.stdout, /\nReturns to the queue, and waits there: b\.txt\n$/);

    assert.equal((await stage.run("restore", "3", "--yes")).code, 0);
    const written = async () => (await stage.list("")).filter((name) => name.endsWith(".txt"));
    assert.deepEqual(await written(), ["a.txt"]);
    assert.match(await stage.read(".rooroo/queue.jsonl"), /"auto_proceed_plan":false/);
    assert.equal((await stage.runAll("proceed")).code, 0);
    assert.deepEqual(await written(), ["a.txt", "b.txt"]);
    assert.equal((await stage.run("restore", "--undo")).code, 0);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
  });

  it("shows what a task has changed, and puts back what nobody has changed since", async () => {
    const stage = await Stage.open(works, files);
    await chmod(stage.path("run.sh"), 0o755);
    assert.equal((await stage.runAll("ask", "Mend the sum")).code, 0);
    const [task] = await stage.tasks();
    assert.ok(task);

    const shown = await stage.run("changes", task.taskId.slice(-6));
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(
      shown.stdout,
      /^docs\/new\.md {2}added\n--- \/dev\/null\n\+\+\+ b\/docs\/new\.md\n/,
    );
    assert.match(
      shown.stdout,
      /\nsrc\/add\.js {2}changed\n.*\n.*\n.*\n-return a - b;\n\+return a \+ b;\n/,
    );
    const listed = (await stage.json("changes", task.taskId)) as { files: { path: string }[] };
    assert.deepEqual(
      listed.files.map(({ path }) => path),
      ["docs/new.md", "notes.txt", "run.sh", "src/add.js"],
    );

    await stage.write("notes.txt", "two\nmine\n");
    const undone = await stage.run("undo", task.taskId);
    assert.equal(undone.code, 1);
    assert.match(undone.stdout, /✓ docs\/new\.md removed\n/);
    assert.match(
      undone.stdout,
      /! notes\.txt was not changed\. notes\.txt was changed after the task/,
    );
    assert.match(undone.stdout, /\n {4}\+mine\n/);
    assert.match(undone.stdout, /✓ src\/add\.js restored\n/);
    assert.equal(await stage.read("src/add.js"), files["src/add.js"]);
    assert.equal(await stage.read("run.sh"), files["run.sh"]);
    assert.equal((await stat(stage.path("run.sh"))).mode & 0o777, 0o755);
    assert.equal(await stage.read("notes.txt"), "two\nmine\n");
    assert.deepEqual(await stage.list("docs"), []);

    await stage.write("notes.txt", "two\n");
    assert.equal((await stage.run("undo", task.taskId)).code, 0);
    assert.equal(await stage.read("notes.txt"), "one\n");
    assert.match((await stage.run("undo", task.taskId)).stdout, /no changes of this task to undo/);
  });

  it("asks before it writes a protected file, and waits where nobody can be asked", async () => {
    const stage = await Stage.open(works, {
      "AGENTS.md": "evil\n",
      ".rooroo/tasks/ROO#TASK_20260102030405_AB12CD/changes/1": "worse\n",
      ".rooroo/tasks/ROO#TASK_20260102030405_AB12CD/changes/2": "evil\n",
      ".rooroo/tasks/ROO#TASK_20260102030405_AB12CD/changes/log.jsonl": ["before", "after"]
        .map((type, at) =>
          JSON.stringify({
            schema: 1,
            at: "2026-01-02T03:04:05.000Z",
            type,
            path: "AGENTS.md",
            state: { kind: "kept", content: `${at + 1}` },
          }),
        )
        .join("\n"),
    });
    assert.equal((await stage.run("adopt", "AB12CD")).code, 0);
    const { code, stdout } = await stage.run("undo", "AB12CD");
    assert.equal(code, 2, stdout);
    assert.match(
      stdout,
      /! AGENTS\.md was not changed\. AGENTS\.md controls tools, editors or agents/,
    );
    assert.equal(await stage.read("AGENTS.md"), "evil\n");
  });

  it("say what of a damaged log cannot be read, and end with 1 where nothing can be told", async () => {
    const folder = ".rooroo/tasks/ROO#TASK_20260102030405_AB12CD";
    const stage = await Stage.open(works, {
      [`${folder}/changes/1`]: "one\n",
      [`${folder}/changes/log.jsonl`]: "{torn\n",
    });
    for (const command of ["changes", "undo"]) {
      const { code, stdout } = await stage.run(command, "AB12CD");
      assert.equal(code, 1, stdout);
      assert.match(stdout, /^! Line 1 of .*log\.jsonl cannot be read: the log is damaged\./);
      const json = await stage.run(command, "AB12CD", "--json");
      assert.equal(json.code, 1);
      const { damage } = JSON.parse(json.stdout) as { damage: string[] };
      assert.match(damage[0] ?? "", /Line 1 of/);
    }
  });
});
