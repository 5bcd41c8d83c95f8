// The model server's thread: an OpenAI-compatible server on 127.0.0.1 that answers at once, or at a
// given pace. In a thread of its own so that its work is not taken for Rooroo's.
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { reply } from "./script.mjs";

const { beforeReplyMs = 0, betweenChunksMs = 0 } = workerData;
/** @type {unknown[]} */
let journal = [];
let calls = 0;

const server = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  const body = JSON.parse(text);
  journal.push(body);
  if (beforeReplyMs > 0) await pause(beforeReplyMs);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (/** @type {object} */ delta, /** @type {string | null} */ finish = null) =>
    response.write(event({ choices: [{ index: 0, delta, finish_reason: finish }] }));

  const said = reply(body);
  const startedAt = performance.now();
  for (const [i, content] of said.chunks.entries()) {
    const wait = startedAt + i * betweenChunksMs - performance.now();
    if (betweenChunksMs > 0 && wait > 0) await pause(wait);
    send({ content });
  }
  const toolCalls = said.calls.map(({ name, args }, index) => ({
    index,
    id: `call_bench_${++calls}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  send({ tool_calls: toolCalls }, "tool_calls");
  // A count that cannot be is doubted, which takes time of its own.
  const prompt_tokens = Math.ceil(text.length / 4);
  response.write(
    event({
      choices: [],
      usage: { prompt_tokens, completion_tokens: 20, total_tokens: prompt_tokens + 20 },
    }),
  );
  response.end("data: [DONE]\n\n");
});

/** @param {object} fields */
function event(fields) {
  const chunk = {
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 0,
    model: "bench",
  };
  return `data: ${JSON.stringify({ ...chunk, ...fields })}\n\n`;
}

server.listen(0, "127.0.0.1", () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  parentPort?.postMessage({ url: `http://127.0.0.1:${address.port}/v1` });
});
parentPort?.on("message", () => {
  parentPort?.postMessage({ journal });
  journal = [];
});
