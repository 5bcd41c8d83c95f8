import assert from "node:assert/strict";
import { SeenFiles } from "../../../../src/core/agent/seenFiles.js";
import { TaskCommands } from "../../../../src/core/agent/taskCommands.js";
import type { Tool, ToolContext, ToolResult } from "../../../../src/core/agent/tool.js";
import { noDocuments } from "../../../../src/core/changes/noDocuments.js";
import { TaskChanges } from "../../../../src/core/changes/taskChanges.js";
import { HostView } from "../../../../src/core/experts/workspaceHost.js";
import { KeyedQueue } from "../../../../src/core/text/keyedQueue.js";
import { executeCommand } from "../../../../src/core/tools/commands/executeCommand.js";
import { writeToFile } from "../../../../src/core/tools/editing/writeToFile.js";
import { readFile } from "../../../../src/core/tools/reading/readFile.js";
import { BashParser } from "../../../../src/node/shell/bashParser.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemorySearch } from "../../../fakes/memorySearch.js";
import { PlainPdf } from "../../../fakes/plainPdf.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import { ScriptedShell } from "../../../fakes/scriptedShell.js";

const folder = ".rooroo/tasks/T";
const own = { slug: "rooroo-developer", writes: "project" } as const;

describe("a session on a host that is not the opened folder", () => {
  const clock = new ManualClock();
  const signer = new PlainSigner();
  let opened: MemoryFileSystem;
  let checkout: MemoryFileSystem;
  let shell: ScriptedShell;

  beforeEach(() => {
    opened = new MemoryFileSystem({ "src/a.txt": "opened\n" });
    checkout = new MemoryFileSystem({ "src/a.txt": "checkout\n", ".rooignore": "private\n" });
    shell = new ScriptedShell({ "npm test": { output: "passed" } });
  });

  const seen = new SeenFiles();
  const context = (): ToolContext => {
    const search = new MemorySearch(checkout);
    const writes = new KeyedQueue();
    const host = {
      files: checkout,
      shell,
      pdf: new PlainPdf(),
      parser: new BashParser(),
      search,
      writes,
    };
    const state = { files: opened, clock, signer };
    const settings = () => ({ commands: { allow: [], deny: [] } });
    const view = new HostView(host, { mode: own, folder, sandbox: undefined, state, settings });
    return {
      ...view.forCall(),
      seen,
      commands: new TaskCommands(new Map()),
      clock,
      taskFolder: folder,
      callId: "call",
      signal: new AbortController().signal,
      onOutput: () => undefined,
      onEvent: () => undefined,
    };
  };
  const use = async <Arguments>(tool: Tool<Arguments>, args: Arguments): Promise<ToolResult> => {
    const prepared = await tool.prepare(tool.parameters.parse(args), context());
    const result = "ok" in prepared ? prepared : await prepared.run({});
    for (const one of result.seen ?? []) seen.note(one);
    return result;
  };

  it("reads, writes and runs there, and leaves the opened folder's files alone", async () => {
    assert.match((await use(readFile, { path: "src/a.txt" })).content, /checkout/);
    assert.equal((await use(writeToFile, { path: "src/a.txt", content: "new\n" })).ok, true);
    assert.equal(checkout.text("src/a.txt"), "new\n");
    assert.equal(opened.text("src/a.txt"), "opened\n");
    assert.match((await use(executeCommand, { command: "npm test" })).content, /passed/);
    await assert.rejects(use(readFile, { path: "private/key.txt" }));
  });

  it("keeps its own state in the opened folder, from which the change is undone", async () => {
    await use(readFile, { path: "src/a.txt" });
    await use(writeToFile, { path: "src/a.txt", content: "new\n" });
    assert.notEqual(opened.text(`${folder}/changes/log.jsonl`), undefined);
    assert.deepEqual(await checkout.readDirectory(".rooroo"), []);
    const changes = new TaskChanges(
      { files: checkout, state: opened, signer, clock, documents: noDocuments },
      ".rooroo/tasks",
    );
    const [file] = await changes.files(["T"]);
    assert.equal(file?.path, "src/a.txt");
    await changes.undo("T", () => Promise.resolve(true));
    assert.equal(checkout.text("src/a.txt"), "checkout\n");
    assert.equal(opened.text("src/a.txt"), "opened\n");
  });
});
