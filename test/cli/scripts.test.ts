import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const fixes = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
for (const name of readdirSync("src")) {
  const text = readFileSync("src/" + name, "utf8");
  writeFileSync("src/" + name, text.replace("var ", "const "));
}
`;
const generates = `
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
mkdirSync("made/deep", { recursive: true });
writeFileSync("made/deep/new.bin", Buffer.from([0, 255, 1]));
writeFileSync("made/run.sh", "#!/bin/sh\\n", { mode: 0o755 });
rmSync("tool.sh");
renameSync("docs/old.md", "docs/new.md");
chmodSync("notes.txt", 0o600);
`;
const formats = "sed -i 's/$/;/' src/0.js && printf 'mine\\n' >> notes.txt";

/** Returns a project under git of 41 source files and some more, on which nothing has been done yet. */
async function project(...commands: readonly string[]): Promise<Stage> {
  const sources = Array.from({ length: 41 }, (_, index) => [
    `src/${index}.js`,
    `var a = ${index}\n`,
  ]);
  const script = plays(
    { route: "direct", expert: "rooroo-developer", goal: "Mend it" },
    {
      "rooroo-developer": (request) => {
        const command = commands[settled(request)];
        return command === undefined ? completes() : calls("execute_command", { command });
      },
    },
  );
  const stage = await Stage.open(script, {
    ...(Object.fromEntries(sources) as Record<string, string>),
    "fix.mjs": fixes,
    "generate.mjs": generates,
    "tool.sh": "#!/bin/sh\n",
    "docs/old.md": "# Old\r\n",
    "notes.txt": "notes",
    ".gitignore": "build/\n",
    "build/out.js": "built\n",
  });
  await chmod(stage.path("tool.sh"), 0o755);
  git(stage, "init", "-q");
  git(stage, "add", "-A");
  git(stage, "commit", "-qm", "Begin");
  return stage;
}

function git(stage: Stage, ...args: readonly string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...who, ...args], { cwd: stage.root, encoding: "utf8" });
}

/** Returns the bytes and modes of all files but git's and Rooroo's own. */
async function everything(stage: Stage, folder = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(join(stage.root, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if ([".git", ".rooroo", "package.tgz"].includes(path)) continue;
    if (entry.isDirectory()) Object.assign(found, await everything(stage, path));
    else {
      const { mode } = await lstat(stage.path(path));
      const bytes = await readFile(stage.path(path), "base64");
      found[path] = `${(mode & 0o777).toString(8)} ${bytes}`;
    }
  }
  return found;
}

async function reviewed(stage: Stage, taskId: string): Promise<string[]> {
  const { files } = (await stage.json("changes", taskId)) as {
    files: { path: string; kind: string; problem?: string }[];
  };
  return files.map(({ path, kind, problem }) => `${path} ${problem ?? kind}`);
}

describe("what a script changes without a sandbox", () => {
  afterEach(closeStages);

  it("is in the review, and is undone byte for byte and mode for mode", async () => {
    const stage = await project("node fix.mjs", formats, "node generate.mjs", "cat notes.txt");
    const before = await everything(stage);
    const ended = await stage.runAll("ask", "Mend it");
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.equal(await stage.read("src/40.js"), "const a = 40\n");
    const [task] = await stage.tasks();
    const files = await reviewed(stage, task!.taskId);
    assert.equal(files.filter((one) => one.startsWith("src/")).length, 41);
    assert.deepEqual(
      files.filter((one) => !one.startsWith("src/")),
      [
        "docs/new.md added",
        "docs/old.md removed",
        "made/deep/new.bin added",
        "made/run.sh added",
        "notes.txt changed",
        "tool.sh removed",
      ],
    );
    const undone = await stage.run("undo", task!.taskId);
    assert.equal(undone.code, 0, undone.stdout);
    assert.deepEqual(await everything(stage), before);
    assert.equal(git(stage, "status", "--porcelain"), "");
  });

  it("is what a package manager installs, and what git checks out", async () => {
    const stage = await project(
      "npm install --offline --no-audit --no-fund ./package.tgz",
      "git checkout src/1.js",
    );
    const source = `${stage.home}/package`;
    await mkdir(source, { recursive: true });
    await writeFile(join(source, "package.json"), '{"name":"left","version":"1.0.0"}');
    await writeFile(join(source, "index.js"), "module.exports = 1;\n");
    execFileSync("tar", ["czf", stage.path("package.tgz"), "-C", stage.home, "package"]);
    await stage.write("package.json", '{"name":"mine","version":"1.0.0"}\n');
    await stage.write("src/1.js", "not committed\n");
    const before = await everything(stage);
    assert.equal((await stage.runAll("ask", "Mend it")).code, 0);
    assert.equal(await stage.read("src/1.js"), "var a = 1\n");
    assert.equal(await stage.read("node_modules/left/index.js"), "module.exports = 1;\n");
    const [task] = await stage.tasks();
    const files = await reviewed(stage, task!.taskId);
    for (const one of ["node_modules/left/index.js added", "package-lock.json added"]) {
      assert.ok(files.includes(one), files.join("\n"));
    }
    const undone = await stage.run("undo", task!.taskId);
    assert.equal(undone.code, 0, undone.stdout);
    assert.deepEqual(await everything(stage), before);
  });

  it("is found and undone after a kill in the middle of it", async () => {
    const stage = await project("node fix.mjs; kill -9 $PPID");
    const before = await everything(stage);
    const killed = await stage.runProcess("ask", "Mend it", "--approve", "all");
    assert.equal(killed.signal, "SIGKILL");
    const [task] = await stage.tasks();
    assert.equal((await reviewed(stage, task!.taskId)).length, 41);
    const undone = await stage.run("undo", task!.taskId);
    assert.equal(undone.code, 0, undone.stdout);
    assert.deepEqual(await everything(stage), before);
  });

  it("is not what others record meanwhile, nor what git is to see of the records", async () => {
    const stage = await project("git add -A && git commit -qm All");
    const ended = await stage.runAll("ask", "Mend it");
    assert.equal(ended.code, 0, ended.stdout);
    assert.doesNotMatch(git(stage, "ls-files"), /\.rooroo/);
    await stage.write(".rooroo/rules/own.md", "Be kind.\n");
    assert.match(git(stage, "status", "--porcelain", "-uall"), /^\?\? \.rooroo\/rules\/own\.md\n$/);
  });
});
