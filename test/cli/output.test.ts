import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { digest } from "../../src/core/text/digest.js";
import { asks, calls, completes } from "../fakes/navigatorWorld.js";
import { runHere } from "./runHere.js";
import { notes, plays, queueLine } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Do it" };
const bundle = fileURLToPath(new URL("../../../dist/rooroo.cjs", import.meta.url));

describe("what rooroo prints", () => {
  afterEach(closeStages);

  it("is one event a line with --json, the outcome last with what can follow", async () => {
    const stage = await Stage.open(
      plays(direct, { "rooroo-developer": () => ({ text: ["Hm", "…"], ...asks("Which?") }) }),
    );
    const { code, stdout, stderr } = await stage.run("ask", "Do it", "--json");
    assert.deepEqual([code, stderr], [2, ""]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const types = lines.map(({ type }) => type).filter((type) => type !== "tasksChanged");
    assert.deepEqual(
      [...new Set(types)],
      [
        "user",
        "agent",
        "announced",
        "notice",
        "sessionStarted",
        "question",
        "sessionEnded",
        "outcome",
      ],
    );
    const [task] = await stage.tasks();
    const announced = lines.flatMap((line) => (line["type"] === "announced" ? [line["text"]] : []));
    assert.deepEqual(announced.slice(0, 1), [
      `Understood. Initiating task \`${task?.taskId ?? ""}\` directly with \`rooroo-developer\`...`,
    ]);
    assert.deepEqual(lines.at(-1), {
      type: "outcome",
      status: "waiting",
      exitCode: 2,
      next: [`rooroo answer ${task?.taskId ?? ""} "…"`],
    });
  });

  it("is kept for the editor's panel, each event once", async () => {
    const stage = await Stage.open(plays(direct, { "rooroo-developer": notes }));
    await stage.run("ask", "Do it");
    const kept = (await stage.conversations())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    const count = (type: string) => kept.filter((event) => event.type === type).length;
    assert.deepEqual(
      ["user", "sessionStarted", "sessionEnded", "tasksChanged", "announced"].map(count),
      [1, 1, 1, 0, 0],
    );
  });

  it("lists an interrupted task, without a reminder in each process that finds it", async () => {
    const stage = await Stage.open(plays({ route: "acknowledge", reply: "Hi!" }, {}), {
      ".rooroo/tasks/ROO#TASK_1/task.json": JSON.stringify({
        schema: 1,
        taskId: "ROO#TASK_1",
        parentTaskId: null,
        planId: null,
        mode: "rooroo-developer",
        goal: "Old",
        createdAt: "2026-01-01T00:00:00Z",
      }),
    });
    await stage.run("adopt");
    for (const words of [["ask", "hello"], ["ask", "hi"], ["proceed"]]) {
      const { stderr } = await stage.run(...words);
      assert.doesNotMatch(stderr, /interrupted/);
    }
    const { stdout } = await stage.run("status");
    assert.match(stdout, /Interrupted[^]*ROO#TASK_1[^]*rooroo resume ROO#TASK_1/);

    // A job has documents of its own; nothing of this one is left to do.
    const front = `title: Trip\nprogress: 100%\nplanned_for: ${digest("Go.")}`;
    const roadmap = "- [x] 1. Go\n  - status: Completed\n";
    await stage.write(".jixo/trip.job.md", "Go.\n");
    await stage.write(
      ".jixo/trip.log.md",
      `---\n${front}\n---\n\n## Roadmap\n\n${roadmap}\n## Work Log\n`,
    );
    const job = await stage.run("job", "run", "trip");
    assert.equal(job.code, 0, job.stderr);
    assert.doesNotMatch(job.stdout + job.stderr, /interrupted/);
  });

  it("lets no escape sequence of a model or a command reach the terminal", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u202e\u009b31m";
    const stage = await Stage.open(
      plays(
        { ...direct, goal: `Do ${evil}` },
        {
          "rooroo-developer": ({ results }) =>
            results.length === 0
              ? {
                  text: ["a\u001b", `[31m${evil}`],
                  ...calls("execute_command", {
                    command: `printf '%b' '\\033[2Jx\\007'; echo "${evil}"; exit 3`,
                  }),
                }
              : completes({ message: `M ${evil}` }),
        },
      ),
      { ".rooroo/queue.jsonl": queueLine(`B`, { goal_for_expert: `G ${evil}` }) },
    );
    const outputs = [
      await stage.runAll("ask", "x", "--verbose"),
      await stage.run("status"),
      await stage.run("queue", "list"),
      await stage.run("ask", "x", "--json"),
      await stage.run("status", "--json"),
    ];
    for (const { stdout, stderr } of outputs) {
      assert.doesNotMatch(stdout + stderr, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    assert.match(outputs[0]?.stdout ?? "", /␛\[2J/);
  });

  it("says where a mode file is wrong", async () => {
    const modes =
      "customModes:\n  - slug: a b\n    name: A\n    roleDefinition: x\n    groups: []\n";
    const stage = await Stage.open(plays({}, {}), { ".roomodes": modes });
    const { stdout } = await stage.run("status");
    assert.match(stdout, /\.roomodes:2:11: slug: may hold letters, digits and hyphens only/);
  });

  it("may be read only in part: the work goes on to its end", async () => {
    const stage = await Stage.open(plays(direct, { "rooroo-developer": notes }));
    const { env } = stage.model;
    const { spawn } = await import("node:child_process");
    const command = `"${process.execPath}" "${bundle}" ask x | head -n 1; echo "code \${PIPESTATUS[0]}"`;
    const child = spawn("bash", ["-c", command], {
      cwd: stage.root,
      env: { ...process.env, ROOROO_HOME: stage.home, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const chunks: string[] = [];
    for await (const chunk of child.stdout.setEncoding("utf8")) chunks.push(chunk as string);
    assert.match(chunks.join(""), /^Developer is on it\.\ncode 0\n$/);
    assert.equal((await stage.tasks("done")).length, 1);
  });

  it("says that it is not whole when the disk is full, and fails", async () => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => {
        done(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }));
      },
    });
    const stage = await Stage.open(plays(direct, {}));
    const env = { ...process.env, ROOROO_HOME: stage.home };
    const { code, stderr } = await runHere(["status"], { cwd: stage.root, env, output: full });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^rooroo: Not all of the output was written: ENOSPC: no space left on device\. Free some space\.\n$/,
    );
  });

  it("is help for whoever gives too little or too much", () => {
    const rooroo = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], {
        encoding: "utf8",
      });
      return { status, stdout, stderr };
    };
    const help = rooroo("--help");
    assert.equal(help.status, 0);
    assert.match(help.stdout, /proceed[^]*Exit codes: 0 done, 1 failed, 2 waiting/);
    assert.match(rooroo("--version").stdout, /^\d+\.\d+\.\d+\n$/);
    for (const args of [
      [],
      ["stauts"],
      ["ask"],
      ["answer", "ROO#TASK_1"],
      ["status", "--colour"],
      ["status", "--approve", "everything"],
      ["queue"],
      ["queue", "drop"],
      ["validate", "queue"],
      ["validate", "queue", "/does/not/exist"],
      ["status", "--workspace", "/does/not/exist"],
      ["status", "--workspace", bundle],
      ["proceed", "--model", "m", "--base-url", "localhost"],
    ]) {
      const { status, stdout, stderr } = rooroo(...args);
      assert.deepEqual([args, status, stdout], [args, 64, ""]);
      assert.match(stderr, /\S/);
    }
  });

  it("names the unknown task and says where all are listed", async () => {
    const stage = await Stage.open(plays({}, {}), {
      ".rooroo/tasks/ROO#TASK_1A/context.md": "",
      ".rooroo/tasks/ROO#TASK_2A/context.md": "",
    });
    for (const id of ["ROO#TASK_9", "../../x", ""]) {
      const { code, stderr } = await stage.run("resume", id);
      assert.equal(code, 64);
      assert.match(stderr, /There is no task .* here\. `rooroo status` lists them all\.\n$/);
    }
    const { code, stderr } = await stage.run("answer", "A", "yes");
    assert.equal(code, 64);
    assert.match(stderr, /fits several tasks: ROO#TASK_1A, ROO#TASK_2A/);
    const json = await stage.run("answer", "A", "yes", "--json");
    assert.equal(json.code, 64);
    const told = JSON.parse(json.stderr) as { code: string; message: string };
    assert.deepEqual([told.code, `rooroo: ${told.message}\n`], ["taskAmbiguous", stderr]);
  });

  it("is JSON with --json where the command line itself is wrong, too", async () => {
    const stage = await Stage.open(plays({}, {}));
    const { code, stdout, stderr } = await stage.run("status", "--json", "--colour");
    assert.equal(code, 64);
    assert.equal(stdout, "");
    assert.deepEqual(JSON.parse(stderr), {
      code: "wrongUse",
      message: "unknown option '--colour'",
    });
  });
});
