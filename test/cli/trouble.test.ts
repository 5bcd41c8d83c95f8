import assert from "node:assert/strict";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { Rooroo } from "./rooroo.js";
import { notes, plays, queueLine, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Do it" };

describe("rooroo and a model in trouble", () => {
  afterEach(closeStages);

  it("says that the key is refused, and leaves the queue as it was", async () => {
    const queue = queueLine("A");
    const files = { ".rooroo/queue.jsonl": queue };
    const stage = await Stage.open(() => ({ status: 401, message: "bad test-key" }), files);
    const asked = await stage.run("ask", "Do it");
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /refuses the API key \(401\)[^]*OPENAI_API_KEY/);
    const { code, stdout, stderr } = await stage.run("proceed");
    assert.equal(code, 1);
    assert.match(stdout + stderr, /refuses the API key[^]*→ rooroo resume ROO#TASK_A/);
    assert.doesNotMatch(asked.stderr + stdout + stderr, /test-key/);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), queue);
    assert.equal(stage.model.requests.length, 2);
  });

  it("says that nothing answers at the address", async () => {
    const stage = await Stage.open(plays({}, {}));
    const address = stage.model.url;
    await stage.model.stop();
    const { code, stderr } = await stage.run("ask", "Do it");
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`Nothing answers at ${address}\\. Start the model's server`));
  });

  it("lets a task wait when the connection breaks in the middle, and go on later", async () => {
    const trouble = { is: true };
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": (request) =>
          trouble.is && settled(request) === 1
            ? { text: "I am", error: new Error("cut") }
            : notes(request),
      }),
    );
    const { code, stdout } = await stage.run("ask", "Do it");
    assert.equal(code, 1);
    const [, taskId = ""] = /→ rooroo resume (\S+)/.exec(stdout) ?? [];
    const inVain = await stage.run("resume", taskId);
    assert.equal(inVain.code, 1);
    assert.match(inVain.stderr, /^✗ No answer: the task is paused\.\n/);
    trouble.is = false;
    const resumed = await stage.run("resume", taskId);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.match(await stage.read(`.rooroo/tasks/${taskId}/notes.md`), /Do it/);
    assert.doesNotMatch(resumed.stderr, /interrupted/);
  });

  it("says that the model answered with nothing, after asking again", async () => {
    const silent = await Stage.open(() => ({}));
    const asked = await silent.run("ask", "Do it");
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /could not say what kind of request[^]*→ rooroo ask '\/plan Do it'/);
    assert.equal(silent.model.requests.length, 2);

    const stage = await Stage.open(plays(direct, { "rooroo-developer": () => ({}) }));
    const { code, stdout } = await stage.run("ask", "Do it");
    assert.equal(code, 1);
    assert.match(stdout, /✗ Failed[^]*test-model answered with nothing, 3 times/);
  });

  it("tells the expert of wrong arguments and of a report that is no JSON, and goes on", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) => {
          switch (results.length) {
            case 0:
              return calls("read_file", { file: "x" });
            case 1:
              return calls("make_coffee", {});
            case 2:
              return calls("attempt_completion", "Done, I think." as never);
            default:
              return completes({ message: "Now it is." });
          }
        },
      }),
    );
    const { code, stdout } = await stage.run("ask", "Do it");
    assert.equal(code, 0);
    assert.match(stdout, /✗ Read[^]*arguments of read_file do not fit: path/);
    const results = stage.model.requests.at(-1)?.results.map(({ content }) => content) ?? [];
    assert.match(results[1] ?? "", /There is no tool "make_coffee"/);
    assert.match(results[2] ?? "", /not JSON/);
  });

  it("gives up on a server that is busy failing, not before it tried again", async () => {
    const stage = await Stage.open(() => ({ status: 500, message: "on fire" }));
    const { code, stderr } = await stage.run("ask", "Do it");
    assert.equal(code, 1);
    assert.match(stderr, /failed \(500\)\. It says: on fire/);
    assert.equal(stage.model.requests.length, 4);
  });

  it("says what is missing, in one line, before anything is begun", async () => {
    const stage = await Stage.open(plays({}, {}));
    const without = (env: Record<string, string>, ...args: string[]) =>
      new Rooroo(args, { cwd: stage.root, env }).ended;
    const none = await without({ OPENAI_API_KEY: "k" }, "ask", "x");
    assert.equal(none.code, 64);
    assert.equal(
      none.stderr,
      "rooroo: No model is set. Give one with --model NAME or the variable ROOROO_MODEL (rooroo model list), or use a profile with --profile NAME (rooroo model profiles).\n",
    );
    const keyless = await without({ ROOROO_MODEL: "m" }, "proceed");
    assert.equal(keyless.code, 64);
    assert.match(keyless.stderr, /^rooroo: No API key is set\. Set OPENAI_API_KEY; .*\n$/);
    assert.match(keyless.stderr, / --base-url URL or OPENAI_BASE_URL\.\n$/);
    const messages = await without({ ROOROO_MODEL: "m" }, "proceed", "--api", "messages");
    assert.match(messages.stderr, / Set ANTHROPIC_API_KEY; .* or ANTHROPIC_BASE_URL\.\n$/);
    assert.deepEqual(await stage.list("."), []);
    // A workspace cannot say where the key goes.
    await stage.write(".env", `OPENAI_BASE_URL=${stage.model.url}\n`);
    assert.equal((await without({ ROOROO_MODEL: "m" }, "proceed")).code, 64);
  });
});
