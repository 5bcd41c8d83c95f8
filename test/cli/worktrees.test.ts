import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { HttpScript } from "../fakes/httpModel.js";
import { asks, calls, completes } from "../fakes/navigatorWorld.js";
import { plans, plays, settled, type ExpertRequest } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const lines = (...changed: readonly string[]) =>
  ["top", "1", "2", "3", "4", "middle", "5", "6", "7", "8", "end"]
    .map((line) => `${changed.find((one) => one.startsWith(line)) ?? line}\n`)
    .join("");

/** Plans by what the request says; each task appends to the line of the file that its goal names. */
const works = plays(
  { route: "plan", goal: "Plan it" },
  {
    "rooroo-planner": (request) =>
      plans(...(/\((.*)\)/.exec(request.messages.at(1)?.content ?? "")?.[1] ?? "").split(", "))(
        request,
      ),
    "rooroo-developer": (request) => writes(request),
  },
);

function writes(request: ExpertRequest) {
  if (request.goal.startsWith("Resolve the merge conflicts in shared.txt")) {
    const content = lines("top of both");
    return (
      [
        calls("read_file", { path: "shared.txt" }),
        calls("write_to_file", { path: "shared.txt", content }),
      ][settled(request)] ?? completes()
    );
  }
  const [line = "", word = ""] = request.goal.split(" ");
  return (
    [
      calls("read_file", { path: "shared.txt" }),
      calls("edit_file", {
        path: "shared.txt",
        old_text: `${line}\n`,
        new_text: `${line} ${word}\n`,
      }),
      calls("write_to_file", { path: `made/${line}.txt`, content: `${word}\n` }),
    ][settled(request)] ?? completes({ message: `${line}: done` })
  );
}

/** Answers the first request of each of two experts only when both have asked. */
function together(script: HttpScript): HttpScript {
  const waiting = new Map<string, () => void>();
  return async (request, index) => {
    const goal = /--goal "([^"]*)"/.exec(request.messages.at(1)?.content ?? "")?.[1] ?? "";
    if (!waiting.has(goal)) {
      await new Promise<void>((both) => {
        waiting.set(goal, both);
        if (waiting.size === 2) for (const tell of waiting.values()) tell();
      });
    }
    return script(request, index);
  };
}

/** Puts a note into the task's folder, has commands copy it there, and changes the project. */
const leavesArtifacts = plays(
  { route: "direct", expert: "rooroo-developer", goal: "Do it" },
  {
    "rooroo-developer": (request) => {
      const own = `.rooroo/tasks/${request.taskId}`;
      const run = (command: string) => calls("execute_command", { command });
      return (
        [
          calls("write_to_file", { path: `${own}/note.txt`, content: "noted\n" }),
          run(`mkdir -p '${own}/data' && cp '${own}/note.txt' '${own}/data/copy.txt'`),
          run(`cp '${own}/data/copy.txt' '${own}/data/again.txt'; echo made > made.txt`),
        ][settled(request)] ?? completes()
      );
    },
  },
);

/** Has a command put a file into the task's folder that is too big to be carried out of the worktree. */
const leavesBigFile = plays(
  { route: "direct", expert: "rooroo-developer", goal: "Do it" },
  {
    "rooroo-developer": (request) => {
      const command = `truncate -s 101MB '.rooroo/tasks/${request.taskId}/big.bin'`;
      return settled(request) === 0 ? calls("execute_command", { command }) : completes();
    },
  },
);

/** Plays two runners, who change the same line at the same time; who is told of the conflict resolves it. */
function jobOfTwo(): HttpScript {
  let both = 0;
  let tell: () => void = () => undefined;
  const written = new Promise<void>((resolve) => (tell = resolve));
  return async ({ messages }) => {
    const told = messages.map(({ content }) => String(content));
    if (told[0]?.includes("You judge whether the roadmap") === true) {
      return calls("judge_plan", { fits: true, reason: "It does." });
    }
    const [, task = ""] = /Your objective: Task (\d)/.exec(told[1] ?? "") ?? [];
    const results = messages.filter(({ role }) => role === "tool");
    const done = calls("attempt_completion", { result: "Succeeded", summary: `Did ${task}.` });
    const reads = calls("read_file", { path: "shared.txt" });
    const all = [
      reads,
      calls("edit_file", { path: "shared.txt", old_text: "top\n", new_text: `top ${task}\n` }),
      calls("write_to_file", { path: `made/${task}.txt`, content: `${task}\n` }),
    ];
    const next = all[results.length];
    if (next !== undefined) return next;
    if (results.length === all.length) {
      if (++both === 2) tell();
      await written;
      return done;
    }
    const content = lines("top of both");
    const resolves = [reads, calls("write_to_file", { path: "shared.txt", content })];
    return resolves[results.length - all.length - 1] ?? done;
  };
}

async function openRepository(
  script = works,
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const files = { "shared.txt": lines(), ".gitignore": ".rooroo/\n" };
  const stage = await Stage.open(script, files, env);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: stage.root, stdio: "pipe" });
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "commit", "-qm", "First");
  return stage;
}

interface Listed {
  plans: { planId: string; phase: string; folder: string; conflicts: Record<string, string[]> }[];
}

const listed = async (stage: Stage) =>
  ((await stage.json("plan", "list")) as unknown as Listed).plans;

describe("plans in worktrees", () => {
  afterEach(closeStages);

  it("work on the same files at once, land one after the other, and one is undone", async () => {
    const stage = await openRepository(together(works));
    await stage.write("mine.txt", "not committed\n");
    for (const goal of ["top one", "end two"]) {
      assert.equal((await stage.run("queue", "add", goal)).code, 0);
    }
    const done = await stage.runAll("proceed", "--isolated", "--concurrency", "2");
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.match(done.stdout, /These changes are in a worktree, and not in your folder yet/);
    assert.equal(await stage.read("shared.txt"), lines());
    assert.deepEqual(await stage.list("made"), []);
    const both = await listed(stage);
    assert.deepEqual(
      both.map(({ phase, conflicts }) => [phase, conflicts]),
      [
        ["ready", {}],
        ["ready", {}],
      ],
    );

    // Whichever plan came first, its own lines are in its diff and no other's.
    const diffs = await Promise.all(both.map(({ planId }) => stage.run("plan", "diff", planId)));
    const first = diffs.findIndex(({ stdout }) => stdout.includes("+top one"));
    const [one, two] = [both[first]!, both[1 - first]!];
    assert.doesNotMatch(diffs[first]!.stdout, /two/);

    await stage.write("shared.txt", lines("middle is mine"));
    const landed = await stage.run("plan", "land", one.planId);
    assert.equal(landed.code, 0, landed.stdout + landed.stderr);
    assert.equal(existsSync(one.folder), false);
    assert.equal((await stage.run("plan", "land", two.planId)).code, 0);
    assert.equal(await stage.read("shared.txt"), lines("top one", "middle is mine", "end two"));
    assert.equal(await stage.read("mine.txt"), "not committed\n");
    assert.deepEqual(await listed(stage), []);

    const id = two.planId.replace("PLAN", "LAND");
    const undone = await stage.run("undo", id);
    assert.equal(undone.code, 0, undone.stdout + undone.stderr);
    assert.equal(await stage.read("shared.txt"), lines("top one", "middle is mine"));
    assert.deepEqual(await stage.list("made"), ["top.txt"]);
    const worktrees = execFileSync("git", ["worktree", "list"], {
      cwd: stage.root,
      encoding: "utf8",
    });
    assert.equal(worktrees.trim().split("\n").length, 1);
  });

  it("tell of the files in which you have changed the same, and are discarded", async () => {
    const stage = await openRepository();
    const asked = await stage.runAll("ask", "Plan it (top one, 1 one)", "--isolated");
    assert.equal(asked.code, 0, asked.stdout + asked.stderr);
    const [plan] = await listed(stage);
    const { stdout } = await stage.run("plan", "diff", plan!.planId);
    assert.match(stdout, /\n\+top one\n\+1 one\n/);
    assert.equal(await stage.read("shared.txt"), lines());
    await stage.write("shared.txt", lines("top is mine"));
    const landed = await stage.run("plan", "land", "--json", plan!.planId);
    assert.equal(landed.code, 1);
    const { planId, conflicts } = JSON.parse(landed.stdout) as Record<string, unknown>;
    assert.deepEqual(conflicts, ["shared.txt"]);
    assert.equal(await stage.read("shared.txt"), lines("top is mine"));
    assert.equal((await stage.run("plan", "discard", String(planId))).code, 64);
    assert.equal((await stage.run("plan", "discard", String(planId), "--yes")).code, 0);
    assert.deepEqual(await listed(stage), []);
  });

  it("take in what is in the folder by now, and a task resolves the conflicts", async () => {
    const stage = await openRepository();
    assert.equal((await stage.runAll("ask", "Plan it (top one, 1 one)", "--isolated")).code, 0);
    const [{ planId, folder } = { planId: "", folder: "" }] = await listed(stage);
    await stage.write("shared.txt", lines("top is mine", "end is mine"));
    const refused = await stage.run("plan", "land", planId);
    assert.match(refused.stdout, /rooroo plan update .* brings your lines into the worktree/);
    const updated = await stage.run("plan", "update", planId);
    assert.equal(updated.code, 0, updated.stdout + updated.stderr);
    assert.match(
      updated.stdout,
      /conflict markers there:\n {2}shared\.txt\nThe task \S+ is queued/,
    );
    const marked = readFileSync(join(folder, "shared.txt"), "utf8");
    assert.match(
      marked,
      /^<{7}[^\n]*\ntop is mine\n[^]*\n={7}\ntop one\n[^]*>{7}[^]*end is mine\n$/,
    );
    assert.equal(await stage.read("shared.txt"), lines("top is mine", "end is mine"));
    const done = await stage.runAll("proceed");
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.equal((await stage.run("plan", "land", planId)).code, 0);
    assert.equal(await stage.read("shared.txt"), lines("top of both"));
    assert.equal(await stage.read("made/top.txt"), "one\n");
  });

  it("are for the tasks of a job, too: each lands when it is done, beside what others did at the same time", async () => {
    const item = (text: string) => `- [ ] ${text}\n  - status: Pending\n`;
    const stage = await openRepository(jobOfTwo());
    await stage.write(".jixo/trip.job.md", "Change the top.\n");
    await stage.write(
      ".jixo/trip.log.md",
      `---\ntitle: Trip\nprogress: "0%"\n---\n\n## Roadmap\n\n${item("1. First")}${item("2. Second")}\n## Work Log\n`,
    );
    const run = await stage.runAll("job", "run", "trip", "--isolated", "--runners", "2");
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal(await stage.read("shared.txt"), lines("top of both"));
    assert.deepEqual((await stage.list("made")).sort(), ["1.txt", "2.txt"]);
    assert.deepEqual(await listed(stage), []);
    const view = await stage.json("job", "status", "trip");
    assert.deepEqual(view["tasks"], { Completed: 2 });
  });

  for (const [preset, sandbox] of [
    ["all", "off"],
    ["sandbox", "auto"],
  ] as const) {
    it(`find and leave files in their tasks' folders, also those of commands (${preset})`, async () => {
      const stage = await openRepository(leavesArtifacts, { ROOROO_SANDBOX: sandbox });
      const { findings } = (await stage.json("doctor")) as {
        findings: { subject: string; state: string }[];
      };
      const isThere = findings.some(
        ({ subject, state }) => subject === "Sandbox" && state === "ok",
      );
      // Without a sandbox, the command would wait for a person.
      if (preset === "sandbox" && !isThere) return;
      const asked = await stage.run("ask", "Do it", "--isolated", "--approve", preset);
      assert.equal(asked.code, 0, asked.stdout + asked.stderr);
      const [{ taskId } = { taskId: "" }] = await stage.tasks("done");
      const folder = `.rooroo/tasks/${taskId}`;
      assert.equal(await stage.read(`${folder}/data/copy.txt`), "noted\n");
      assert.equal(await stage.read(`${folder}/data/again.txt`), "noted\n");
      assert.equal(await stage.read("made.txt"), "");
      assert.equal((await stage.run("plan", "land", taskId.slice(-6))).code, 0);
      assert.equal(await stage.read("made.txt"), "made\n");
    });
  }

  it("tell of files of their tasks' folders that stay in the worktree, at the end, in the list, and when they land", async () => {
    const stage = await openRepository(leavesBigFile);
    const asked = await stage.run("ask", "Do it", "--isolated", "--approve", "all");
    assert.equal(asked.code, 0, asked.stdout + asked.stderr);
    const [{ taskId } = { taskId: "" }] = await stage.tasks("done");
    const folder = `.rooroo/tasks/${taskId}`;
    assert.ok(asked.stderr.includes(`1 file of ${folder} in the worktree did not come`));
    assert.match(await stage.read(`${folder}/report.json`), /Left in the worktree[^"]*big\.bin/);
    const told = `${taskId}: ${folder}/big.bin: the task's folder has more than is carried (101.0 MB)`;
    const list = await stage.run("plan", "list");
    assert.ok(list.stdout.includes(told), list.stdout);
    const landed = await stage.run("plan", "land", taskId.slice(-6));
    assert.ok(landed.stdout.includes(told), landed.stdout);
    assert.match(landed.stdout, /1 file stayed where the tasks worked, and will not land:/);
  });

  it("show and undo what a task has changed, before it lands, and say where it is afterwards", async () => {
    const stage = await openRepository();
    assert.equal((await stage.runAll("ask", "Plan it (top one, 1 one)", "--isolated")).code, 0);
    const tasks = (await stage.tasks("done")).filter(({ mode }) => mode === "rooroo-developer");
    const [first = "", second = ""] = tasks.map(({ taskId }) => taskId).sort();
    assert.match((await stage.run("changes", first)).stdout, /\n\+top one\n/);
    const undone = await stage.run("undo", second);
    assert.equal(undone.code, 0, undone.stdout + undone.stderr);
    const [plan] = await listed(stage);
    assert.doesNotMatch((await stage.run("plan", "diff", plan!.planId)).stdout, /1 one/);
    assert.equal((await stage.run("plan", "land", plan!.planId)).code, 0);
    assert.equal(await stage.read("shared.txt"), lines("top one"));
    for (const command of ["changes", "undo"]) {
      const { code, stderr } = await stage.run(command, first);
      assert.equal(code, 1);
      assert.match(stderr, /has landed: its changes are among those of ROO#LAND_/);
    }
  });

  it("are not landed while a task waits, unless that is confirmed: it goes on and lands later", async () => {
    const stage = await openRepository(
      plays(
        { route: "direct", expert: "rooroo-developer", goal: "top one" },
        {
          "rooroo-developer": (request) =>
            settled(request) < 3 ? writes(request) : asks("Which?"),
        },
      ),
    );
    assert.equal((await stage.runAll("ask", "Do it", "--isolated")).code, 2);
    const [plan] = await listed(stage);
    const refused = await stage.run("plan", "land", plan!.planId);
    assert.equal(refused.code, 64);
    assert.match(refused.stderr, /ROO#TASK_\S+ \(waiting\).*--yes/);
    assert.equal(await stage.read("shared.txt"), lines());
    const landed = await stage.run("plan", "land", plan!.planId, "--yes");
    assert.equal(landed.code, 0, landed.stdout + landed.stderr);
    assert.match(landed.stdout, /have not ended, and can go on:\n {2}ROO#TASK_\S+: waiting/);
    assert.equal(await stage.read("shared.txt"), lines("top one"));
    assert.equal(existsSync(plan!.folder), true);
  });

  it("go back with what was said, also when they have landed", async () => {
    const stage = await openRepository();
    assert.equal((await stage.runAll("ask", "Plan it (top one, 1 one)", "--isolated")).code, 0);
    const [plan] = await listed(stage);
    assert.equal((await stage.run("plan", "land", plan!.planId)).code, 0);
    assert.match((await stage.run("restore", "1")).stdout, /shared\.txt/);
    assert.equal((await stage.run("restore", "1", "--yes")).code, 0);
    assert.equal(await stage.read("shared.txt"), lines());
    assert.deepEqual(await stage.list("made"), []);
    assert.equal((await stage.run("restore", "--undo")).code, 0);
    assert.equal(await stage.read("shared.txt"), lines("top one", "1 one"));
  });

  it("are told at each start when no plan knows them, with the command that removes them", async () => {
    const stage = await openRepository();
    assert.equal((await stage.runAll("ask", "Plan it (top one, 1 one)", "--isolated")).code, 0);
    const [{ planId, folder } = { planId: "", folder: "" }] = await listed(stage);
    const name = planId.replace("#", "-");
    await rm(join(stage.root, ".rooroo"), { recursive: true });
    const left = `! The worktree \`${name}\` is left over`;
    for (const command of [
      ["proceed"],
      ["plan", "list"],
      ["plan", "sent"],
      ["run", "resume"],
      ["agent", "Hello"],
    ]) {
      const { stderr } = await stage.run(...command);
      assert.equal(stderr.split(left).length, 2, stderr);
      assert.match(stderr, new RegExp(`→ rooroo plan discard ${name}\\n`));
    }
    const json = await stage.run("plan", "list", "--json");
    assert.deepEqual((JSON.parse(json.stdout) as { orphans: string[] }).orphans, [name]);
    assert.match((JSON.parse(json.stderr) as { text: string }).text, /is left over/);
    const discarded = await stage.run("plan", "discard", name, "--yes");
    assert.deepEqual([discarded.code, discarded.stderr], [0, ""]);
    assert.equal(existsSync(folder), false);
    assert.equal((await stage.run("proceed")).stderr, "");
  });

  it("work in the folder where nobody asks for isolation", async () => {
    const stage = await openRepository();
    assert.equal((await stage.runAll("ask", "Plan it (top one, 1 one)")).code, 0);
    assert.equal(await stage.read("shared.txt"), lines("top one", "1 one"));
    assert.deepEqual(await stage.list(".rooroo/worktrees"), []);
    assert.deepEqual(await listed(stage), []);
  });

  it("are prepared by a command of the user's, without which the plan does not begin", async () => {
    const stage = await openRepository();
    const asked = ["ask", "Plan it (top one)", "--isolated", "--setup"];
    const failed = await stage.runAll(...asked, "echo No lock file.; exit 1");
    assert.notEqual(failed.code, 0);
    assert.match(failed.stdout + failed.stderr, /setup command .* failed[^]*No lock file\./);
    const again = await stage.runAll("proceed", "--isolated", "--setup", "echo ready > made.txt");
    assert.equal(again.code, 0, again.stdout + again.stderr);
    const [plan] = (await listed(stage)) as { planId: string }[];
    const { stdout } = await stage.run("plan", "diff", plan?.planId ?? "");
    assert.match(stdout, /\+ready/);
    assert.equal(await stage.read("made.txt"), "");
  });

  it("tell what of submodules and of a sparse checkout they do only in part, before a task begins", async () => {
    const stage = await openRepository();
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: stage.root, encoding: "utf8", stdio: "pipe" }).trim();
    await stage.write("unused/a.txt", "unused\n");
    git("add", ".");
    git("update-index", "--add", "--cacheinfo", `160000,${git("rev-parse", "HEAD")},lib`);
    git("-c", "user.name=A", "-c", "user.email=a@example.test", "commit", "-qm", "Submodule");
    git("sparse-checkout", "set", "--no-cone", "/*", "!/unused/");
    assert.deepEqual(await stage.list("unused"), []);
    const { code, stdout, stderr } = await stage.runAll("ask", "Plan it (top one)", "--isolated");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /^! This repository has submodules:.*\n! This is a sparse checkout:/);
  });

  it("do not begin where there is no repository, and the task says why", async () => {
    const stage = await Stage.open(works, { "shared.txt": lines() });
    const { code, stdout, stderr } = await stage.runAll("ask", "Plan it (top one)", "--isolated");
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /There is no git repository with files here/);
    assert.equal(await stage.read("shared.txt"), lines());
  });
});
