import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HttpModel, type HttpScript } from "../fakes/httpModel.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { notes, plans, plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

describe("model profiles", () => {
  let others: HttpModel[] = [];
  afterEach(closeStages);
  afterEach(async () => {
    await Promise.all(others.map((other) => other.stop()));
    others = [];
  });

  /** Starts a model server beside the stage's own. */
  async function another(script: HttpScript): Promise<HttpModel> {
    const model = await HttpModel.start(script);
    others.push(model);
    return model;
  }

  /** Opens a stage whose person has written a file of models. */
  async function open(script: HttpScript, models: object, env: Record<string, string> = {}) {
    const stage = await Stage.open(script, {}, env);
    await mkdir(stage.home, { recursive: true });
    await writeFile(join(stage.home, "models.json"), JSON.stringify(models));
    return stage;
  }

  /** The models that a server was asked for, and the keys that it was sent, each once. */
  function asked({ requests }: HttpModel) {
    return [requests.map(({ model }) => model), requests.map((one) => one.authorization)].map(
      (all) => [...new Set(all)],
    );
  }

  const script = () =>
    plays(
      { route: "plan", goal: "Build it" },
      { "rooroo-planner": plans("One"), "rooroo-developer": notes },
    );

  it("ask another server for each mode, each with its own key and model", async () => {
    const [planning, working] = [await another(script()), await another(script())];
    const stage = await open(
      script(),
      {
        profiles: {
          big: { model: "big-model", baseUrl: planning.url, keyVariable: "ROOROO_BIG_KEY" },
          small: { model: "small-model", baseUrl: working.url, keyVariable: "ROOROO_SMALL_KEY" },
        },
        modes: {
          "rooroo-planner": { profile: "big" },
          "rooroo-developer": { profile: "small", model: "coder-model" },
        },
      },
      { ROOROO_BIG_KEY: "key-of-big-server", ROOROO_SMALL_KEY: "key-of-small-server" },
    );
    const { code, stdout } = await stage.runAll("ask", "Build it");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /One: noted/);
    assert.deepEqual(asked(stage.model), [["test-model"], ["Bearer test-key"]]);
    assert.deepEqual(asked(planning), [["big-model"], ["Bearer key-of-big-server"]]);
    assert.deepEqual(asked(working), [["coder-model"], ["Bearer key-of-small-server"]]);
  });

  it("are switched by an option; the environment's key goes to no other server, and a task is resumed with another", async () => {
    let isBroken = true;
    const play = plays(
      { route: "direct", expert: "rooroo-developer", goal: "Write it" },
      {
        "rooroo-developer": ({ results }) => {
          if (results.length === 0) return calls("write_to_file", { path: "a.txt", content: "a" });
          return isBroken ? { status: 400, message: "No." } : completes({ message: "Written." });
        },
      },
    );
    const [first, second] = [await another(play), await another(play)];
    const stage = await open(play, {
      profile: "second",
      profiles: {
        first: { model: "first-model", baseUrl: first.url },
        second: { model: "second-model", baseUrl: second.url, api: "messages" },
      },
    });
    const failed = await stage.runAll("ask", "Write it", "--profile", "first");
    assert.notEqual(failed.code, 0);
    assert.deepEqual(asked(first), [["first-model"], [undefined]]);
    assert.equal(second.requests.length, 0);
    isBroken = false;
    const [{ taskId } = assert.fail()] = await stage.tasks();
    const { code, stdout, stderr } = await stage.runAll("resume", taskId);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Written\./);
    assert.equal(second.requests.at(-1)?.model, "second-model");
    assert.equal(stage.model.requests.length, 0);
  });

  it("are left out where the command line names a server, or says so", async () => {
    const other = await another(() => ({ text: "" }));
    const stage = await open(() => calls("say", { word: "hello" }), {
      profile: "other",
      profiles: { other: { model: "m", baseUrl: other.url } },
    });
    for (const args of [
      ["--base-url", stage.model.url],
      ["--profile", ""],
    ]) {
      const { code, stderr } = await stage.run("model", "test", ...args);
      assert.equal(code, 0, stderr);
    }
    assert.deepEqual(asked(stage.model), [["test-model"], ["Bearer test-key"]]);
    assert.equal(other.requests.length, 0);
  });

  it("are listed, with the key's variable and the modes that have one", async () => {
    const stage = await open(() => ({ text: "" }), {
      profile: "local",
      profiles: {
        local: { model: "qwen", baseUrl: "http://localhost:11434/v1" },
        cloud: { model: "gpt", temperature: 0.5 },
        router: { model: "x", baseUrl: "https://router.test/v1", keyVariable: "ROUTER_KEY" },
      },
      modes: { "rooroo-planner": { profile: "cloud" } },
    });
    const { stdout, code } = await stage.run("model", "profiles");
    assert.equal(code, 0);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "local  in use · qwen at http://localhost:11434/v1",
      "cloud  gpt at https://api.openai.com/v1 · OPENAI_API_KEY is set · for rooroo-planner",
      "router  x at https://router.test/v1 · ROUTER_KEY is not set",
    ]);
    const { profiles } = await stage.json("model", "profiles", "--profile", "cloud");
    assert.deepEqual(
      (profiles as { name: string; inUse: boolean }[]).map(({ name, inUse }) => [name, inUse]),
      [
        ["local", false],
        ["cloud", true],
        ["router", false],
      ],
    );
    const none = await Stage.open(() => ({ text: "" }));
    assert.match(
      (await none.run("model", "profiles")).stdout,
      /^There are no model profiles\. Define them in .*models\.json/,
    );
  });

  it("that are not defined, or cannot be read, end the command before anything is asked", async () => {
    const profiles = { local: { model: "m", baseUrl: "http://localhost:1/v1" } };
    const cases: [models: object, args: string[], message: RegExp][] = [
      [
        { profiles },
        ["--profile", "lokal"],
        /no model profile "lokal"\. .*models\.json defines "local"\./,
      ],
      [{ profiles, profile: "x" }, [], /no model profile "x"/],
      [{ profiles, modes: { "rooroo-planner": { profile: "x" } } }, [], /no model profile "x"/],
      [
        { profiles: { a: { model: "m", baseUrl: "nowhere" } } },
        [],
        /profiles\.a\.baseUrl is missing or not valid/,
      ],
      [{ profiles: { a: {} } }, [], /profiles\.a\.model is missing or not valid/],
      [{ profiles: { a: { model: "m", apiKey: "k" } } }, [], /profiles\.a must not have apiKey/],
      [{ profiles: { a: { model: "vscode:x/y" } }, profile: "a" }, [], /only the editor can ask/],
      [{ profiles }, ["--profile", "local", "--base-url", "http://localhost:1/v1"], /not both/],
    ];
    for (const [models, args, message] of cases) {
      const stage = await open(() => ({ text: "" }), models);
      const { code, stderr } = await stage.run("ask", "Do it", ...args);
      assert.equal(code, 64, stderr);
      assert.match(stderr, message);
      assert.equal(stage.model.requests.length, 0);
    }
  });
});
