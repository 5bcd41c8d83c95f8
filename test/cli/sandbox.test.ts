import assert from "node:assert/strict";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { inEnvelopes } from "./inEnvelopes.js";
import { plays, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Do it" };

const command = [
  "echo new > kept.txt",
  "sed -i s/old/new/ changed.txt",
  "mkdir -p .vscode && echo '{}' > .vscode/tasks.json",
  "echo hidden > ~/outside.txt",
  "cat .env",
  "exit 3",
].join("; ");

const sandboxed = { ROOROO_SANDBOX: "auto" };
const files = { "changed.txt": "old\n", ".env": "TOKEN=not-for-models-4711\n" };

/** Runs the command once, then reports. */
function runs(more: Record<string, unknown> = {}) {
  return plays(direct, {
    "rooroo-developer": (request) =>
      settled(request) === 0 ? calls("execute_command", { command, ...more }) : completes(),
  });
}

describe("a command under the preset sandbox", () => {
  let available = false;

  before(async () => {
    const stage = await Stage.open(runs(), {}, sandboxed);
    const { findings } = (await stage.json("doctor")) as {
      findings: { subject: string; state: string; text: string }[];
    };
    const sandbox = findings.find(({ subject }) => subject === "Sandbox");
    available = sandbox?.state === "ok";
    if (!available)
      process.stdout.write(`  no sandbox here: ${sandbox?.text ?? "nobody says why"}\n`);
  });
  afterEach(closeStages);

  it("runs unasked, keeps what may stay, says what was not kept, and can be undone", async () => {
    const stage = await Stage.open(runs(), files, sandboxed);
    const { code, stdout } = await stage.run("ask", "Do it", "--approve", "sandbox");
    if (!available) {
      // As `safe` does: it waits for a person.
      assert.equal(code, 2);
      return;
    }
    assert.equal(code, 0, stdout);
    assert.equal(await stage.read("kept.txt"), "new\n");
    assert.equal(await stage.read("changed.txt"), "new\n");
    assert.equal(await stage.read(".vscode/tasks.json"), "");
    const told = stage.model.requests.at(-1)?.results.at(-1)?.content ?? "";
    assert.match(told, /^Exit code 3/);
    assert.match(told, /this was not kept:\n- \.vscode/);
    assert.ok(!JSON.stringify(stage.model.requests).includes("not-for-models-4711"));
    const [task] = await stage.tasks();
    assert.equal((await stage.run("undo", task?.taskId ?? "")).code, 0);
    assert.equal(await stage.read("kept.txt"), "");
    assert.equal(await stage.read("changed.txt"), "old\n");
  });

  it("[R-ENV-7] in an envelope shows no hidden folder to what searches and lists", async () => {
    const hidden = { ...files, ".hid/x": "needle-4711\n", "open.txt": "needle here\n" };
    const lines = ["cat .hid/x", "grep -r needle .", "find . -name x", "ls -aR"];
    const script = inEnvelopes(
      plays(direct, {
        "rooroo-developer": (request) => {
          const command = lines[settled(request)];
          return command === undefined ? completes() : calls("execute_command", { command });
        },
      }),
    );
    const stage = await Stage.open(script, hidden, sandboxed);
    const args = ["ask", "Do it", "--approve", "all", "--dialect", "envelope"];
    const { code, stdout } = await stage.run(...args);
    assert.equal(code, 0, stdout);
    if (!available) return;
    const seen = JSON.stringify(stage.model.requests.at(-1)?.messages);
    assert.match(seen, /needle here/);
    assert.ok(!seen.includes("needle-4711"), seen);
    assert.ok(!seen.includes(".hid/x\\n"), seen);
  });

  it("asks before it runs outside of the sandbox", async () => {
    const stage = await Stage.open(runs({ outside: true }), files, sandboxed);
    const { code, stdout } = await stage.run("ask", "Do it", "--approve", "sandbox");
    assert.equal(code, 2);
    if (available) assert.match(stdout, /Awaiting approval: Run outside the sandbox: echo new/);
    assert.equal(await stage.read("kept.txt"), "");
  });
});
