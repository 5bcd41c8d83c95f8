import assert from "node:assert/strict";
import type { ProposedAction } from "../../../../src/core/agent/tool.js";
import { permissionCovers, permissionsFor } from "../../../../src/core/approvals/permission.js";
import { decide, type Policy, type PolicyDecision } from "../../../../src/core/approvals/policy.js";
import { spoken, words } from "../../../../src/core/text/words.js";
import { intents } from "./intents.js";

const { read, write, command, web, tool, spend } = intents;
const own = ".rooroo/tasks/ROO#TASK_1/a.md";

function type(action: ProposedAction, policy: Policy, isOwn = false): PolicyDecision["type"] {
  return decide(action, policy, isOwn).type;
}

describe("approval policy", () => {
  it("says for each preset and category what may run unasked", () => {
    const table: [string, ProposedAction, boolean, string][] = [
      // what, action, own; ask, safe, all
      ["a file", read("src/a.js"), false, "ask allow allow"],
      ["a protected file", read(".vscode/settings.json"), false, "ask allow allow"],
      ["a file outside", read("/etc/passwd", false), false, "ask ask ask"],
      ["a change", write("src/a.js"), false, "ask ask allow"],
      ["a change of its own", write(own), true, "ask allow allow"],
      ["a change of another task's", write(own), false, "ask ask ask"],
      ["a change of a protected file", write(".git/hooks/pre-commit"), false, "ask ask ask"],
      ["a change outside", write("/etc/hosts", false), false, "ask ask ask"],
      ["a command", command("npm test"), false, "ask ask allow"],
      ["a command outside", command("ls", "/etc", false), false, "ask ask ask"],
      ["a request", web("https://example.com/"), false, "ask ask allow"],
      ["a tool", tool("github_search"), false, "ask ask allow"],
      ["a limit", spend(), false, "ask ask ask"],
    ];
    for (const [what, action, isOwn, expected] of table) {
      const decided = (["ask", "safe", "all"] as const).map((preset) =>
        type(action, { preset }, isOwn),
      );
      assert.equal(decided.join(" "), expected, what);
    }
  });

  it("asks under all for each file that controls tools and agents", () => {
    for (const path of [
      ".git/hooks/pre-commit",
      ".GIT/config",
      "sub/.git/config",
      ".vscode/settings.json",
      "My.code-workspace",
      ".rooroo/queue.jsonl",
      ".roomodes",
      "AGENTS.md",
      "packages/a/AGENTS.md",
      ".npmrc",
      ".github/workflows/ci.yml",
    ]) {
      assert.equal(type(write(path), { preset: "all" }), "ask", path);
    }
  });

  it("lets what is named most exactly decide, and says which setting that was", () => {
    const all = { preset: "all" } as const;
    const cases: [Policy, string, string | undefined][] = [
      [all, "allow", "rooroo.approvals.preset"],
      [{ ...all, categories: { command: "ask" } }, "ask", "rooroo.approvals.categories"],
      [{ ...all, categories: { web: "deny" } }, "allow", "rooroo.approvals.preset"],
      [{ ...all, mode: { preset: "safe" } }, "ask", "rooroo.modes"],
      [
        { preset: "safe", categories: { command: "deny" }, mode: { preset: "all" } },
        "deny",
        "rooroo.approvals.categories",
      ],
      [
        { preset: "ask", categories: { command: "deny" }, mode: { command: "all" } },
        "allow",
        "rooroo.modes",
      ],
      [{ preset: "all", mode: { command: "deny" } }, "deny", "rooroo.modes"],
    ];
    for (const [policy, expected, setting] of cases) {
      const { type: decided, decidedBy } = decide(command("npm test"), policy, false);
      assert.deepEqual([decided, decidedBy], [expected, setting], JSON.stringify(policy));
    }
  });

  it("never lets a rule for a category reach outside or to protected files", () => {
    const policy: Policy = {
      preset: "ask",
      categories: { read: "all", write: "all", command: "all" },
      mode: { preset: "all", write: "all" },
    };
    assert.equal(type(write("a.js"), policy), "allow");
    assert.equal(type(write(".npmrc"), policy), "ask");
    assert.equal(type(write("/a.js", false), policy), "ask");
    assert.equal(type(read("/a.js", false), policy), "ask");
    assert.equal(type(command("ls", "..", false), policy), "ask");
  });

  it("lets the workspace be read, but for what may hold secrets", () => {
    assert.equal(type(read("src/a.js"), { preset: "safe" }), "allow");
    assert.match(spoken(decide(read(".env"), { preset: "safe" }, false).why), /keys or passwords/);
    assert.equal(type(read(".env"), { preset: "safe" }), "ask");
    assert.equal(type(read(".env"), { preset: "all" }), "allow");
  });

  it("asks for what a write's content makes others do, and in an own place, too", () => {
    const controlling = {
      ...write("package.json"),
      access: "write",
      protection: words("It changes X."),
    } as ProposedAction;
    const controlled = decide(controlling, { preset: "all" }, false);
    assert.equal(controlled.type, "ask");
    assert.equal(spoken(controlled.why), "It changes X. So it is always asked about.");
    for (const grant of permissionsFor(write("a.js"), false)) {
      assert.equal(permissionCovers(grant, write("package.json"), false), true);
      assert.equal(permissionCovers(grant, controlling, false), false);
    }
    for (const name of [".git/config", "AGENTS.md", "x/HEAD", "sub/.vscode/tasks.json"]) {
      assert.equal(type(write(`.rooroo/tasks/T/${name}`), { preset: "all" }, true), "ask", name);
    }
  });
});
