import assert from "node:assert/strict";
import {
  type MachineFacts,
  machineReport,
} from "../../../../src/core/navigator/overview/machineReport.js";
import { spoken } from "../../../../src/core/text/words.js";

const facts: MachineFacts = {
  node: "22.12.0",
  git: { path: "/usr/bin/git", version: "git version 2.39.5" },
  ripgrep: { path: "/usr/bin/rg" },
  shell: { path: "/bin/bash" },
  sandbox: { available: true, name: "bubblewrap 0.8.0" },
  model: { name: "m", server: "https://user:word@host.test/v1?key=secret", hasKey: true },
  workspace: { path: "/w", holders: [], problems: [] },
};

function shown(changes: Partial<MachineFacts>): Record<string, string> {
  const rows = machineReport({ ...facts, ...changes }).map(
    ({ subject, state, text }) => [subject, `${state}: ${spoken(text)}`] as const,
  );
  return Object.fromEntries(rows);
}

describe("what a machine can do", () => {
  it("is told of each thing, and no key with it", () => {
    assert.deepEqual(shown({}), {
      "Node.js": "ok: Version 22.12.0.",
      Git: "ok: git version 2.39.5 (/usr/bin/git)",
      ripgrep: "ok: /usr/bin/rg",
      Shell: "ok: /bin/bash",
      Sandbox: "ok: Commands can run in a sandbox (bubblewrap 0.8.0).",
      Model: "ok: m at https://host.test/v1, with a key.",
      Workspace: "ok: /w",
    });
  });

  it("says what is missing, and what keeps work from going on", () => {
    const poor = shown({
      node: "20.18.3",
      git: {},
      ripgrep: {},
      shell: {},
      sandbox: { available: false, reason: "Install bubblewrap." },
      model: { problem: "No model is set." },
      workspace: { path: "/w", holders: ["VS Code (process 1)"], problems: ["Line 2 is bad."] },
    });
    assert.match(poor["Node.js"] ?? "", /^problem: .* too old: install 20\.19 or newer/);
    assert.match(poor["Git"] ?? "", /^note: /);
    assert.match(poor["ripgrep"] ?? "", /^note: /);
    assert.match(poor["Shell"] ?? "", /^problem: /);
    assert.equal(poor["Sandbox"], "note: Install bubblewrap.");
    assert.equal(poor["Model"], "problem: No model is set.");
    assert.equal(poor["Workspace"], "note: VS Code (process 1) works in it now.");
    const states = machineReport({
      ...facts,
      workspace: { path: "/w", holders: [], problems: ["Line 2 is bad."] },
    });
    assert.deepEqual(states.at(-1), {
      subject: "Workspace",
      state: "problem",
      text: "Line 2 is bad.",
    });
  });
});
