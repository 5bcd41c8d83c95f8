import assert from "node:assert/strict";
import { calls } from "../fakes/navigatorWorld.js";
import { refusesTools } from "./inEnvelopes.js";
import { closeStages, Stage } from "./stage.js";

describe("rooroo model", () => {
  afterEach(closeStages);

  it("lists the server's models, with what it says that each can", async () => {
    const stage = await Stage.open(() => ({ text: "" }));
    stage.model.models = [
      { id: "small", max_model_len: 8_192 },
      { id: "a-big-model", context_length: 131_072, supported_parameters: ["tools"] },
    ];
    const { code, stdout, stderr } = await stage.run("model", "list");
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "a-big-model  128k tokens · calls tools\nsmall        8k tokens\n");
    assert.deepEqual(await stage.json("model", "list"), {
      models: [
        { name: "a-big-model", contextTokens: 131_072, callsTools: true },
        { name: "small", contextTokens: 8_192 },
      ],
    });
    assert.equal(stage.model.requests.length, 0);
  });

  it("says so where there is no list", async () => {
    const stage = await Stage.open(() => ({ text: "" }));
    const { code, stderr } = await stage.run("model", "list");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^rooroo: http:\/\/127\.0\.0\.1:\d+\/v1 has no list of models \(404\). Check the model's address, or enter the model's name yourself\.\n$/,
    );
  });

  it("refuses a key with a typographic character by its place, and asks nothing", async () => {
    const stage = await Stage.open(() => ({ text: "" }), {}, { OPENAI_API_KEY: "sk–1" });
    const { code, stderr } = await stage.run("model", "test");
    assert.equal(code, 64);
    assert.match(stderr, /Character 3 of the key in OPENAI_API_KEY is U\+2013/);
    assert.equal(stage.model.requests.length, 0);
  });

  it("tests one: its tools, or that it has none, or what is wrong", async () => {
    const say = calls("say", { word: "hello" });
    const good = await Stage.open(() => say);
    const works = await good.run("model", "test");
    assert.equal(works.code, 0, works.stderr);
    assert.match(works.stdout, /^test-model answered in [\d.]+ s and calls tools\.\n$/);

    const weak = await Stage.open(refusesTools(() => ({ text: "hello" })));
    const without = await weak.run("model", "test");
    assert.equal(without.code, 0, without.stderr);
    assert.match(without.stdout, /but did not call a tool\. Experts will use envelopes instead/);

    const closed = await Stage.open(() => ({ status: 401, message: "Incorrect key" }));
    const refused = await closed.run("model", "test");
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /refuses the API key \(401\)\. It says: Incorrect key\. Use “Set API Key”, or the variable/,
    );
  });
});
