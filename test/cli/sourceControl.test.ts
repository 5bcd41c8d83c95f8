import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { HttpScript } from "../fakes/httpModel.js";
import { completes } from "../fakes/navigatorWorld.js";
import { closeStages, Stage } from "./stage.js";

/** Opens a stage whose workspace is a repository with one commit of the files. */
async function repository(script: HttpScript, files: Record<string, string>) {
  const stage = await Stage.open(script, files);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@localhost", ...args], {
      cwd: stage.root,
      encoding: "utf8",
    });
  git("init", "-q", "-b", "main", "--template=");
  git("add", ".");
  git("commit", "-q", "-m", "feat: begin");
  return { stage, git };
}

describe("rooroo commit-message", () => {
  afterEach(closeStages);

  it("prints a message for what is staged, says what it has not read, and commits nothing", async () => {
    const { stage, git } = await repository(() => ({ text: "fix: the sum\n\nIt was wrong." }), {
      "src/add.js": "a - b\n",
    });
    await stage.write("src/add.js", "a + b\n");
    await stage.write(".env", "KEY=hunter22\n");
    git("add", ".");
    const { code, stdout, stderr } = await stage.run("commit-message");
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "fix: the sum\n\nIt was wrong.\n");
    assert.equal(stderr, "! Not read, hidden or possibly secret: .env\n");
    const [request] = stage.model.requests;
    assert.equal(stage.model.requests.length, 1);
    assert.deepEqual(request?.tools, []);
    const told = request.messages[1]?.content ?? "";
    assert.match(told, /feat: begin[^]*\n-a - b\n\+a \+ b\n/);
    assert.doesNotMatch(told, /hunter22/);
    assert.equal(git("log", "--format=%s"), "feat: begin\n");

    const printed = await stage.json("commit-message");
    assert.deepEqual(printed, {
      message: "fix: the sum\n\nIt was wrong.",
      of: "staged",
      leftOut: [".env"],
      outside: [],
      cut: [],
    });
  });

  it("is about all changes if nothing is staged, and fails without any", async () => {
    const { stage } = await repository(() => ({ text: "Add b" }), { "a.js": "a\n" });
    const none = await stage.run("commit-message");
    assert.equal(none.code, 1);
    assert.equal(none.stderr, "rooroo: Nothing has changed since the last commit.\n");
    await stage.write("a.js", "b\n");
    const { stdout, stderr } = await stage.run("commit-message");
    assert.equal(stdout, "Add b\n");
    assert.match(
      stderr,
      /^! Nothing is staged: it is about all changes since the last commit\.\n$/,
    );
  });
});

describe("rooroo review", () => {
  afterEach(closeStages);

  const found = {
    path: "src/add.js",
    line: 2,
    severity: "error",
    message: "It subtracts.",
    suggestion: "Add.",
  };
  const files = { "src/add.js": "// sum\na + b\n" };

  it("prints findings as compilers do, and fails for an error", async () => {
    const hint = { ...found, line: 99, severity: "information", message: "No test." };
    const script = () => completes({ message: "Two.", findings: [found, hint] });
    const { stage } = await repository(script, files);
    await stage.write("src/add.js", "// sum\na - b\n");
    const { code, stdout, stderr } = await stage.run("review");
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^src\/add\.js:2: error: It subtracts\.\n {4}Add\.\n/m);
    assert.match(stdout, /^src\/add\.js:2: information: No test\.$/m);
    assert.match(stage.model.requests[0]?.messages[1]?.content ?? "", /\n-a \+ b\n\+a - b\n/);
    const [task] = await stage.tasks();
    assert.deepEqual([task?.mode, task?.state], ["rooroo-analyzer", "done"]);
  });

  it("reviews what is staged or the branch, succeeds without an error, and tells programs all", async () => {
    const warning = { ...found, severity: "warning" };
    const script = () => completes({ message: "One.", findings: [warning] });
    const { stage, git } = await repository(script, files);
    git("checkout", "-q", "-b", "topic");
    await stage.write("src/add.js", "// sum\na - b\n");
    const none = await stage.run("review", "--staged");
    assert.equal(none.code, 0);
    assert.match(none.stdout, /There are no changes to review\./);
    git("commit", "-q", "-a", "-m", "fix");
    const { code, stdout } = await stage.run("review", "--base", "main", "--json");
    assert.equal(code, 0);
    const outcome = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
    assert.equal(outcome["status"], "done");
    assert.deepEqual(outcome["findings"], [{ ...warning, endLine: 2 }]);
  });

  it("refuses what is no revision, and both at once", async () => {
    const { stage } = await repository(() => completes(), files);
    assert.equal((await stage.run("review", "--base=--output=x")).code, 64);
    assert.equal((await stage.run("review", "--staged", "--base", "main")).code, 64);
    const unknown = await stage.run("review", "--base", "nowhere");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /no branch or commit nowhere from which this branch comes/);
    assert.equal(stage.model.requests.length, 0);
  });

  it("says where there is no repository or no commit to compare with", async () => {
    const stage = await Stage.open(() => completes(), files);
    const outside = await stage.run("review");
    assert.equal(outside.code, 1);
    assert.match(outside.stderr, /there is no Git repository here/);
    execFileSync("git", ["init", "-q"], { cwd: stage.root });
    assert.match((await stage.run("review")).stderr, /there is no commit yet/);
    assert.equal(stage.model.requests.length, 0);
  });
});
