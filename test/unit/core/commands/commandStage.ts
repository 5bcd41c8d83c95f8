import { IgnoredFiles } from "../../../../src/core/access/ignoredFiles.js";
import { WorkspaceGuard } from "../../../../src/core/access/locatedPath.js";
import type { CommandReview } from "../../../../src/core/agent/commandFacts.js";
import type { ApprovalPreset } from "../../../../src/core/approvals/approvalRules.js";
import { decide } from "../../../../src/core/approvals/policy.js";
import type { CommandRules } from "../../../../src/core/commands/commandRules.js";
import { reviewCommand } from "../../../../src/core/commands/reviewCommand.js";
import type { GitHistory } from "../../../../src/core/ports/git.js";
import { BashParser } from "../../../../src/node/shell/bashParser.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

const parser = new BashParser();

const project = {
  ".gitignore": "node_modules\n",
  "package.json": "{}",
  "README.md": "# Sample\n",
  "src/a.ts": "foo\n",
  "src/b.ts": "bar\n",
  "src/sub/c.ts": "foo\n",
  "docs/guide.md": "Read\n",
  "docs/data.csv": "a,1\n",
  "config/app.json": "{}",
  ".env": "KEY=1\n",
  ".env.example": "KEY=\n",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/objects/info/packs": "",
  ".git/refs/heads/main": "0123456789012345678901234567890123456789\n",
  ".git/config":
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/x.git\n[branch "main"]\n\tremote = origin\n',
  "node_modules/left/index.js": "\n",
  "AGENTS.md": "Rules\n",
};

const traps = {
  ".env.production": "KEY=1\n",
  "private/notes.md": "hidden\n",
  "keys/server.pem": "KEY\n",
  id_rsa: "KEY\n",
  ".npmrc": "token\n",
  "credentials.json": "{}",
  "evil.sh": "rm x\n",
  "evil/.git/config": '[diff "x"]\n\tcommand = evil\n',
};

/** Judges commands in a sample project. */
export class CommandStage {
  readonly files: MemoryFileSystem;
  rules: CommandRules = { allow: [], deny: [] };
  preset: ApprovalPreset = "safe";
  mayChangeProject = true;
  /** What was committed, by its hash; absent: nobody can tell. */
  history: GitHistory | undefined = new Map([
    ["abc1234000000000000000000000000000000000", undefined],
    ["b10b000000000000000000000000000000000000", "src/a.ts"],
  ]);

  /** @param trapped with keys, and with links that lead out of it and to its secrets */
  constructor(trapped = true) {
    this.files = new MemoryFileSystem(trapped ? { ...project, ...traps } : project);
    if (!trapped) return;
    this.files.link("out", "/etc");
    this.files.link("leak", ".env");
    this.files.link("linked", "src");
  }

  review(line: string, folder = ""): Promise<CommandReview> {
    const { files, rules } = this;
    const isHidden = (path: string) => path.startsWith("private");
    const guard = new WorkspaceGuard(files, new IgnoredFiles(files));
    const protection = async (path: string) => (await guard.locate(path)).protection;
    const history = () => Promise.resolve(this.history);
    return reviewCommand(line, folder, { files, isHidden, protection, parser, rules, history });
  }

  async decide(line: string, folder = "") {
    return this.decisionOf(line, await this.review(line, folder), folder);
  }

  decisionOf(line: string, { facts, pinned }: CommandReview, folder = "") {
    const { preset, mayChangeProject } = this;
    return decide(
      {
        access: "command",
        title: line,
        command: line,
        path: folder,
        inside: true,
        facts,
        pinned,
        preview: { kind: "command", text: line },
      },
      { preset },
      false,
      { mayChangeProject, isOwn: (path) => path.startsWith(".rooroo/tasks/T") },
    );
  }
}
