import { strict as assert } from "node:assert";
import { resolve } from "node:path";
import * as vscode from "vscode";
import type { ShellRequest } from "../../src/core/ports/shell.js";
import { OutputKeeper } from "../../src/node/shell/outputKeeper.js";
import { ProcessShell } from "../../src/node/shell/processShell.js";
import { terminalCommand } from "../../src/node/shell/terminalCommand.js";
import { TerminalShell } from "../../src/vscode/workspace/terminalShell.js";
import { disk, eventually } from "./product.js";

const never = new AbortController().signal;

describe("commands in a terminal", () => {
  const opened: vscode.Terminal[] = [];
  let subscription: vscode.Disposable;
  before(() => {
    subscription = vscode.window.onDidOpenTerminal((terminal) => opened.push(terminal));
  });
  after(() => {
    subscription.dispose();
  });
  beforeEach(() => {
    opened.length = 0;
  });

  const shell = () => {
    const root = disk.path("");
    const processes = new ProcessShell(root);
    const world = {
      processes,
      shellPath: () => processes.path,
      folder: (path: string) => resolve(root, path),
      command: () => terminalCommand(root),
      keep: () => new OutputKeeper(undefined),
    };
    return new TerminalShell(world, () => true);
  };
  const run = (command: string, more: Partial<ShellRequest> = {}, signal = never) =>
    shell().run(
      { command, cwd: "", timeoutMs: 40_000, onOutput: () => undefined, ...more },
      signal,
    );
  const allClosed = () =>
    eventually(
      () => opened.every(({ exitStatus }) => exitStatus !== undefined),
      "closed terminals",
    );

  it("are seen, and answered for with their output and exit code", async () => {
    const result = await run("echo hel''lo; pwd; (exit 3)", { cwd: "src" });
    assert.deepEqual([result.exitCode, result.endedBy, result.signal], [3, "itself", null]);
    assert.match(result.output, /hello\r?\n.*\/src\r?\n/);
    assert.equal(opened.length, 1);
    await allClosed();
  });

  it("end when they are stopped, with their terminal", async () => {
    const stopper = new AbortController();
    const onOutput = (text: string) => {
      if (text.includes("begun")) stopper.abort();
    };
    const result = await run("echo be''gun; sleep 300", { onOutput }, stopper.signal);
    assert.equal(result.endedBy, "stop");
    await allClosed();
  });

  it("end when their time is up, with their terminal", async () => {
    const result = await run("sleep 300", { timeoutMs: 500 });
    assert.deepEqual([result.endedBy, result.exitCode], ["timeout", null]);
    await allClosed();
  });

  it("run as processes where a terminal would run something else", async () => {
    assert.equal((await run("echo a\necho b!")).output, "a\nb!\n");
    assert.deepEqual(opened, []);
  });
});
