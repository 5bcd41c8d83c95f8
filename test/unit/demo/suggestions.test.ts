import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { newJobFile } from "../../../src/core/jobs/documents/jobFolder.js";
import { readJobLog } from "../../../src/core/jobs/documents/jobLog.js";
import { outerLoop } from "../../../src/core/jobs/work/outerLoop.js";
import type { ModelRequest } from "../../../src/core/ports/model.js";
import { findLayout } from "../../../src/core/runs/documents/runLayout.js";
import { RunStore } from "../../../src/core/runs/documents/runStore.js";
import { Runs } from "../../../src/core/runs/runs.js";
import { chatRequest } from "../../../src/node/model/chatRequest.js";
import { NavigatorStage } from "../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../fakes/plainSigner.js";
import type { ScriptedResponse } from "../../fakes/scriptedModel.js";
import { shellResult, type ShellScript } from "../../fakes/scriptedShell.js";

// Scripts are not compiled, so they are found from the root and not from here.
const root = join(import.meta.dirname, "../../../..");
interface Reply {
  readonly say?: string;
  readonly calls?: readonly { readonly name: string; readonly args: Record<string, unknown> }[];
}
const { answer } = (await import(pathToFileURL(join(root, "scripts/demo/answer.mjs")).href)) as {
  answer: (request: unknown) => Reply;
};

/** Returns what the demo model answers to the request as it would be sent. */
function demo(request: ModelRequest): ScriptedResponse {
  const { say = "", calls = [] } = answer(chatRequest(request, { name: "rooroo-demo" }, new Set()));
  const toolCalls = calls.map(({ name, args }) => ({ name, arguments: args }));
  return { text: say, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

/** Returns the files of the sample project. */
async function sampleFiles(): Promise<Record<string, string>> {
  const folder = join(root, "scripts/sample/files");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(folder.length + 1).replaceAll("\\", "/")] = await readFile(path, "utf8");
  }
  return files;
}

/** The sample project with everything that `npm start` has, but for the window: the demo model, jobs and runs. */
async function open(files?: Record<string, string>) {
  const never = new AbortController().signal;
  const node: ShellScript = (request) => runNode(request.command, stage);
  const stage: NavigatorStage = new NavigatorStage(demo, {
    files: files ?? (await sampleFiles()),
    commands: { "node --test": node, "node --test test/csv.test.js": node },
    works: {
      job: {
        create: (job) => newJobFile(stage.files, new PlainSigner(), { ...job, dirs: [] }),
        begin: async ({ job: { name } }, signal) => {
          const { experts, publisher } = stage.dependencies;
          const services = { files: stage.files, lock: stage.lock, experts, publisher };
          const { code } = await outerLoop(
            { name, startedBy: "person", runners: 1, quota: 10, most: undefined } as const,
            services,
            signal,
          );
          return { status: code === 0 ? "done" : "failed" };
        },
      },
      run: {
        begin: async ({ run: { request } }) => {
          const { status } = await runs().drive(await runs().start(request));
          return { status: status === "waiting" || status === "done" ? status : "failed" };
        },
      },
    },
  });
  function runs(): Runs {
    const { experts, publisher } = stage.dependencies;
    const { files, lock } = stage;
    const layout = () => findLayout(files, undefined);
    return new Runs({ files, lock, experts, publisher, layout, say: () => undefined });
  }
  const say = (text: string) => stage.navigator.say(text);
  return { stage, say, runs, never };
}

/** Runs a command of Node's on the files as they are now. */
async function runNode(command: string, { files }: NavigatorStage) {
  const folder = await mkdtemp(join(tmpdir(), "rooroo-demo-"));
  try {
    for (const path of files.paths.filter((one) => !one.startsWith("."))) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), files.text(path) ?? "");
    }
    const args = command.split(" ").slice(1);
    // Within a run of Node's own test runner its children would report to that one.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    return await new Promise<ReturnType<typeof shellResult>>((resolve) => {
      execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) => {
        resolve(shellResult({ exitCode: error === null ? 0 : 1, output: stdout + stderr }));
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("the demo model plays what is suggested to its end:", () => {
  for (const text of ["Fix the failing test", "Run the tests and fix what fails."]) {
    it(`“${text}” mends the bug, and all tests pass`, async () => {
      const { stage, say } = await open();
      assert.equal((await say(text)).status, "done");
      assert.match(stage.ends.join("\n"), /^Done: Fixed: .* All \d+ tests pass\.$/);
      assert.match(stage.files.text("src/invoice.js") ?? "", /percentOf\(subtotal - discount/);
    });
  }

  for (const text of ["Plan a CSV export", "/plan A CSV export of invoices"]) {
    it(`“${text}” is planned in three tasks, built, tested and described`, async () => {
      const { stage, say } = await open();
      assert.equal((await say(text)).status, "done");
      const ends = stage.ends.map((end) => end.replace(/:.*/s, ""));
      assert.deepEqual(ends, ["Done", "Done", "Done", "Done"], stage.ends.join("\n"));
      assert.equal(stage.queueText, "");
      assert.ok(stage.files.paths.some((path) => path.endsWith("/findings.md")));
      assert.match(stage.files.text("src/index.js") ?? "", /invoiceToCsv/);
      assert.match(stage.files.text("README.md") ?? "", /## CSV/);
      assert.match(stage.files.text("CHANGELOG.md") ?? "", /## Unreleased\n\n- `invoiceToCsv`/);
    });
  }

  it("“Add a CSV export”, given to the developer, builds it", async () => {
    const { stage } = await open();
    const [expert, goal] = ["rooroo-developer", "Add a CSV export"];
    await stage.navigator.act({ action: "doTask", expert, goal });
    assert.match(stage.ends.join("\n"), /^Done: .*its tests pass \(2\)\.$/);
  });

  it("“Explain this project” is looked at, and says who answers", async () => {
    const { stage, say } = await open();
    await say("/ask How is this project built, and where does it start?");
    assert.match(stage.ends.join("\n"), /^Done: I am the scripted demo model/);
    assert.match(stage.ends.join("\n"), /There are 1\d files here\. I read:/);
  });

  it("one file is told of as one file", async () => {
    const { stage, say } = await open({ "notes.txt": "Notes\n" });
    await say("/ask How is this project built?");
    assert.match(stage.ends.join("\n"), /There is 1 file here/);
  });

  for (const text of ["/brainstorm What could tally do next?", "Brainstorm an idea"]) {
    it(`“${text}” talks, and writes down what was talked about`, async () => {
      const { stage, say } = await open();
      await say(text);
      await say("Credit notes");
      assert.match(stage.questions.at(-1)?.text ?? "", /write a summary/);
      await say("Yes, write it down");
      assert.match(stage.ends.at(-1) ?? "", /^Done: The ideas are in/);
      const summary = stage.files.text(".rooroo/brainstorming/next-steps.md");
      assert.match(summary ?? "", /Credit notes/);
    });
  }

  it("a job describes every module, and lists the pages", async () => {
    const { stage, never } = await open();
    const [name, goal] = ["module-pages", "Overnight, describe every module"];
    await newJobFile(stage.files, new PlainSigner(), { name, goal, dirs: [] });
    const { experts, publisher } = stage.dependencies;
    const services = { files: stage.files, lock: stage.lock, experts, publisher };
    const run = { name, startedBy: "person", runners: 1, quota: 10, most: undefined } as const;
    const end = await outerLoop(run, services, never);
    assert.equal(end.code, 0, JSON.stringify(end.reason));
    const { tasks } = readJobLog(stage.files.text(`.jixo/${name}.log.md`) ?? "");
    assert.equal(tasks.length, 7);
    const list = stage.files.text("docs/modules/README.md") ?? "";
    for (const module of ["cart", "discount", "index", "invoice", "money", "slug"]) {
      assert.match(list, new RegExp(`\\[${module}\\]\\(${module}\\.md\\)`));
      assert.match(stage.files.text(`docs/modules/${module}.md`) ?? "", /exports:\n\n- /);
    }
  });

  it("“Write a guide to this project” is offered as a run; once confirmed, each phase adds its document", async () => {
    const { stage, say, runs } = await open();
    const text = "Write a guide to this project";
    await say(text);
    assert.match(JSON.stringify(stage.events), /\/run|Start the Run/);
    const runId = await runs().start(text);
    assert.equal((await runs().drive(runId)).status, "waiting");
    const layout = await findLayout(stage.files, undefined);
    const proposal = () => stage.files.text(layout.proposal(runId)) ?? "";
    assert.match(proposal(), /I read the README/);

    await runs().decide(runId, { type: "MODIFY", words: "Name the licence, too." });
    assert.equal((await runs().drive(runId)).status, "waiting");
    assert.match(proposal(), /Name the licence, too\./);

    await runs().decide(runId, { type: "CONFIRM" });
    const end = await runs().drive(runId);
    assert.equal(end.status, "done", JSON.stringify(end.reason));
    const store = new RunStore(stage.files, stage.lock, layout);
    const phases = await store.rows("phases", runId);
    for (const { phase_name: name, status } of phases) assert.equal(status, "COMPLETED", name);
    const work = `${layout.run(runId)}/workspace`;
    for (const path of ["ANALYZING/facts", "STRATEGIZING/readers", "REFINING_CONTENT/outline"]) {
      assert.match(stage.files.text(`${work}/${path}.md`) ?? "", /^# tally\n\n\w/, path);
    }
    const guide = stage.files.text(`${layout.outputs(runId)}/guide.md`) ?? "";
    assert.match(guide, /^# A guide to tally\n\n\w/);
    assert.equal((await store.rows("process_runs"))[0]?.status, "COMPLETED");
  });
});
