import assert from "node:assert/strict";
import * as sdk from "openai";
import { responseChunks } from "../../../../src/node/model/responseChunks.js";

describe("an answer that comes faster than it is read", () => {
  it("leaves the process time to hear of signals", async () => {
    const bytes = new TextEncoder().encode(`data: {"choices": []}\n\n`);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(bytes);
      },
    });
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const options = { name: "m1", baseUrl: "http://127.0.0.1:1/v1" };
    const reading = {
      options,
      sdk,
      next: <T>(promise: Promise<T>) => promise,
      written: () => 0,
      checkUnsaid: () => undefined,
    };
    const heard = new AbortController();
    setImmediate(() => {
      heard.abort();
    });
    let chunks = 0;
    const answer = responseChunks(response, reading)[Symbol.asyncIterator]();
    while (!heard.signal.aborted && chunks < 100_000) {
      await answer.next();
      chunks++;
    }
    assert.ok(chunks * bytes.length < 250_000, String(chunks));
  });
});
