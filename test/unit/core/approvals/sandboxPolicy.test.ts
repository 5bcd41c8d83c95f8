import assert from "node:assert/strict";
import type { CommandVerdict } from "../../../../src/core/agent/commandFacts.js";
import type { CommandAction, ProposedAction } from "../../../../src/core/agent/tool.js";
import { decide, type Policy } from "../../../../src/core/approvals/policy.js";
import { spoken, words } from "../../../../src/core/text/words.js";
import { intents } from "./intents.js";

type Verdict = CommandVerdict["verdict"];

/** Returns a command whose parts were judged so. */
function command(verdicts: readonly Verdict[], more: Partial<CommandAction> = {}): ProposedAction {
  const { facts, ...rest } = more;
  return {
    access: "command",
    title: "x",
    command: "x",
    path: "",
    inside: true,
    preview: { kind: "command", text: "x" },
    facts: {
      commands: verdicts.map((verdict) => ({ words: ["x"], verdict, why: words("Because.") })),
      writes: [],
      ...facts,
    },
    ...rest,
  };
}

const unclear = { commands: [], writes: [], unclear: words("Nobody knows.") };
const presets = ["ask", "safe", "sandbox", "all"] as const;

/** Returns the decision, and what the sandbox is like where it runs in one, as in `allow:none/project`. */
function decided(action: ProposedAction, policy: Policy, mayChangeProject = true): string {
  const mode = { mayChangeProject, isOwn: () => false };
  const { type, sandbox } = decide(action, policy, false, mode);
  if (sandbox === undefined) return type;
  const network = typeof sandbox.network === "string" ? sandbox.network : "hosts";
  return `${type}:${network}/${sandbox.keeps}`;
}

describe("approval policy where there is a sandbox", () => {
  const sandbox = { hosts: [] };

  it("says for each preset and kind of command what runs unasked, and in what", () => {
    const own = "allow:none/ownFolder";
    const [closed, open] = ["allow:none/project", "allow:open/project"];
    const table: [string, ProposedAction, readonly string[]][] = [
      ["that only reads", command(["reads"]), ["ask", own, closed, open]],
      ["that does more", command(["reads", "asks"]), ["ask", "ask", closed, open]],
      ["that nobody understands", command([], { facts: unclear }), ["ask", "ask", closed, open]],
      [
        "that writes a protected file",
        command(["asks"], { facts: { commands: [], writes: [".git/config"] } }),
        ["ask", "ask", closed, "ask"],
      ],
      [
        "that writes outside the workspace",
        command(["asks"], { facts: { commands: [], writes: ["/etc/hosts"] } }),
        ["ask", "ask", closed, "ask"],
      ],
      [
        "that writes a temporary file",
        command(["asks"], { facts: { commands: [], writes: ["/tmp/x"] } }),
        ["ask", "ask", closed, open],
      ],
      ["that rules allow", command(["allowed"]), ["ask", "allow", "allow", "allow"]],
      ["that rules deny", command(["reads", "denied"]), ["deny", "deny", "deny", "deny"]],
      ["elsewhere", command(["reads"], { inside: false }), ["ask", "ask", "ask", "ask"]],
      ["to run outside", command(["reads"], { outside: true }), ["ask", "ask", "ask", "ask"]],
      [
        "to run outside that rules allow",
        command(["allowed"], { outside: true }),
        ["ask", "allow", "allow", "allow"],
      ],
      ["to run on", command(["asks"], { background: true }), ["ask", "ask", "ask", "ask"]],
      [
        "to run on that only reads",
        command(["reads"], { background: true }),
        ["ask", own, closed, open],
      ],
    ];
    for (const [what, action, expected] of table) {
      const found = presets.map((preset) => decided(action, { preset, sandbox }));
      assert.deepEqual(found, expected, `a command ${what}`);
    }
  });

  it("asks where rules deny some commands and it cannot be told whether they mean this one", () => {
    for (const preset of ["sandbox", "all"] as const) {
      const policy = { preset, sandbox, deniesSome: true };
      assert.equal(decided(command([], { facts: unclear }), policy), "ask");
      assert.match(decided(command(["asks"]), policy), /^allow:/);
    }
  });

  it("opens the network to the hosts that were named, under sandbox alone", () => {
    const hosts = { hosts: ["registry.example.test"] };
    const found = presets.map((preset) => decided(command(["reads"]), { preset, sandbox: hosts }));
    assert.deepEqual(found, [
      "ask",
      "allow:none/ownFolder",
      "allow:hosts/project",
      "allow:open/project",
    ]);
  });

  it("lets modes run commands that may not change the project: what they change is judged", () => {
    assert.equal(
      decided(command(["asks"]), { preset: "sandbox", sandbox }, false),
      "allow:none/project",
    );
    assert.equal(
      decided(command(["asks"]), { preset: "all", sandbox }, false),
      "allow:open/project",
    );
  });

  it("lets tools change what commands may change, and asks about all else as under safe", () => {
    const { read, write, web, tool } = intents;
    const table: [ProposedAction, string][] = [
      [write("src/a.js"), "allow"],
      [write(".vscode/settings.json"), "ask"],
      [write("/etc/hosts", false), "ask"],
      [
        { ...write("package.json"), protection: words("It changes scripts.") } as ProposedAction,
        "ask",
      ],
      [read("src/a.js"), "allow"],
      [read(".env"), "ask"],
      [web("https://example.test/"), "ask"],
      [tool("x"), "ask"],
    ];
    for (const [action, expected] of table) {
      assert.equal(decided(action, { preset: "sandbox", sandbox }), expected, spoken(action.title));
    }
  });

  it("means safe where there is none", () => {
    for (const action of [
      command(["reads"]),
      command(["asks"]),
      command(["asks"], { outside: true }),
      intents.write("src/a.js"),
    ]) {
      assert.equal(decided(action, { preset: "sandbox" }), decided(action, { preset: "safe" }));
    }
  });
});
