import assert from "node:assert/strict";
import { SeenFiles } from "../../../../src/core/agent/seenFiles.js";
import {
  type CommandEvent,
  type CommandStops,
  TaskCommands,
} from "../../../../src/core/agent/taskCommands.js";
import type {
  CommandAction,
  FileAction,
  Tool,
  ToolContext,
  ToolResult,
} from "../../../../src/core/agent/tool.js";
import { ChangeStore } from "../../../../src/core/changes/changeStore.js";
import { HostView } from "../../../../src/core/experts/workspaceHost.js";
import { KeyedQueue } from "../../../../src/core/text/keyedQueue.js";
import { readFile } from "../../../../src/core/tools/reading/readFile.js";
import { BashParser } from "../../../../src/node/shell/bashParser.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryDocuments } from "../../../fakes/memoryDocuments.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemorySearch } from "../../../fakes/memorySearch.js";
import { PlainPdf } from "../../../fakes/plainPdf.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import { ScriptedShell, type ShellScript } from "../../../fakes/scriptedShell.js";

const parser = new BashParser();
const taskFolder = ".rooroo/tasks/T";

/** A workspace in memory to use tools on. */
export class ToolWorld {
  readonly files: MemoryFileSystem;
  readonly shell: ScriptedShell;
  readonly documents: MemoryDocuments;
  readonly changes: ChangeStore;
  readonly seen = new SeenFiles();
  readonly stopper = new AbortController();
  live = "";
  readonly clock = new ManualClock();
  readonly events: CommandEvent[] = [];
  readonly stops: CommandStops = new Map();
  readonly commands = new TaskCommands(this.stops);

  constructor(
    files: Readonly<Record<string, string | Uint8Array>> | MemoryFileSystem = {},
    scripts: Readonly<Record<string, ShellScript>> = {},
    private readonly more: Partial<ToolContext> = {},
    documents?: MemoryDocuments,
  ) {
    this.files = files instanceof MemoryFileSystem ? files : new MemoryFileSystem(files);
    this.documents = documents ?? new MemoryDocuments(this.files);
    this.changes = new ChangeStore(this.files, new ManualClock(), new PlainSigner(), taskFolder);
    this.shell = new ScriptedShell(scripts);
  }

  get context(): ToolContext {
    const { files, documents, shell, clock } = this;
    const search = new MemorySearch(files);
    const host = {
      files,
      documents,
      shell,
      pdf: new PlainPdf(),
      parser,
      search,
      writes: new KeyedQueue(),
    };
    const view = new HostView(host, {
      mode: { slug: "rooroo-developer", writes: "project" },
      folder: taskFolder,
      sandbox: undefined,
      state: { files, clock: new ManualClock(), signer: new PlainSigner() },
      settings: () => ({ commands: { allow: [], deny: [] } }),
    });
    return {
      ...view.forCall(),
      seen: this.seen,
      commands: this.commands,
      clock,
      taskFolder,
      callId: "call/1",
      signal: this.stopper.signal,
      onEvent: (event) => this.events.push(event),
      onOutput: (text) => (this.live += text),
      ...this.more,
    };
  }

  /** Runs a tool as the loop does, with everything allowed. */
  async use<Arguments>(tool: Tool<Arguments>, args: Arguments): Promise<ToolResult> {
    const prepared = await this.prepare(tool, args);
    const result = "ok" in prepared ? prepared : await prepared.run({});
    for (const seen of result.seen ?? []) this.seen.note(seen);
    return result;
  }

  /** Has the agent read these files as a whole, as before it replaces them. */
  async reads(...paths: readonly string[]): Promise<void> {
    for (const path of paths) assert.ok((await this.use(readFile, { path })).ok);
  }

  prepare<Arguments>(tool: Tool<Arguments>, args: Arguments) {
    return tool.prepare(tool.parameters.parse(args), this.context);
  }

  /** Returns the proposed action of a call on a file or a command. */
  async actionOf<Arguments>(
    tool: Tool<Arguments>,
    args: Arguments,
  ): Promise<FileAction | CommandAction> {
    const prepared = await this.prepare(tool, args);
    assert.ok(!("ok" in prepared), "ok" in prepared ? prepared.content : "");
    assert.ok(prepared.action && "path" in prepared.action);
    return prepared.action;
  }

  /** Returns the words of a call that cannot work, which nobody is to be asked about. */
  async refusal<Arguments>(tool: Tool<Arguments>, args: Arguments): Promise<string> {
    const prepared = await this.prepare(tool, args);
    assert.ok("ok" in prepared, "the call was prepared");
    assert.equal(prepared.ok, false);
    return prepared.content;
  }
}
