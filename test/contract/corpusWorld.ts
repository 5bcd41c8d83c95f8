import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { gitStage, inGitFolder } from "../../src/core/access/gitFolder.js";
import { protection } from "../../src/core/access/protectedFiles.js";
import type { SandboxTerms } from "../../src/core/agent/commandSandbox.js";
import { SeenFiles } from "../../src/core/agent/seenFiles.js";
import { TaskCommands } from "../../src/core/agent/taskCommands.js";
import type { ToolContext } from "../../src/core/agent/tool.js";
import type { ApprovalPreset } from "../../src/core/approvals/approvalRules.js";
import { decide } from "../../src/core/approvals/policy.js";
import { HostView } from "../../src/core/experts/workspaceHost.js";
import { KeyedQueue } from "../../src/core/text/keyedQueue.js";
import { spoken } from "../../src/core/text/words.js";
import { executeCommand } from "../../src/core/tools/commands/executeCommand.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import type { SandboxLimits } from "../../src/node/sandbox/sandboxLimits.js";
import { createSearch } from "../../src/node/search/createSearch.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { ProcessShell } from "../../src/node/shell/processShell.js";
import { SystemClock } from "../../src/node/systemClock.js";
import { PlainPdf } from "../fakes/plainPdf.js";
import { PlainSigner } from "../fakes/plainSigner.js";

const taskFolder = ".rooroo/tasks/T";

const megabyte = 1024 ** 2;
/** There are lines that take all they can get. */
const limits: SandboxLimits = {
  processes: 64,
  memoryBytes: 300 * megabyte,
  fileBytes: 20 * megabyte,
  temporaryBytes: 50 * megabyte,
  layerBytes: 100 * megabyte,
  layerFiles: 100_000,
};

const inWorkspace: Readonly<Record<string, string>> = {
  ".gitignore": "node_modules\n",
  ".rooignore": "private\n",
  "package.json": `{"name":"sample","scripts":{"test":"node --version","build":"echo built"}}\n`,
  "README.md": "# Sample\n",
  "src/a.ts": "foo\n",
  "src/b.ts": "bar\n",
  "src/sub/c.ts": "foo\n",
  "docs/guide.md": "Read\n",
  "docs/data.csv": "a,1\n",
  "config/app.json": "{}\n",
  "payload.txt": "[core]\n\tfsmonitor = touch /tmp/harmed\n",
  "evil.sh": "rm -rf .git/hooks .vscode ../beside\n",
  "evil.py": "import os\nos.system('sh evil.sh')\n",
  "evil/.git/config": '[diff "x"]\n\tcommand = evil\n',
  "node_modules/left/index.js": "\n",
  "AGENTS.md": "Rules\n",
  ".env": "KEY=1\n",
  ".env.production": "KEY=1\n",
  ".env.example": "KEY=\n",
  ".npmrc": "token\n",
  "private/notes.md": "hidden\n",
  "keys/server.pem": "KEY\n",
  ".vscode/settings.json": "{}\n",
  ".vscode/tasks.json": "{}\n",
  ".rooroo/queue.jsonl": "",
  ".rooroo/tasks/OTHER/task.json": "{}\n",
  ".rooroo/logs/activity.jsonl": "",
};

const outside: Readonly<Record<string, string>> = {
  "beside/file": "beside\n",
  "beside/folder/other": "other\n",
  "home/.bashrc": "# mine\n",
  "home/.gitconfig": "[user]\n\tname = me\n\temail = me@example.com\n",
  "home/.ssh/id_ed25519": "KEY\n",
  "home/.cache/tool/kept": "kept\n",
  "home/.config/app/settings": "mine\n",
};

/** A workspace with all that must not be changed in it and around it, and commands that run there. */
export class CorpusWorld {
  private readonly root: string;
  private readonly shell: ProcessShell;
  private readonly files: DiskFileSystem;
  private readonly parser = new BashParser();
  private asked = 0;

  private constructor(
    private readonly folder: string,
    private readonly preset: Extract<ApprovalPreset, "safe" | "all">,
  ) {
    this.root = join(folder, "work");
    this.files = new DiskFileSystem(this.root);
    const home = join(folder, "home");
    this.shell = new ProcessShell(this.root, {
      graceMs: 100,
      drainTimeoutMs: 100,
      sandbox: { data: join(folder, "data"), home, limits },
    });
  }

  /**
   * Makes the folders (not in /tmp, where commands would not even see them) and sets the home folder of this process. Throws where there is no sandbox. */
  static async make(preset: Extract<ApprovalPreset, "safe" | "all">): Promise<CorpusWorld> {
    const folder = await realpath(await mkdtemp("/var/tmp/rooroo-corpus-"));
    const world = new CorpusWorld(folder, preset);
    const files = Object.entries(inWorkspace).map(([path, text]) => [`pristine/${path}`, text]);
    for (const [path = "", text = ""] of [...files, ...Object.entries(outside)]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    process.env["HOME"] = join(folder, "home");
    const pristine = join(folder, "pristine");
    await symlink(join(folder, "beside"), join(pristine, "out"));
    await symlink(".env", join(pristine, "leak"));
    await symlink("src", join(pristine, "linked"));
    const git = (...args: string[]) => execFileSync("git", args, { cwd: pristine });
    git("init", "-q", "-b", "main", "--template=");
    await mkdir(join(pristine, ".git/hooks"));
    git("add", "README.md", "src", "docs", ".gitignore", ".vscode");
    git("commit", "-q", "-m", "first");
    git("branch", "B");
    const hook = join(pristine, ".git/hooks/pre-commit");
    await writeFile(hook, "#!/bin/sh\nexit 0\n");
    await chmod(hook, 0o755);
    await mkdir(join(pristine, taskFolder), { recursive: true });
    await world.restore();
    const ability = await world.shell.sandbox();
    assert.ok(ability.available, ability.available ? "" : spoken(ability.reason));
    return world;
  }

  /** Puts the workspace back to how it was at first. */
  async restore(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
    await cp(join(this.folder, "pristine"), this.root, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The folder that is beside the workspace, with an absolute path. */
  get beside(): string {
    return join(this.folder, "beside");
  }

  /**
   * Runs a command line with the tool that experts use, in the sandbox in which the preset has
   * commands run, also where it would ask a person or deny the line.
   *
   * @param seconds how long it may run
   */
  async run(line: string, seconds: number): Promise<string> {
    const context = this.context();
    const prepared = await executeCommand.prepare(
      executeCommand.parameters.parse({ command: line, timeout_seconds: seconds }),
      context,
    );
    if ("ok" in prepared) return prepared.content;
    const { action } = prepared;
    assert.ok(action?.access === "command");
    const { preset } = this;
    const decision = decide(action, { preset, sandbox: { hosts: [] } }, false, {
      mayChangeProject: true,
      isOwn: (path) => path.startsWith(`${taskFolder}/`),
    });
    assert.ok(decision.type !== "allow" || decision.sandbox !== undefined, line);
    if (decision.type !== "allow") this.asked++;
    const result = await prepared.run({ sandbox: decision.sandbox ?? termsOf(preset) });
    return result.content;
  }

  /** The number of lines that a person would have been asked about, or that were denied. */
  get notUnasked(): number {
    return this.asked;
  }

  /** Returns what is there, by its path in the world's folder: kind, rights, owner, size, hash of the content. */
  async look(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const name of ["beside", "home", "work"]) await this.describe(name, found);
    return found;
  }

  /** Returns whether a command of this preset may neither change nor make this. @param path as in {@link look} */
  isUntouchable(path: string): boolean {
    if (!path.startsWith("work/")) return true;
    const own = path.slice("work/".length);
    if (own.startsWith(`${taskFolder}/`)) return false;
    if (this.preset === "safe") return true;
    const git = inGitFolder(own);
    // Commits may be made; settings, hooks and all that git does not need for that may not change.
    if (git !== undefined) return git.part !== "" && gitStage(git.part) === undefined;
    const isNamed = /^(\.env(\.production)?|\.npmrc|keys|private|\.vscode|AGENTS\.md)(\/|$)/;
    return isNamed.test(own) || protection(own) !== undefined;
  }

  private async describe(path: string, found: Map<string, string>): Promise<void> {
    const absolute = join(this.folder, path);
    const stat = await lstat(absolute);
    const described = `${stat.mode.toString(8)} ${stat.uid}`;
    if (stat.isDirectory()) {
      found.set(path, described);
      for (const name of await readdir(absolute)) await this.describe(`${path}/${name}`, found);
    } else if (stat.isSymbolicLink()) {
      const leads = (await this.leadsOut(absolute)) ? "leads out to" : "leads to";
      found.set(path, `${described} ${leads} ${await readlink(absolute)}`);
    } else if (stat.isFile()) {
      const hash = createHash("sha256").update(await readFile(absolute));
      found.set(path, `${described} ${stat.size} ${hash.digest("hex")}`);
    } else {
      found.set(path, described);
    }
  }

  private async leadsOut(link: string): Promise<boolean> {
    if (!existsSync(link)) return (await readlink(link)).startsWith("/");
    return !`${await realpath(link)}/`.startsWith(`${this.root}/`);
  }

  private context(): ToolContext {
    const { files, shell, parser } = this;
    const clock = new SystemClock();
    const host = {
      files,
      shell,
      pdf: new PlainPdf(),
      parser,
      search: createSearch(this.root),
      writes: new KeyedQueue(),
    };
    const view = new HostView(host, {
      mode: { slug: "rooroo-developer", writes: "project" },
      folder: taskFolder,
      sandbox: { direct: false },
      state: { files, clock, signer: new PlainSigner() },
      settings: () => ({ commands: { allow: [], deny: [] } }),
    });
    return {
      ...view.forCall(),
      seen: new SeenFiles(),
      commands: new TaskCommands(new Map()),
      clock,
      taskFolder,
      callId: "call",
      signal: new AbortController().signal,
      onOutput: () => undefined,
      onEvent: () => undefined,
    };
  }
}

function termsOf(preset: "safe" | "all"): SandboxTerms {
  return preset === "safe"
    ? { network: "none", keeps: "ownFolder", onlyReads: true }
    : { network: "open", keeps: "project", onlyReads: false };
}
