import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { HttpScript } from "../fakes/httpModel.js";
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
