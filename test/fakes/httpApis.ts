import type { ServerResponse } from "node:http";
import type { ScriptedResponse } from "./scriptedModel.js";

/** Another API than Chat Completions, as the server of the tests speaks it: translated from and into that one's terms. */
export interface HttpApi {
  /** Returns a request's body as one of Chat Completions. */
  chatBody(body: Readonly<Record<string, unknown>>): object;
  stream(response: ServerResponse, reply: ScriptedResponse, newCallId: () => string): void;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: object;
  readonly tool_use_id?: string;
  readonly content?: string;
}

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: string;
}

function functionCall(id = "", name = "", args = "") {
  return { id, type: "function", function: { name, arguments: args } };
}

function functionTool(tool: { readonly name: string }) {
  return { type: "function", function: tool };
}

/** Returns a writer of server-sent events that are named after their types. */
function events(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (type: string, fields: object = {}) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
}

function pieces({ text = [] }: ScriptedResponse): readonly string[] {
  return typeof text === "string" ? [text] : text;
}

function callsOf({ toolCalls = [] }: ScriptedResponse, newCallId: () => string) {
  return toolCalls.map(({ id = newCallId(), name, arguments: given }) => ({
    id,
    name,
    args: typeof given === "string" ? given : JSON.stringify(given),
  }));
}

/** Anthropic's Messages: https://platform.claude.com/docs/en/api/messages. */
const messagesApi: HttpApi = {
  chatBody: ({ model, system, messages, tools = [] }) => {
    const blocks = (content: unknown) =>
      typeof content === "string"
        ? [{ type: "text", text: content }]
        : (content as readonly Block[]);
    const textOf = (given: readonly Block[]) => given.map(({ text = "" }) => text).join("");
    const sent = messages as readonly { role: string; content: unknown }[];
    const told = sent.flatMap(({ role, content }) => {
      const all = blocks(content);
      const uses = all.filter(({ type }) => type === "tool_use");
      const tool_calls = uses.map(({ id, name, input }) =>
        functionCall(id, name, JSON.stringify(input)),
      );
      const results = all
        .filter(({ type }) => type === "tool_result")
        .map((one) => ({
          role: "tool",
          tool_call_id: one.tool_use_id,
          content: one.content ?? "",
        }));
      const text = textOf(all);
      const said = role === "assistant" || text !== "" ? [{ role, content: text }] : [];
      return [
        ...results,
        ...said.map((one) => (tool_calls.length > 0 ? { ...one, tool_calls } : one)),
      ];
    });
    const first = system === undefined ? [] : [{ role: "system", content: textOf(blocks(system)) }];
    return {
      model,
      messages: [...first, ...told],
      tools: (tools as readonly { name: string }[]).map(functionTool),
    };
  },
  stream: (response, reply, newCallId) => {
    const send = events(response);
    const { inputTokens = 100, outputTokens = 10, cachedTokens = 0 } = reply.usage ?? {};
    const usage = {
      input_tokens: inputTokens - cachedTokens,
      cache_read_input_tokens: cachedTokens,
      output_tokens: 1,
    };
    send("message_start", { message: { role: "assistant", content: [], usage } });
    let index = 0;
    const block = (content_block: object, deltas: readonly object[]) => {
      send("content_block_start", { index, content_block });
      for (const delta of deltas) send("content_block_delta", { index, delta });
      send("content_block_stop", { index });
      index++;
    };
    if (reply.reasoning !== undefined) {
      block({ type: "thinking", thinking: "" }, [
        { type: "thinking_delta", thinking: reply.reasoning },
        { type: "signature_delta", signature: "signature" },
      ]);
    }
    const text = pieces(reply);
    if (text.length > 0) {
      block(
        { type: "text", text: "" },
        text.map((one) => ({ type: "text_delta", text: one })),
      );
    }
    const calls = callsOf(reply, newCallId);
    for (const { id, name, args } of calls) {
      const half = Math.ceil(args.length / 2);
      block(
        { type: "tool_use", id, name, input: {} },
        [args.slice(0, half), args.slice(half)].map((partial_json) => ({
          type: "input_json_delta",
          partial_json,
        })),
      );
    }
    if (reply.error) {
      response.destroy(reply.error);
      return;
    }
    const isCut = reply.finish === "length";
    const stop_reason = isCut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
    send("message_delta", { delta: { stop_reason }, usage: { output_tokens: outputTokens } });
    send("message_stop");
    response.end();
  },
};

/** OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses. */
const responsesApi: HttpApi = {
  chatBody: ({ model, instructions, input, tools = [] }) => {
    const textOf = (content: unknown) =>
      typeof content === "string"
        ? content
        : (content as readonly Block[]).map(({ text = "" }) => text).join("");
    const messages: Record<string, unknown>[] = [];
    if (instructions !== undefined) messages.push({ role: "system", content: instructions });
    for (const item of input as readonly Item[]) {
      if (item.type === "function_call") {
        const call = functionCall(item.call_id, item.name, item.arguments);
        const last = messages.at(-1);
        if (last?.["role"] === "assistant") {
          const before = (last["tool_calls"] ?? []) as readonly object[];
          last["tool_calls"] = [...before, call];
        } else messages.push({ role: "assistant", content: null, tool_calls: [call] });
      } else if (item.type === "function_call_output") {
        messages.push({ role: "tool", tool_call_id: item.call_id, content: item.output });
      } else if (item.role !== undefined) {
        messages.push({ role: item.role, content: textOf(item.content) });
      }
    }
    return { model, messages, tools: (tools as readonly { name: string }[]).map(functionTool) };
  },
  stream: (response, reply, newCallId) => {
    const send = events(response);
    send("response.created", { response: { status: "in_progress" } });
    const { inputTokens = 100, outputTokens = 10, cachedTokens = 0 } = reply.usage ?? {};
    if (reply.reasoning !== undefined) {
      send("response.reasoning_summary_text.delta", { delta: reply.reasoning });
      const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "encrypted" };
      send("response.output_item.done", { item });
    }
    for (const delta of pieces(reply)) send("response.output_text.delta", { delta });
    for (const { id, name, args } of callsOf(reply, newCallId)) {
      const item = { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: args };
      send("response.output_item.done", { item });
    }
    if (reply.error) {
      response.destroy(reply.error);
      return;
    }
    const isCut = reply.finish === "length";
    const usage = {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      input_tokens_details: { cached_tokens: cachedTokens },
    };
    const incomplete_details = isCut ? { reason: "max_output_tokens" } : null;
    send(isCut ? "response.incomplete" : "response.completed", {
      response: { usage, incomplete_details },
    });
    response.end();
  },
};

/** The APIs by the paths at which they are asked. */
export const httpApis: ReadonlyMap<string | undefined, HttpApi> = new Map([
  ["/v1/messages", messagesApi],
  ["/v1/responses", responsesApi],
]);
