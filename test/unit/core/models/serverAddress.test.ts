import assert from "node:assert/strict";
import { addressIn, addressOf, apiOf } from "../../../../src/core/models/serverAddress.js";

describe("the address at which a model's server is asked", () => {
  it("is what is set, without the endpoint that people copy along", () => {
    for (const [given, asked] of [
      ["http://localhost:8080/v1", "http://localhost:8080/v1"],
      ["http://localhost:8080/v1/", "http://localhost:8080/v1/"],
      ["https://a.test/v1/chat/completions", "https://a.test/v1"],
      ["https://a.test/openai/responses/?api-version=2", "https://a.test/openai?api-version=2"],
      ["https://a.test/v1/messages", "https://a.test/v1"],
      ["https://a.test/v1/models", "https://a.test/v1"],
      ["https://a.test/models/v1", "https://a.test/models/v1"],
      ["https://a.test/models?api-version=2", "https://a.test/models?api-version=2"],
      [
        "https://a.test/models/chat/completions?api-version=2",
        "https://a.test/models?api-version=2",
      ],
      ["https://messages.test", "https://messages.test"],
    ] as const) {
      assert.equal(addressOf({ baseUrl: given }), asked);
    }
  });

  it("is that of the API's own maker where none is set", () => {
    assert.equal(addressOf({}), "https://api.openai.com/v1");
    assert.equal(addressOf({ api: "messages" }), "https://api.anthropic.com/v1");
  });

  it("is recognised whatever the case of its letters", () => {
    assert.equal(apiOf({ baseUrl: "https://API.Anthropic.com/v1" }), "messages");
  });

  it("is the one that the environment names for its API, and never that for the other", () => {
    const env = { OPENAI_BASE_URL: "http://one.test/v1", ANTHROPIC_BASE_URL: "http://two.test/a/" };
    assert.equal(addressIn(env, undefined), "http://one.test/v1");
    assert.equal(addressIn(env, "responses"), "http://one.test/v1");
    assert.equal(addressIn(env, "messages"), "http://two.test/a/v1");
    assert.equal(
      addressIn({ ANTHROPIC_BASE_URL: "http://two.test/v1" }, "messages"),
      "http://two.test/v1",
    );
    assert.equal(addressIn({ ...env, ANTHROPIC_BASE_URL: " " }, "messages"), undefined);
    assert.equal(addressIn({ ...env, OPENAI_BASE_URL: "" }, "chat"), undefined);
  });
});
