import assert from "node:assert/strict";
import * as sdk from "openai";
import { ModelError } from "../../../../src/core/errors.js";
import { modelError } from "../../../../src/node/model/modelErrors.js";
import { ServerModel } from "../../../../src/node/model/serverModel.js";

const options = { name: "m", baseUrl: "http://127.0.0.1:9/v1", apiKey: "sk-1" };

describe("a request that cannot be sent", () => {
  it("is not asked for again, and its error does not repeat the key", () => {
    const thrown = new TypeError('Headers.append: "Bearer sk-1" is an invalid header value.');
    const told = modelError(thrown, options, sdk, { hasTools: false, hasBegun: false });
    assert.ok(told instanceof ModelError);
    assert.equal(told.code, "badRequest");
    assert.equal(told.passing, false);
    assert.doesNotMatch(told.message, /sk-1|broke/);
  });

  it("differs from a connection that breaks within the answer", () => {
    const thrown = new TypeError("terminated");
    const told = modelError(thrown, options, sdk, { hasTools: false, hasBegun: true });
    assert.ok(told instanceof ModelError && told.code === "brokenResponse");
  });

  it("is refused before it is made if the key has a typographic character", async () => {
    const model = new ServerModel(() => Promise.resolve({ ...options, apiKey: "sk—1" }));
    const asked = model.respond({ messages: [], tools: [] }, new AbortController().signal).next();
    await assert.rejects(asked, { code: "unconfigured", message: /^Character 3 .* U\+2014 \(—\)/ });
  });
});
