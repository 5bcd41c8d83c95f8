import assert from "node:assert/strict";
import { noDocuments } from "../../../../src/core/changes/noDocuments.js";
import { TaskChanges } from "../../../../src/core/changes/taskChanges.js";
import { runExpert, type ExpertEnd } from "../../../../src/core/navigator/running/expertRunner.js";
import { KeyedQueue } from "../../../../src/core/text/keyedQueue.js";
import { AgentSession } from "../../../../src/core/work/agentSession.js";
import { BashParser } from "../../../../src/node/shell/bashParser.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemorySearch } from "../../../fakes/memorySearch.js";
import { MemorySnapshots } from "../../../fakes/memorySnapshots.js";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { PlainPdf } from "../../../fakes/plainPdf.js";
import type { ScriptedResponse } from "../../../fakes/scriptedModel.js";
import { ScriptedShell } from "../../../fakes/scriptedShell.js";

const id = "20260102-030405-a1b2c3-fix";

/** An expert at work in a checkout, whose state lies in the opened folder. */
describe("a task on a host that is not the opened folder", () => {
  const opened = { "src/a.txt": "opened\n", "only-opened.txt": "x\n", "package.json": "{}" };
  const inCheckout = { "src/a.txt": "checkout\n", ".rooignore": "private\n", "private/k": "k\n" };

  async function work(...replies: ScriptedResponse[]) {
    const stage = new NavigatorStage(replies, { files: opened });
    stage.preset = "sandbox";
    stage.shell.ability = { available: true, name: "scripted", direct: true };
    const checkout = new MemoryFileSystem(inCheckout);
    const shell = new ScriptedShell({
      "make build": () => {
        checkout.put("built.txt", "built\n");
        return Promise.resolve(ended);
      },
    });
    const search = new MemorySearch(checkout);
    const snapshots = new MemorySnapshots(checkout);
    const writes = new KeyedQueue();
    const host = {
      files: checkout,
      shell,
      pdf: new PlainPdf(),
      parser: new BashParser(),
      search,
      snapshots,
      writes,
    };
    const experts = { ...stage.dependencies.experts, host };
    const mode = stage.dependencies.modes.all.get("rooroo-developer");
    assert.ok(mode);
    const session = await AgentSession.open(
      {
        id,
        mode,
        goal: "Fix",
        guard: () => Promise.resolve(),
        onEvent: () => undefined,
        onNotice: () => undefined,
      },
      experts,
    );
    await session.begin({
      system: () => "You work.",
      user: async (environment) => `Fix.\n${await environment()}`,
    });
    const end = await runExpert(session, mode, experts, new AbortController().signal);
    const { signer, clock } = experts;
    const changes = new TaskChanges(
      { files: checkout, state: stage.files, signer, clock, documents: noDocuments },
      ".rooroo/tasks",
    );
    return { stage, checkout, shell, session, end, changes };
  }

  const results = ({ session }: { session: AgentSession }) =>
    session.transcript.messages.flatMap((one) => (one.role === "tool" ? [one.content] : []));

  it("works in the checkout and keeps all of its state in the opened folder", async () => {
    const made = await work(
      calls("read_file", { path: "src/a.txt" }),
      calls("write_to_file", { path: "src/a.txt", content: "new\n" }),
      calls("execute_command", { command: "make build" }),
      completes({ output_artifact_paths: ["built.txt"] }),
    );
    assert.equal(statusOf(made.end), "Done");
    assert.match(results(made)[0] ?? "", /checkout/);
    assert.equal(made.checkout.text("src/a.txt"), "new\n");
    const { files } = made.stage;
    assert.equal(files.text("src/a.txt"), "opened\n");
    assert.deepEqual(
      files.paths.filter((path) => !path.startsWith(".rooroo/")),
      Object.keys(opened).sort(),
    );
    assert.notEqual(files.text(`.rooroo/tasks/${id}/transcript.jsonl`), undefined);
    assert.notEqual(files.text(`.rooroo/tasks/${id}/changes/log.jsonl`), undefined);
    assert.deepEqual(
      made.checkout.paths.filter((path) => path.startsWith(".rooroo/")),
      [],
    );
  });

  it("records what its tools and commands change there, which is undone there", async () => {
    const made = await work(
      calls("read_file", { path: "src/a.txt" }),
      calls("write_to_file", { path: "src/a.txt", content: "new\n" }),
      calls("execute_command", { command: "make build" }),
      completes(),
    );
    const changed = await made.changes.files([id]);
    assert.deepEqual(
      changed.map(({ path }) => path),
      ["built.txt", "src/a.txt"],
    );
    await made.changes.undo(id, () => Promise.resolve(true));
    assert.equal(made.checkout.text("src/a.txt"), "checkout\n");
    assert.equal(made.checkout.text("built.txt"), undefined);
    assert.equal(made.stage.files.text("src/a.txt"), "opened\n");
  });

  it("judges paths and reports by the checkout's files", async () => {
    const made = await work(
      calls("read_file", { path: "private/k" }),
      calls("read_file", { path: "only-opened.txt" }),
      completes({ output_artifact_paths: ["only-opened.txt"] }),
      completes(),
    );
    const [hidden = "", missing = "", rejected = ""] = results(made);
    assert.match(hidden, /rooignore/);
    assert.match(missing, /There is no file only-opened/);
    assert.match(rejected, /only-opened\.txt, which does not exist/);
    assert.equal(statusOf(made.end), "Done");
  });

  it("has the sandbox show and protect what the checkout's own rules say", async () => {
    const made = await work(calls("execute_command", { command: "make build" }), completes());
    const profile = made.shell.requests[0]?.sandbox;
    assert.equal(profile?.masks("private"), true);
    assert.equal(profile.masks("src/a.txt"), false);
    assert.equal(made.stage.shell.requests.length, 0);
  });
});

const ended = {
  exitCode: 0,
  signal: null,
  endedBy: "itself",
  output: "built",
  omitted: 0,
  durationMs: 5,
} as const;

function statusOf(end: ExpertEnd): string {
  return end.type === "reported" ? end.report.status : JSON.stringify(end);
}
