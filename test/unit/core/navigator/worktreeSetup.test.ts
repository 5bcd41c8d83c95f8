import assert from "node:assert/strict";
import { isUserError } from "../../../../src/core/errors.js";
import type { WorkspaceHost } from "../../../../src/core/experts/workspaceHost.js";
import { setUpWorktree } from "../../../../src/core/navigator/worktrees/worktreeSetup.js";
import { KeyedQueue } from "../../../../src/core/text/keyedQueue.js";
import { BashParser } from "../../../../src/node/shell/bashParser.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemorySearch } from "../../../fakes/memorySearch.js";
import { PlainPdf } from "../../../fakes/plainPdf.js";
import { ScriptedShell, type ShellScript } from "../../../fakes/scriptedShell.js";

function hostWith(script: ShellScript): WorkspaceHost & { readonly shell: ScriptedShell } {
  const files = new MemoryFileSystem({ ".rooignore": "private\n" });
  const shell = new ScriptedShell({ "npm ci": script });
  const [parser, search] = [new BashParser(), new MemorySearch(files)];
  return { files, shell, pdf: new PlainPdf(), parser, search, writes: new KeyedQueue() };
}

describe("the setup command of a new worktree", () => {
  it("runs in its folder", async () => {
    const host = hostWith({ exitCode: 0 });
    await setUpWorktree(host, { command: "npm ci" });
    assert.deepEqual(
      host.shell.requests.map(({ command, cwd, sandbox }) => [command, cwd, sandbox]),
      [["npm ci", "", undefined]],
    );
  });

  it("runs in the sandbox where there is one, with the hosts that the user allows", async () => {
    const host = hostWith({ exitCode: 0 });
    host.shell.ability = { available: true, name: "a sandbox" };
    const sandbox = { enabled: "auto" as const, allowedHosts: ["registry.test"] };
    await setUpWorktree(host, { command: "npm ci", sandbox });
    const [profile] = host.shell.requests.map((request) => request.sandbox);
    assert.deepEqual(profile?.network, { hosts: ["registry.test"] });
    assert.equal(profile.masks("private"), true);
    assert.equal(profile.protects(".vscode/tasks.json"), true);
    await setUpWorktree(host, { command: "npm ci", sandbox: { ...sandbox, enabled: "off" } });
    assert.equal(host.shell.requests.at(-1)?.sandbox, undefined);
  });

  it("says what it printed if it fails", async () => {
    const host = hostWith({ exitCode: 1, output: "no lock file\n" });
    await assert.rejects(setUpWorktree(host, { command: "npm ci" }), (error) => {
      assert.ok(isUserError(error));
      assert.equal(error.code, "worktreeSetupFailed");
      assert.match(error.message, /\(npm ci\) failed.*\n\nno lock file$/s);
      return true;
    });
  });
});
