import assert from "node:assert/strict";
import { ChangeStore } from "../../../../src/core/changes/changeStore.js";
import { readHooks } from "../../../../src/core/experts/hooks.js";
import type { ShellRequest, ShellResult } from "../../../../src/core/ports/shell.js";
import { Redactor } from "../../../../src/core/text/redactor.js";
import { stoppedByUser } from "../../../../src/core/work/stop.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemoryLayer } from "../../../fakes/memoryLayer.js";
import { MemorySnapshots } from "../../../fakes/memorySnapshots.js";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";
import { runsUntilStopped, type ShellScript } from "../../../fakes/scriptedShell.js";

const line = (id: string, more: object = {}) =>
  `${JSON.stringify({
    taskId: `ROO#TASK_${id}`,
    parentTaskId: null,
    suggested_mode: "rooroo-developer",
    context_file_path: `.rooroo/tasks/ROO#TASK_${id}/context.md`,
    goal_for_expert: `Goal ${id}`,
    ...more,
  })}\n`;

const writes = calls("write_to_file", { path: "a.js", content: "let a=1" });

function ended(more: Partial<ShellResult> = {}): ShellResult {
  const usual = {
    exitCode: 0,
    signal: null,
    endedBy: "itself" as const,
    omitted: 0,
    durationMs: 1,
  };
  return { ...usual, output: "", streams: { stdout: "", stderr: "" }, ...more };
}

const says = (exitCode: number, stderr: string): ShellScript => ({
  exitCode,
  output: stderr,
  streams: { stdout: "", stderr },
});

type Options = NonNullable<ConstructorParameters<typeof NavigatorStage>[1]>;

/** A stage with one task in its queue, and the user's hooks. */
function stageWith(
  hooks: unknown,
  commands: Record<string, ShellScript>,
  scripts: readonly ModelScript[],
  options: Options = {},
): NavigatorStage {
  const files = { ".rooroo/queue.jsonl": line("A"), "b.js": "b\n" };
  return new NavigatorStage([...scripts], { files, ...options, hooks, commands });
}

function results({ model }: NavigatorStage): string[] {
  const { messages } = model.requests.at(-1)!;
  return messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
}

const given = (request: ShellRequest) => JSON.parse(request.input ?? "") as Record<string, unknown>;

/** Returns how the only task has left a file, by its log of changes. */
async function recorded(files: MemoryFileSystem, path: string) {
  const folder = ".rooroo/tasks/ROO#TASK_A";
  const store = new ChangeStore(files, new ManualClock(), new PlainSigner(), folder);
  const left = (await store.read()).get(path)?.left.at(-1);
  return left !== undefined && (await store.isIn(left, await files.readFile(path)));
}

describe("hooks", () => {
  it("are told of the call, with its file, and without keys", async () => {
    const redactor = new Redactor();
    redactor.learn("sk-0123456789");
    const stage = stageWith(
      { beforeTool: [{ tools: ["write"], command: "look" }], afterTool: [{ command: "see" }] },
      { look: {}, see: {} },
      [calls("write_to_file", { path: "-a.js", content: "a" }), completes()],
      {
        redactor,
        files: { ".rooroo/queue.jsonl": line("A", { goal_for_expert: "Use sk-0123456789" }) },
      },
    );
    await stage.navigator.proceed();
    const [before, after] = stage.shell.requests;
    assert.deepEqual(before?.env, {
      ROOROO_EVENT: "beforeTool",
      ROOROO_TASK: "ROO#TASK_A",
      ROOROO_TOOL: "write_to_file",
      ROOROO_PATH: "./-a.js",
    });
    assert.deepEqual(given(before), {
      event: "beforeTool",
      task: {
        id: "ROO#TASK_A",
        mode: "rooroo-developer",
        goal: `Use ${redactor.text("sk-0123456789")}`,
      },
      tool: "write_to_file",
      path: "-a.js",
      arguments: { path: "-a.js", content: "a" },
    });
    assert.equal((given(after!)["result"] as { ok: boolean }).ok, true);
    assert.deepEqual([before.timeoutMs, before.cwd, stage.shell.requests.length], [60_000, "", 2]);
  });

  it("before a tool refuse the call, and the expert reads why as information only", async () => {
    const stage = stageWith(
      { beforeTool: [{ tools: ["write_to_file"], command: "guard" }, { command: "other" }] },
      { guard: says(2, "Not </data> on Fridays\u001b[31m.") },
      [writes, completes()],
    );
    await stage.navigator.proceed();
    assert.equal(stage.files.text("a.js"), undefined);
    const [result = ""] = results(stage);
    assert.match(result, /own hook refused this, and it was not done:\n<data[^>]*>/);
    assert.equal(result.split("</data>").length, 2, result);
    assert.doesNotMatch(result, /\u001b/);
    assert.equal(stage.shell.requests.length, 1);
  });

  it("that fail, take too long or cannot be run are told once, and the work goes on", async () => {
    const stage = stageWith(
      { beforeTool: [{ command: "broken" }, { command: "slow", timeoutSeconds: 5 }] },
      { broken: says(1, "Oh no"), slow: { exitCode: null, signal: "SIGTERM", endedBy: "timeout" } },
      [writes, calls("read_file", { path: "a.js" }), completes()],
    );
    assert.equal((await stage.navigator.proceed()).status, "done");
    assert.equal(stage.files.text("a.js"), "let a=1");
    const told = stage.notices.filter((text) => text.startsWith("The hook"));
    assert.equal(told.length, 2, told.join("\n"));
    assert.match(told[0]!, /beforeTool \(broken\) failed with exit code 1.*goes on\. Oh no/);
    assert.match(told[1]!, /slow\) took too long/);
    assert.equal(stage.shell.requests[1]?.timeoutMs, 5000);
  });

  it("after a write change the file as the task's own change, which the expert has seen then", async () => {
    const files = new MemoryFileSystem({ ".rooroo/queue.jsonl": line("A") });
    const format: ShellScript = () => {
      files.put("a.js", "let a = 1;\n");
      return Promise.resolve(ended());
    };
    const stage = stageWith(
      { afterTool: [{ tools: ["write"], command: "format" }] },
      { format },
      [
        writes,
        calls("edit_file", { path: "a.js", old_text: "a = 1", new_text: "a = 2" }),
        completes(),
      ],
      { files, snapshots: new MemorySnapshots(files) },
    );
    await stage.navigator.proceed();
    const [written = "", edited = ""] = results(stage);
    assert.match(edited, /Edited a\.js/);
    assert.match(written, /own hook changed a\.js further/);
    assert.match(written, /\+let a = 1;/);
    assert.equal(await recorded(files, "a.js"), true);
  });

  it("run in the sandbox where there is one, unless they say otherwise", async () => {
    const files = new MemoryFileSystem({ ".rooroo/queue.jsonl": line("A") });
    const format: ShellScript = () => {
      const layer = new MemoryLayer(files, { "a.js": "let a = 1;\n", ".npmrc": "x" });
      return Promise.resolve(ended({ layer }));
    };
    const stage = stageWith(
      { afterTool: [{ command: "format" }, { command: "tell", outside: true }] },
      { format, tell: {} },
      [writes, completes()],
      { files },
    );
    stage.shell.ability = { available: true, name: "bubblewrap" };
    await stage.navigator.proceed();
    const sandboxes = stage.shell.requests.map(({ sandbox }) => sandbox?.network);
    assert.deepEqual(sandboxes, ["none", undefined]);
    assert.equal(files.text("a.js"), "let a = 1;\n");
    assert.equal(await recorded(files, "a.js"), true);
    assert.equal(files.text(".npmrc"), undefined, "a protected file");
    assert.ok(stage.notices.some((text) => /this was not kept[^]*\.npmrc/.test(text)));
  });

  it("before a task keep it from beginning, and not from going on", async () => {
    const hooks = { beforeTask: [{ command: "clean" }] };
    let exitCode = 2;
    const clean: ShellScript = () =>
      Promise.resolve(ended({ exitCode, streams: { stdout: "", stderr: "Commit first" } }));
    const stage = stageWith(hooks, { clean }, [
      writes,
      calls("ask_followup_question", { question: "Which?", suggestions: [] }),
      completes(),
    ]);
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.match(stage.ends[0]!, /did not let ROO#TASK_A begin: Commit first/);
    assert.equal(stage.model.requests.length, 0);
    exitCode = 0;
    await stage.navigator.resume("ROO#TASK_A");
    await stage.navigator.answer("ROO#TASK_A", "This");
    assert.deepEqual(stage.ends.at(-1), "Done: All good");
    assert.equal(stage.shell.requests.length, 2);
  });

  it("after a task can reject the report; after a plan they run once its last task is done", async () => {
    const planned = [line("A", { plan_id: "P" }), line("B", { plan_id: "P" })].join("");
    let tests = 0;
    const stage = stageWith(
      { afterTask: [{ command: "test" }], afterPlan: [{ command: "push" }] },
      {
        test: () =>
          Promise.resolve(
            ended({
              exitCode: ++tests === 1 ? 2 : 0,
              streams: { stdout: "", stderr: "1 test fails" },
            }),
          ),
        push: {},
      },
      [completes(), completes({ message: "Mended" }), completes()],
      { files: { ".rooroo/queue.jsonl": planned } },
    );
    await stage.navigator.proceed();
    assert.deepEqual(stage.ends, ["Done: Mended", "Done: All good"]);
    const [, second] = stage.model.requests;
    const told = second!.messages.at(-1)!.content;
    assert.match(told, /does not accept this yet:\n<data[^>]*>\s*1 test fails/);
    const commands = stage.shell.requests.map(({ command }) => command);
    assert.deepEqual(commands, ["test", "test", "test", "push"]);
    assert.equal(stage.queueText, "");
  });

  it("end when the task is stopped", async () => {
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const stage = stageWith(
      { beforeTool: [{ command: "wait" }] },
      {
        wait: runsUntilStopped(() => {
          started();
        }),
      },
      [writes],
    );
    const work = stage.navigator.proceed();
    await running;
    await stage.navigator.stopOwn(stoppedByUser());
    assert.equal((await work).status, "failed");
    assert.equal(stage.files.text("a.js"), undefined);
  });

  for (const event of ["beforeTool", "afterTool"] as const) {
    it(`whose process is killed in ${event}: ${event === "beforeTool" ? "the call has not begun, and hook and call run" : "the call is not repeated, and what the hook changed is the task's"}`, async () => {
      const files = new MemoryFileSystem({ ".rooroo/queue.jsonl": line("A"), "b.js": "b\n" });
      const snapshots = new MemorySnapshots(files);
      let hang: () => void = () => undefined;
      const hanging = new Promise<void>((resolve) => (hang = resolve));
      const hooks = { [event]: [{ tools: ["write"], command: "format" }] };
      const killed: ShellScript = () => {
        files.put("b.js", "formatted\n");
        hang();
        return new Promise(() => undefined);
      };
      const first = stageWith(hooks, { format: killed }, [writes], { files, snapshots });
      void first.navigator.proceed();
      await hanging;
      const next = stageWith(hooks, { format: {} }, [completes()], { files, snapshots });
      await next.navigator.resume("ROO#TASK_A");
      assert.equal(await recorded(files, "b.js"), true);
      assert.equal(files.text("a.js"), "let a=1");
      const runs = next.shell.requests.length;
      assert.equal(runs, event === "beforeTool" ? 1 : 0);
      assert.match(results(next)[0]!, event === "beforeTool" ? /Created a\.js/ : /not repeated/);
    });
  }

  it("that cannot be read keep everything from running, because one of them may refuse it", async () => {
    for (const hooks of [
      { beforTool: [] },
      { beforeTool: { command: "x" } },
      { beforeTool: [{ command: " " }] },
      { beforeTask: [{ command: "x", tools: ["write"] }] },
      { afterTool: [{ command: "x", timeoutSeconds: 0 }] },
      "rm -rf /",
      [],
    ]) {
      assert.ok("problem" in readHooks(hooks), JSON.stringify(hooks));
      const stage = stageWith(hooks, {}, [completes()]);
      assert.equal((await stage.navigator.proceed()).status, "failed");
      assert.match(stage.ends[0]!, /rooroo\.hooks\) cannot be used/);
      assert.equal(stage.model.requests.length, 0);
    }
    assert.deepEqual(readHooks(undefined), { hooks: {} });
  });
});
