import assert from "node:assert/strict";
import type { Intent } from "../../../src/core/agent/tool.js";
import { Grants } from "../../../src/core/approvals/grants.js";
import { decide } from "../../../src/core/approvals/policy.js";

function write(path: string, inside = true): Intent {
  return { access: "write", title: path, path, inside, preview: { kind: "diff", text: "+x" } };
}

function command(text: string, path = ""): Intent {
  return { access: "command", title: text, path, inside: true, preview: { kind: "command", text } };
}

describe("approval policy", () => {
  it("asks for everything under ask", () => {
    assert.equal(decide(write("src/a.js"), "ask", false).type, "ask");
    assert.equal(decide(write(".rooroo/tasks/ROO#TASK_1/a.md"), "ask", true).type, "ask");
    assert.equal(decide(command("ls"), "ask", false).type, "ask");
  });

  it("allows only the task's own files unasked under safe", () => {
    assert.equal(decide(write(".rooroo/tasks/ROO#TASK_1/a.md"), "safe", true).type, "allow");
    assert.equal(decide(write(".rooroo/tasks/ROO#TASK_2/a.md"), "safe", false).type, "ask");
    assert.equal(decide(write("src/a.js"), "safe", false).type, "ask");
    assert.equal(decide(command("ls"), "safe", false).type, "ask");
  });

  it("asks under all for what is outside the workspace or steers tools and agents", () => {
    assert.equal(decide(write("src/a.js"), "all", false).type, "allow");
    assert.equal(decide(command("npm test"), "all", false).type, "allow");
    assert.equal(decide(write("/home/me/.ssh/config", false), "all", false).type, "ask");
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
      assert.equal(decide(write(path), "all", false).type, "ask", path);
    }
  });
});

describe("grants", () => {
  it("cover ordinary writes after one, and a command only as it was", () => {
    const grants = new Grants();
    assert.equal(grants.covers(write("a.js")), false);
    grants.grant(write("a.js"));
    assert.equal(grants.covers(write("b.js")), true);
    assert.equal(grants.covers(write(".vscode/tasks.json")), false);
    assert.equal(grants.covers(write("/etc/hosts", false)), false);
    assert.equal(grants.covers(command("npm test")), false);
    grants.grant(command("npm test"));
    assert.equal(grants.covers(command("npm test")), true);
    assert.equal(grants.covers(command("npm test; rm -rf .")), false);
    assert.equal(grants.covers(command("npm test", "sub")), false);
  });
});
