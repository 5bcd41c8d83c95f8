import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { scripted } from "./assertedInScript.js";
import type { CountingServer } from "./countingServers.js";
import { httpApis } from "./httpApis.js";
import type { ScriptedResponse } from "./scriptedModel.js";
import type { SentMessage, ThinkingServer } from "./thinkingServers.js";

/** A message as it goes over the wire. */
interface HttpMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** A part of a message that is more than a text. */
interface HttpPart {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** A request as the client sent it. */
export interface HttpModelRequest {
  readonly model: string;
  readonly messages: readonly HttpMessage[];
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
  /** The definitions of the tools. */
  readonly definitions: readonly unknown[];
  /** The form that the answer is to have, as the client asks for it. */
  readonly responseFormat: { readonly type: string } | undefined;
  readonly authorization: string | undefined;
  /** Its tokens, as the server counts them unless the script does. */
  readonly tokens: number;
  /** Addresses of the images in its messages, in order. */
  readonly images: readonly string[];
  /** Calls of the conversation that have their results, in order. */
  readonly results: readonly { readonly name: string; readonly content: string }[];
}

/** A scripted response over HTTP; its `error` breaks the connection where a model would throw it. */
export type HttpReply = ScriptedResponse | { readonly status: number; readonly message: string };

/** @param index 0-based */
export type HttpScript = (
  request: HttpModelRequest,
  index: number,
) => HttpReply | Promise<HttpReply>;

/**
 * A model server on 127.0.0.1 that speaks OpenAI's Chat Completions and Responses and Anthropic's Messages. It answers with what one function makes of each
 * request, and keeps all requests.
 */
export class HttpModel {
  /** Every request that arrived, answered or not. */
  readonly requests: HttpModelRequest[] = [];
  private calls = 0;

  /** What it gives of its reasoning in Chat Completions, and wants back. Default: nothing. */
  thinking: ThinkingServer | undefined;

  /** What it counts in Chat Completions, and how it refuses or cuts what is too long. Default: it counts truly. */
  counting: { readonly server: CountingServer; readonly window: number } | undefined;

  /** How many requests it has refused as too long, and the tokens of the longest that it has answered. */
  readonly lengths = { refused: 0, longest: 0 };

  /** Tokens of the last request that it has answered. */
  private seen = 0;

  /** Called with each body as it came over the wire. */
  onBody: (body: string) => void = () => undefined;

  /** The models that it lists at `/models`; `undefined`: it has no list. */
  models: readonly object[] | undefined;

  /** The base address, as in `http://127.0.0.1:4321/v1`; it stays after {@link stop}. */
  url = "";

  private constructor(
    private readonly server: Server,
    private readonly script: HttpScript,
  ) {}

  /** @param script may be changed later through what it closes over */
  static async start(script: HttpScript): Promise<HttpModel> {
    const server = createServer();
    const model = new HttpModel(server, script);
    server.on("request", (request, response) => {
      model.serve(request, response).catch((error: unknown) => {
        // A script that throws is the test's fault; the client gets to know what it was.
        refuse(response, 400, error instanceof Error ? error.message : String(error));
      });
    });
    await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
    model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return model;
  }

  /** The variables that point a client at this server. */
  get env(): Record<string, string> {
    return {
      OPENAI_BASE_URL: this.url,
      OPENAI_API_KEY: "test-key",
      ANTHROPIC_API_KEY: "test-key",
      ROOROO_MODEL: "test-model",
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === "/v1/models" && this.models !== undefined) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data: this.models }));
      return;
    }
    const api = httpApis.get(request.url);
    const isKnown = api !== undefined || request.url === "/v1/chat/completions";
    if (request.method !== "POST" || !isKnown) {
      refuse(response, 404, `Nothing is at ${request.url ?? ""}.`);
      return;
    }
    const text = Buffer.concat(chunks).toString();
    this.onBody(text);
    const body = JSON.parse(text) as Record<string, unknown>;
    const tooLong = this.tooLong(text);
    if (tooLong !== undefined) {
      response.writeHead(tooLong.status, { "content-type": "application/json" });
      response.end(JSON.stringify(tooLong.body));
      return;
    }
    const missing = this.thinking?.refusal((body["messages"] ?? []) as readonly SentMessage[]);
    if (missing !== undefined) {
      response.writeHead(missing.status, { "content-type": "application/json" });
      response.end(JSON.stringify(missing.body));
      return;
    }
    const count = countOf(text);
    const read = {
      ...readRequest(api?.chatBody(body) ?? body, request.headers.authorization),
      tokens: count.inputTokens,
    };
    const index = this.requests.push(read) - 1;
    const given = await scripted(() => this.script(read, index));
    const reply = "status" in given ? given : { ...given, usage: given.usage ?? count };
    if ("status" in reply) refuse(response, reply.status, reply.message);
    else if (api === undefined) this.stream(response, read.model, reply, text);
    else api.stream(response, reply, () => this.newCallId());
  }

  private newCallId(): string {
    return `call_test_${++this.calls}_${process.pid}`;
  }

  /** Returns the refusal of a request that is too long. */
  private tooLong(body: string): { readonly status: number; readonly body: unknown } | undefined {
    if (this.counting === undefined) return undefined;
    const { server, window } = this.counting;
    const asked = askedOf(server, body);
    if (asked <= window || server.refusal === undefined) {
      this.lengths.longest = Math.max(this.lengths.longest, asked);
      return undefined;
    }
    this.lengths.refused++;
    return server.refusal(asked, window);
  }

  /** Returns what the server tells of the request's tokens, in one chunk or more. */
  private usages(body: string, reply: ScriptedResponse): readonly (object | undefined)[] {
    const { inputTokens, outputTokens, cachedTokens } = reply.usage ?? countOf(body);
    if (this.counting?.server.usage !== undefined) {
      const { server, window } = this.counting;
      const asked = askedOf(server, body);
      const cached = Math.min(this.seen, asked);
      this.seen = asked;
      return this.counting.server.usage(asked, cached, window);
    }
    return [
      {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
        prompt_tokens_details: { cached_tokens: cachedTokens },
      },
    ];
  }

  private stream(
    response: ServerResponse,
    model: string,
    reply: ScriptedResponse,
    body: string,
  ): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const id = `chatcmpl-${this.requests.length}`;
    const send = (fields: object): void => {
      const chunk = { id, object: "chat.completion.chunk", created: 0, model, ...fields };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    const delta = (fields: object): void => {
      send({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
    };
    delta({ role: "assistant" });
    if (reply.reasoning !== undefined) delta({ reasoning_content: reply.reasoning });
    const count = this.requests.length;
    for (const fields of this.thinking?.message(count) ?? []) delta(fields);
    const { text = [], toolCalls = [] } = reply;
    for (const content of typeof text === "string" ? [text] : text) delta({ content });
    for (const [index, call] of toolCalls.entries()) {
      const args =
        typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
      const callId = call.id ?? this.newCallId();
      const start = { index, id: callId, type: "function", ...this.thinking?.call(count, index) };
      // In two pieces, as servers do.
      const half = Math.ceil(args.length / 2);
      delta({
        tool_calls: [{ ...start, function: { name: call.name, arguments: args.slice(0, half) } }],
      });
      delta({ tool_calls: [{ index, function: { arguments: args.slice(half) } }] });
    }
    if (reply.error) {
      response.destroy(reply.error);
      return;
    }
    const reason =
      reply.finish === "length" ? "length" : toolCalls.length > 0 ? "tool_calls" : "stop";
    send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
    for (const usage of this.usages(body, reply)) {
      if (usage !== undefined) send({ choices: [], usage });
    }
    response.end("data: [DONE]\n\n");
  }
}

function askedOf({ tokens = 1 }: CountingServer, body: string): number {
  return Math.ceil(countOf(body).inputTokens * tokens);
}

/** Counts a request's tokens as real servers do, within a few percent: four characters each, and no images. */
function countOf(body: string) {
  const text = body.replace(/[A-Za-z0-9+/=]{500,}/g, "");
  return { inputTokens: Math.ceil(text.length / 4), outputTokens: 10, cachedTokens: 0 };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "test", code: null } }));
}

function readRequest(
  body: object,
  authorization: string | undefined,
): Omit<HttpModelRequest, "tokens"> {
  const {
    model,
    messages: sent,
    tools,
    response_format,
  } = body as {
    model: string;
    response_format?: { type: string };
    messages: (Omit<HttpMessage, "content"> & { content: string | null | readonly HttpPart[] })[];
    tools?: { function: { name: string } }[];
  };
  const parts = sent.map(({ content }) =>
    typeof content === "string" || content === null ? [{ text: content ?? "" }] : content,
  );
  const messages = sent.map((message, index): HttpMessage => {
    if (!Array.isArray(message.content)) return message as HttpMessage;
    return { ...message, content: parts[index]?.map(({ text = "" }) => text).join("") ?? "" };
  });
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const results = messages.flatMap((message) => {
    if (message.role !== "tool") return [];
    const call = calls.findLast(({ id }) => id === message.tool_call_id);
    return [{ name: call?.function.name ?? "", content: message.content ?? "" }];
  });
  return {
    model,
    messages,
    definitions: tools ?? [],
    tools: (tools ?? []).map((tool) => tool.function.name),
    responseFormat: response_format,
    authorization,
    images: parts.flat().flatMap(({ image_url }: HttpPart) => image_url?.url ?? []),
    results,
  };
}
