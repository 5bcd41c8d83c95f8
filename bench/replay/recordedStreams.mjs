import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as sdk from "openai";
import { parse } from "yaml";
import { compiled } from "../harness/compiled.mjs";
import { corpusFiles } from "./corpusFiles.mjs";
import { counted } from "./counted.mjs";

const options = { name: "m", baseUrl: "http://127.0.0.1:1/v1" };

/**
 * Streams of chat completions recorded in github.com/charmbracelet/fantasy (Apache-2.0), from OpenAI,
 * Azure, OpenRouter, xAI and others, where another client has sent the reply back in its next request.
 * What our client makes of the stream is right if it is the message that was sent back: the same calls
 * with the same ids, names and arguments, and the same text, blanks around it aside. Of text that is
 * interrupted by thoughts that client keeps only the last part, so ours has to end with it.
 *
 * @param {string} corpora
 */
export async function recordedStreams(corpora) {
  const { AnswerLimit } = await compiled("core/models/answerLimit");
  const { chatEvents } = await compiled("node/model/chatEvents");
  const { responseChunks } = await compiled("node/model/responseChunks");
  const verdicts = [];
  for (const file of await corpusFiles(join(corpora, "fantasy/providertests/testdata"), ".yaml")) {
    const { interactions = [] } = parse(await readFile(file, "utf8")) ?? {};
    for (const [at, { request, response }] of interactions.entries()) {
      const expected = replyIn(interactions[at + 1]?.request, request);
      if (!expected || !response.body.includes("data: {")) continue;
      const headers = { "content-type": "text/event-stream" };
      const unwatched = { written: () => 0, checkUnsaid: () => undefined };
      const reading = { options, sdk, next: (promise) => promise, ...unwatched };
      const chunks = responseChunks(new Response(response.body, { headers }), reading);
      const events = chatEvents(chunks, new Set(), options, new AnswerLimit("m"));
      const verdict = await judge(events, expected);
      if (verdict !== "right" && process.env.REPLAY_SHOW) console.error(`${file}: ${verdict}`);
      verdicts.push(verdict);
    }
  }
  const peers = "as recorded";
  return verdicts.length === 0
    ? []
    : counted("recorded streams", verdicts, { mostRefused: 0, peers });
}

/** Returns the reply that a request sends back to the model; `undefined` if it goes on with another one. */
function replyIn(next, request) {
  const isChat = [next, request].every((one) => one?.url?.endsWith("/chat/completions"));
  if (!isChat) return undefined;
  const [before, after] = [request, next].map(({ body }) => JSON.parse(body).messages);
  const reply = after[before.length];
  return reply?.role === "assistant" ? reply : undefined;
}

async function judge(events, expected) {
  let text = "";
  const calls = [];
  try {
    for await (const event of events) {
      if (event.type === "text") text += event.text;
      if (event.type === "toolCall") calls.push(event.call);
    }
  } catch {
    return "refused";
  }
  const told = calls.map(({ id, name, arguments: args }) => [id, name, JSON.parse(args || "{}")]);
  const wanted = (expected.tool_calls ?? []).map((call) => [
    call.id,
    call.function.name,
    JSON.parse(call.function.arguments || "{}"),
  ]);
  const content = expected.content ?? "";
  const words = typeof content === "string" ? content : content.map((part) => part.text).join("");
  const same =
    JSON.stringify(told) === JSON.stringify(wanted) && text.trim().endsWith(words.trim());
  return same ? "right" : "wrong";
}
