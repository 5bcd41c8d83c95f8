import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { calls, completes, triages } from "../fakes/navigatorWorld.js";
import { isTriage } from "./script.js";
import { closeStages, Stage } from "./stage.js";

describe("rooroo git allow", () => {
  afterEach(closeStages);

  async function opened(): Promise<{ stage: Stage; git: (...args: string[]) => void }> {
    const stage = await Stage.open((request) => {
      if (isTriage(request)) {
        return triages({ route: "direct", expert: "rooroo-developer", goal: "Compare" });
      }
      return request.results.length === 0
        ? calls("execute_command", { command: "git status --short" })
        : completes({ message: "Compared." });
    });
    const git = (...args: string[]) => {
      execFileSync("git", args, { cwd: stage.root, stdio: "pipe" });
    };
    git("init", "--quiet", "--template=");
    return { stage, git };
  }

  it("has git's commands that only read run unasked by a configuration that a person has looked at", async () => {
    const { stage, git } = await opened();
    git("config", "diff.x.textconv", "cat");
    const asked = await stage.run("ask", "Compare");
    assert.equal(asked.code, 2, asked.stdout + asked.stderr);
    const explained = (await stage.run("explain", "git status")).stdout;
    assert.match(explained, /requires approval/);
    assert.match(explained, /sets diff\.textconv, [^]* rooroo git allow/);

    // Nobody is there to ask.
    const shown = await stage.run("git", "allow");
    assert.equal(shown.code, 2);
    assert.match(shown.stderr, /\.git\/config sets diff\."x"\.textconv to "cat"\./);
    assert.match(shown.stdout, /rooroo git allow --yes/);
    assert.match((await stage.run("explain", "git status")).stdout, /requires approval/);

    const { code, stdout } = await stage.run("git", "allow", "--yes");
    assert.equal(code, 0);
    assert.match(stdout, /textconv[^]*It is allowed until it changes\./);
    assert.match((await stage.run("git", "allow")).stdout, /It is allowed\./);
    assert.match((await stage.run("explain", "git status")).stdout, /runs without asking/);
    const after = await stage.run("ask", "Compare");
    assert.equal(after.code, 0, after.stdout + after.stderr);

    assert.match(
      (await stage.run("approvals", "list")).stdout,
      /Git's commands that only read, by the configuration in .*\.git as it is/,
    );
    await stage.run("approvals", "revoke", "--all");
    assert.match((await stage.run("explain", "git status")).stdout, /requires approval/);
  });

  it("says why there is nothing to allow", async () => {
    const { stage, git } = await opened();
    const plain = await stage.run("git", "allow", "--yes");
    assert.equal(plain.code, 0);
    assert.match(plain.stdout, /^Nothing in the git configuration/);
    git("config", "include.path", "~/other");
    const { stdout } = await stage.run("git", "allow", "--yes", "--json");
    const { state, description } = JSON.parse(stdout) as Record<string, string>;
    assert.equal(state, "none");
    assert.match(description ?? "", /includes ~\/other, which cannot be told from here/);
    assert.doesNotMatch((await stage.run("approvals", "list")).stdout, /by the configuration/);
  });
});
