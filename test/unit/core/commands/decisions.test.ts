import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandAction } from "../../../../src/core/agent/tool.js";
import {
  type Permission,
  permissionCovers,
  permissionsFor,
} from "../../../../src/core/approvals/permission.js";
import { reviewCommand } from "../../../../src/core/commands/reviewCommand.js";
import { DiskFileSystem } from "../../../../src/node/files/diskFileSystem.js";
import { BashParser } from "../../../../src/node/shell/bashParser.js";
import { CommandStage } from "./commandStage.js";

describe("commands under the preset “all”", () => {
  async function types(
    lines: readonly string[],
    stage = new CommandStage(),
  ): Promise<Record<string, string>> {
    stage.preset = "all";
    const answers = await Promise.all(
      lines.map(async (line) => [line, (await stage.decide(line)).type]),
    );
    return Object.fromEntries(answers) as Record<string, string>;
  }
  const all = (lines: readonly string[], type: string) =>
    Object.fromEntries(lines.map((line) => [line, type]));

  it("run unasked in the workspace", async () => {
    const lines = [
      "npm test",
      "npm install",
      "node x.js",
      "make",
      "rm -rf docs",
      "rm -rf node_modules",
      "touch x",
      "mkdir -p a/b",
      "cp README.md x",
      "mv src/a.ts src/z.ts",
      "echo x > src/new.ts",
      "sed -i s/a/b/ src/a.ts",
      "git commit -m x",
      "git checkout main",
      "chmod +x evil.sh",
      "for f in a b; do echo $f; done",
      "A=1 npm test",
      "npm test > out.txt 2>&1",
      "cat .env",
      "echo x > .rooroo/tasks/T/notes.md",
      "cd src && touch x",
      "python3 -c 'x'",
      "git config user.name",
      "curl https://example.com",
      "cp -r docs src",
      "find docs -name x -delete",
      "tar czf x.tgz src",
    ];
    assert.deepEqual(await types(lines), all(lines, "allow"));
  });

  it("run unasked where they look like what is asked about, and are not", async () => {
    const lines = [
      "if [ -f package.json ]; then echo yes; fi",
      "[[ -f package.json ]] && echo yes",

      "env CI=1 npm test",
      "timeout 60 npm test",
      "nice -n5 make",
      "nohup npm start",
      "time make",
      "ls | xargs -n1 -I{} echo {}",
      "find . -name '*.ts' -print0 | xargs -0 grep -l foo",
      "bash -euo pipefail evil.sh",
      "bash -c 'ls; make'",
      "git -c user.name=x commit -m y",

      "docker ps",
      "docker run --rm -v .:/app x",
      "docker compose up -d",
      "ip addr",
      "date +%s",
      "sudo --version",
      "hostname",
      "apt list --installed",
      "sysctl kernel.ostype",

      "cp -r docs lib && touch lib/x",
      "mv docs lib && touch lib/x",
      "ln -s docs d",
      "git stash",

      "git checkout -b new",
      "git checkout HEAD~1",
      "git checkout main src/a.ts",
      "git restore src",

      "gcc -o main main.c",
      "prettier --write src",
      "sort -uo x README.md",
      "openssl rand -hex 16",
      "curl -so x https://example.com",
      "tar cf x.tar src",
      "i=0; i=$((i+1)); echo $i",
    ];
    assert.deepEqual(await types(lines), all(lines, "allow"));
  });

  it("ask when they visibly write what is protected or outside, or nobody knows where", async () => {
    const lines = [
      "echo x > .vscode/tasks.json",
      "echo x >> AGENTS.md",
      "tee .git/hooks/pre-commit",
      "rm AGENTS.md",
      "rm -rf .git",
      "rm -rf .",
      "rm -rf *",
      "mv src/a.ts AGENTS.md",
      "mv AGENTS.md x",
      "cp x .npmrc",
      "cp evil/.git/config .git/config",
      "cp -r evil/. .",
      "cp -r evil/.git .",
      "install x .husky/pre-commit",
      "sed -i s/a/b/ AGENTS.md",
      "perl -pi -e s/a/b/ AGENTS.md",
      "dd if=x of=.git/config",
      "touch .GIT/config",
      "ln -s x .vscode",
      "git mv x .vscode/y",
      "git config core.fsmonitor x",
      "git -C . config a.b c",
      "git checkout HEAD -- AGENTS.md",
      "git restore AGENTS.md",
      "git log --output=AGENTS.md",
      "sort -o AGENTS.md x",
      "find .git -delete",
      "cd .git && echo x > config",
      "cd src; touch ../.git/x",
      "curl -o .npmrc x",
      "mkdir .vscode",
      "touch /tmp/x",
      "echo x > /etc/x",
      "cp x ../y",
      "rm -rf /",
      "tee ~/.bashrc",
      "echo x > out/y",
      "cd .. && ls",
      "cd /tmp && npm test",
      "git clone x ../y",
      "git worktree add ../y",
      "cp -t /tmp x",
      "tee linked/../../y",
      "echo x > $F",
      "rm $F",
      'rm -rf "$D"',
      "cd $D && rm -rf x",
      "cp x $(pwd)",
      "xargs rm",
      "ls | xargs rm",
      "find . -exec rm {} \\;",
      "patch -p1",
      "git apply x",
      "tar xf x.tgz",
      "unzip x.zip",
      "wget x",
      "curl -O x",
      "sh -c 'echo x > AGENTS.md'",
      "sudo tee AGENTS.md",
      "env tee AGENTS.md",
      "bash -c 'cd .git && rm x'",
      "ls (",
      "if",
      "echo 'a",
      "cat <<EOF > AGENTS.md\nx\nEOF",
      "tee AGENTS.md <<'EOF'\nx\nEOF",
      "ls\u200b",
      "{ echo x; } > AGENTS.md",
      "(cd x; echo y) > .npmrc",
      "for f in a; do tee AGENTS.md; done",
      "rm .vsc* AGENTS*",
      "tee evil/../AGENTS.md",
      "eval 'tee AGENTS.md'",
      "npx tee AGENTS.md",
      "echo x >| AGENTS.md",
      "echo x &> AGENTS.md",
      "echo x > .rooroo/queue.jsonl",
      "rm -r .rooroo",
      "ed AGENTS.md",
      "rsync x AGENTS.md",
      "truncate -s0 AGENTS.md",
    ];
    assert.deepEqual(await types(lines), all(lines, "ask"));
  });

  it("[R-ROO-30] ask for a mode that may not change the project, unless they only read", async () => {
    const stage = new CommandStage();
    stage.mayChangeProject = false;
    stage.rules = { allow: ["npm test"], deny: [] };
    const asked = ["node x.js", "make", "touch x", "npm install"];
    assert.deepEqual(await types(asked, stage), all(asked, "ask"));
    const run = ["ls", "git log | head", "npm test"];
    assert.deepEqual(await types(run, stage), all(run, "allow"));
  });

  it("name the files that they would write", async () => {
    const stage = new CommandStage();
    const writes = async (line: string) => (await stage.review(line)).facts.writes;
    assert.deepEqual(await writes("cp README.md docs"), ["docs/README.md"]);
    assert.ok((await writes("cp -r src docs")).includes("docs/src/sub/c.ts"));
    assert.deepEqual(await writes("mv src/a.ts docs/z.ts"), ["src/a.ts", "docs/z.ts"]);
    assert.deepEqual(await writes("cd src && rm *.ts 2>/dev/null > ../log"), [
      "log",
      "src/a.ts",
      "src/b.ts",
    ]);
    assert.deepEqual(await writes("tee leak"), [".env", "leak"]);
    assert.deepEqual(await writes("ls | tee a b > c"), ["c", "a", "b"]);
    assert.deepEqual(await writes("git log | head"), []);
  });
});

describe("what was allowed for a task", () => {
  it("holds for the same command in the same folder with the same scripts only", async () => {
    const stage = new CommandStage();
    const action = async (line: string, path = ""): Promise<CommandAction> => ({
      access: "command",
      title: line,
      command: line,
      path,
      inside: true,
      preview: { kind: "command", text: line },
      ...(await stage.review(line, path)),
    });
    const lines = [
      "sh evil.sh",
      "./evil.sh",
      "npm test",
      "cd src && npm test",
      "nohup sh ./evil.sh",
    ];
    const granted = new Map<string, Permission>();
    for (const line of lines) {
      const [grant] = permissionsFor(await action(line), false);
      assert.ok(grant);
      granted.set(line, grant);
      assert.ok(permissionCovers(grant, await action(line), false), line);
      assert.equal(permissionCovers(grant, await action(line, "docs"), false), false, line);
    }
    stage.files.put("evil.sh", "other\n");
    stage.files.put("package.json", '{"scripts":{"test":"evil"}}');
    for (const [line, grant] of granted) {
      assert.equal(permissionCovers(grant, await action(line), false), false, line);
    }
  });
});

describe("words that are longer than any name", () => {
  const long = "word ".repeat(100).trim();
  const path = `${"a/".repeat(3000)}b`;
  const lines = [
    `echo '${long}'`,
    `printf '%s' '${long}' | wc -c`,
    `grep '${long}' README.md`,

    `cat '${long}' README.md`,
    `ls ${path}`,
    `git log --grep='${long}'`,
    `echo ${"я".repeat(200)}`,
  ];
  const others = [
    `git commit -m "${long}"`,
    `node -e '${long}'`,
    `touch '${long}'`,
    `echo x > '${long}'`,
    `cd '${long}' && ls`,
    `cp README.md '${long}'`,
    `./${"x".repeat(300)}`,
    `rm ${path}`,
  ];

  it("are no paths, so that commands with them are judged like others", async () => {
    const root = await mkdtemp(join(tmpdir(), "long-"));
    try {
      await writeFile(join(root, "README.md"), "x\n");
      await writeFile(join(root, ".env"), "KEY=1\n");
      const world = {
        files: new DiskFileSystem(root),
        isHidden: () => false,
        protection: () => Promise.resolve(undefined),
        parser: new BashParser(),
        rules: { allow: [], deny: [] },
      };
      const verdict = async (line: string) => {
        const { facts } = await reviewCommand(line, "", world);
        return facts.unclear ?? facts.commands.every((command) => command.verdict === "reads");
      };
      for (const line of lines) assert.equal(await verdict(line), true, line.slice(0, 30));
      for (const line of others) assert.notEqual(await verdict(line), true, line.slice(0, 30));
      assert.equal(await verdict(`cat '${long}' .env`), false);
      assert.equal(await verdict(`git commit -m "${long}"`), false);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
