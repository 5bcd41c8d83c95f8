import assert from "node:assert/strict";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const nothing = plays({ route: "acknowledge" }, {});

describe("rooroo doctor", () => {
  afterEach(closeStages);

  it("says what this machine can do, and fails only for what keeps work from going on", async () => {
    const stage = await Stage.open(nothing);
    const { code, stdout, stderr } = await stage.run("doctor");
    assert.equal(code, 0, stdout + stderr);
    for (const subject of ["Node.js", "Git", "ripgrep", "Shell", "Sandbox", "Model", "Workspace"]) {
      assert.match(stdout, new RegExp(`^[✓!] ${subject}`, "m"));
    }
    await stage.write(".rooroo/queue.jsonl", "{oops\n");
    const broken = await stage.run("doctor");
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /✗ Workspace +Line 1 of the queue/);
    await stage.write(".rooroo/queue.jsonl", "");
    await stage.write("AGENTS.md", "one\nt\0wo\n");
    const noted = await stage.run("doctor");
    assert.equal(noted.code, 0);
    assert.match(noted.stdout, /! Workspace +The rules file AGENTS\.md is not used: line 2/);
    await stage.write(".roomodes", "customModes:\n  - slug: [\n");
    assert.match(
      (await stage.run("doctor")).stdout,
      /✗ Workspace +\.roomodes, line \d: This is not/,
    );
  });

  it("tells programs the same, and no key to anybody", async () => {
    const stage = await Stage.open(nothing, {}, { OPENAI_API_KEY: "sk-doctor-secret" });
    const { stdout } = await stage.run("doctor", "--json", "--sandbox", "off");
    const { findings } = JSON.parse(stdout) as {
      findings: { subject: string; state: string; text: string }[];
    };
    const sandbox = findings.find(({ subject }) => subject === "Sandbox");
    assert.deepEqual([sandbox?.state, sandbox?.text.includes("switched off")], ["note", true]);
    assert.match(findings.find(({ subject }) => subject === "Model")?.text ?? "", /with a key/);
    assert.doesNotMatch(stdout, /sk-doctor-secret/);
  });

  it("says that no model is set", async () => {
    const stage = await Stage.open(nothing, {}, { ROOROO_MODEL: "" });
    const { code, stdout } = await stage.run("doctor");
    assert.equal(code, 1);
    assert.match(stdout, /✗ Model +No model is set/);
  });

  it("refuses hosts that are none", async () => {
    const stage = await Stage.open(nothing);
    const { code, stderr } = await stage.run("ask", "Look", "--allow-host", "https://x.test/");
    assert.equal(code, 64);
    assert.match(stderr, /--allow-host takes the name of a host/);
  });
});
