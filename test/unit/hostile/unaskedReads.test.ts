import assert from "node:assert/strict";
import { agentFiles } from "../../../src/core/access/agentFiles.js";
import { IgnoredFiles } from "../../../src/core/access/ignoredFiles.js";
import { decide } from "../../../src/core/approvals/policy.js";
import { closestContexts } from "../../../src/core/envelope/closestContexts.js";
import { UserError } from "../../../src/core/errors.js";
import { environmentText } from "../../../src/core/experts/environment.js";
import { Instructions } from "../../../src/core/experts/instructions.js";
import { readOwnCommands } from "../../../src/core/experts/ownCommands.js";
import { readSkills } from "../../../src/core/experts/skills.js";
import { KeptImages } from "../../../src/core/images/keptImages.js";
import { findForeign } from "../../../src/core/imports/findForeign.js";
import { readJobs } from "../../../src/core/jobs/documents/jobFolder.js";
import { readAttachments } from "../../../src/core/navigator/attachments/readAttachments.js";
import { typedMentions } from "../../../src/core/navigator/attachments/typedMentions.js";
import { placeFindings } from "../../../src/core/navigator/running/placeFindings.js";
import { TaskStore } from "../../../src/core/navigator/tasks/taskStore.js";
import { givenTexts } from "../../../src/core/runs/work/givenTexts.js";
import { inputFiles, summaryOf } from "../../../src/core/runs/work/inputFiles.js";
import { readFile } from "../../../src/core/tools/reading/readFile.js";
import { searchFiles } from "../../../src/core/tools/reading/searchFiles.js";
import { ManualClock } from "../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../fakes/memoryFileSystem.js";
import { MemorySearch } from "../../fakes/memorySearch.js";
import { PlainPdf } from "../../fakes/plainPdf.js";
import { PlainSigner } from "../../fakes/plainSigner.js";
import { ScriptedShell } from "../../fakes/scriptedShell.js";
import { ToolWorld } from "../core/tools/toolWorld.js";

/** In each file that must not be read unasked. */
const secret = "hunter22";

const targets = [
  ".env",
  "private/plan.md",
  "secrets/notes.md",
  "/etc/passwd",
  ".git/config",
  ".git/config.worktree",
  ".git/modules/sub/config",
  ".git/worktrees/one/config.worktree",
  ".git/logs/HEAD",
  "packages/a/.git/config",
  "store/config",
  "store/hooks/update",
] as const;

function workspace(): MemoryFileSystem {
  const files = Object.fromEntries(targets.map((path) => [path, `# ${secret}\n`]));
  return new MemoryFileSystem({
    ...files,
    ".rooignore": "private/\n",
    "src/a.js": "let a;\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    "store/HEAD": "ref: refs/heads/main\n",
    "store/objects/info/packs": "",
    "store/refs/heads/main": "",
  });
}

/** Reads by a name, which may be that of a link to the target, and returns all that a model may be told. */
type Way = (path: string, files: MemoryFileSystem) => Promise<unknown>;

const signal = new AbortController().signal;

function host(files: MemoryFileSystem) {
  return {
    files,
    search: new MemorySearch(files),
    shell: new ScriptedShell({}),
    pdf: new PlainPdf(),
  };
}

const attached =
  (attachment: (path: string) => Parameters<typeof readAttachments>[0][number]): Way =>
  (path, files) => {
    const places = {
      host: host(files),
      images: new KeptImages(files),
      taskOutcome: () => Promise.resolve(""),
    };
    return readAttachments([attachment(path)], places, signal);
  };

/** What files, lists, messages and reports can name, each with the name. */
const named: Readonly<Record<string, Way>> = {
  "the context of a queue's line": (path, files) =>
    new TaskStore(files, new ManualClock(), new PlainSigner()).readContext(path),
  "an attached file": attached((path) => ({ kind: "file", path })),
  "an attached symbol": attached((path) => ({ kind: "symbol", path, name: "a", from: 1, to: 1 })),
  "a mention": async (path, files) => {
    const places = {
      host: host(files),
      images: new KeptImages(files),
      taskOutcome: () => Promise.resolve(""),
    };
    return readAttachments(await typedMentions(`see @${path}`, files, undefined), places, signal);
  },
  "the material of a run": (path, files) => givenTexts([path], files, 1_000, true),
  "the summary of a run's output": (path, files) => summaryOf(files, path),
  "the place of a finding": (path, files) =>
    placeFindings(
      [{ path, line: 1, endLine: null, severity: "error", message: "x", suggestion: null }],
      host(files),
    ),
};

/** Places where files of the workspace are looked for, and the way in which they are read there. */
const looked: readonly (readonly [what: string, place: string, Way])[] = [
  ...[
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    "QWEN.md",
    ".roo/rules/a.md",
    ".clinerules",
    ".cursorrules",
    "src/AGENTS.md",
  ].map((place) => [`the rules ${place}`, place, rules] as const),
  ["a skill", ".roo/skills/one/SKILL.md", (_, files) => readSkills(files)],
  ["a command", ".roo/commands/one.md", (_, files) => readOwnCommands(files)],
  ["a manifest", "package.json", (_, files) => environmentText(host(files), new ManualClock())],
  [
    "the targets of make",
    "Makefile",
    (_, files) => environmentText(host(files), new ManualClock()),
  ],
  [
    "a context.md",
    "context.md",
    (_, files) => closestContexts([], agentFiles(files, new IgnoredFiles(files))),
  ],
  ["the material of a run", "assets/a.md", (_, files) => inputFiles(files, "assets")],
  ["a job's file", ".jixo/one.job.md", (_, files) => readJobs(files)],
  ["a job's log", ".jixo/two.log.md", (_, files) => readJobs(files)],
  [
    "settings of another tool",
    ".kilocodemodes",
    (_, files) => findForeign(files, true, { home: "/home/me", storage: [], named: [] }),
  ],
];

async function rules(_: string, files: MemoryFileSystem): Promise<unknown> {
  return new Instructions(files, () => undefined).read({
    slug: "rooroo-developer",
    tools: ["read_file"],
  });
}

async function toldBy(way: Way, path: string, files: MemoryFileSystem): Promise<string> {
  const told = await way(path, files).catch((error: unknown) => error);
  return JSON.stringify([told instanceof Error ? told.message : told]);
}

describe("what a person must be asked about is not read", () => {
  for (const [what, way] of Object.entries(named)) {
    it(`where its name is ${what}`, async () => {
      for (const target of targets) {
        const files = workspace();
        assert.ok(!(await toldBy(way, target, files)).includes(secret), target);
        files.link("linked.md", target);
        assert.ok(!(await toldBy(way, "linked.md", files)).includes(secret), `a link to ${target}`);
      }
    });
  }

  for (const [what, place, way] of looked) {
    it(`where a link to it is ${what}`, async () => {
      const up = "../".repeat(place.split("/").length - 1);
      for (const target of targets) {
        const files = workspace();
        if (what === "a job's log") files.put(".jixo/two.job.md", "Go.\n");
        files.link(place, target.startsWith("/") ? target : `${up}${target}`);
        assert.ok(!(await toldBy(way, place, files)).includes(secret), target);
      }
    });
  }

  it("where a link to its folder is one of rules", async () => {
    for (const target of ["private", "secrets", ".git", "store", "/etc"]) {
      const files = workspace();
      files.link(".roo/rules", target.startsWith("/") ? target : `../${target}`);
      assert.ok(!(await toldBy(rules, "", files)).includes(secret), target);
    }
  });

  it("by an expert's tools, under the preset “safe”", async () => {
    const world = new ToolWorld(workspace());
    for (const target of targets) {
      // What is in a folder that only looks like git's is the workspace's own.
      if (target.startsWith("store/") || target === ".git/logs/HEAD") continue;
      const action = await world.actionOf(readFile, { path: target }).catch((error: unknown) => {
        // What is hidden is refused.
        assert.ok(error instanceof UserError);
      });
      if (action === undefined) continue;
      assert.equal(decide(action, { preset: "safe" }, false).type, "ask", target);
    }
    const { content } = await world.use(searchFiles, { path: ".", regex: secret });
    for (const target of targets) {
      if (target.startsWith("store/") || target === ".git/logs/HEAD") continue;
      assert.ok(!content.includes(target), `${target}: ${content}`);
    }
  });
});
