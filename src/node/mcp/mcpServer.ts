import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { recordOf } from "../../core/documents/recordOf.js";
import { UserError } from "../../core/errors.js";
import type { HostAnswer } from "../../core/ports/editor.js";
import type { ServerPrompt, ServerResource } from "../../core/ports/serverContent.js";
import type { Said } from "../../core/text/words.js";
import { AnsweringBuffer } from "./answeringBuffer.js";
import { boundedFetch } from "./boundedFetch.js";
import { readPrompts, readResources } from "./listedContent.js";
import { type ListedTool, misfit, type ReadTools, readTools } from "./listedTools.js";
import type { McpServerEntry } from "./mcpConfig.js";
import { RefusedRequests } from "./refusedRequests.js";
import { SandboxTransport } from "./sandboxTransport.js";
import { serverProblem } from "./serverProblem.js";
import type { ServerSandbox } from "./serverSandbox.js";
import { TolerantClient } from "./tolerantClient.js";

/** Milliseconds in which a server has to start and name its tools. */
const startMs = 15_000;
/** Milliseconds that one call may take: the user can stop it at any time. */
const callMs = 3_600_000;
/** Milliseconds in which a prompt or a resource has to be there. */
const readMs = 30_000;
/** The code of the client's own error for an answer that has not come in time. */
const overdue: number = ErrorCode.RequestTimeout;
/** The most pages of a server's list that are read, and the most items. */
const mostPages = 20;
const mostItems = 1_000;
/** The most characters of a server's error output that are kept, and that are told. */
const keptErrorOutput = 8_000;
const mostErrorOutput = 300;
/** Milliseconds after which one that could not be started is tried again, and the most: they double each time. */
const retryMs = 60_000;
const mostRetryMs = 3_600_000;

/** What a server lists. The SDK's own methods refuse all of a list, or of a text, for one part that they do not like. */
const parts = z.array(z.unknown());
const promptText = z.looseObject({ messages: parts });
const resourceText = z.looseObject({ contents: parts });
/** An answer of a tool. It has run, so that whatever it says is passed on. */
const toolAnswer = z.looseObject({});
type ToolAnswer = z.output<typeof toolAnswer>;

export interface McpServerOptions {
  /** Where it is, or how it is started. */
  readonly entry: McpServerEntry;
  /** The absolute path of the folder in which it is started. */
  readonly root: string;
  /** Milliseconds in which it has to start. */
  readonly startMs?: number | undefined;
  /** Milliseconds after which it is tried again if it could not be started. */
  readonly retryMs?: number | undefined;
  /** The sandbox that its process runs in. Absent: it runs as any program of the user's. */
  readonly sandbox?: ServerSandbox | undefined;
  /** What a person's permission for it is bound to. Absent: it needs none. */
  readonly bound?: string | undefined;
  /** Called before each start; throws a `UserError` if it may not be started. */
  readonly beforeStart?: (() => Promise<void>) | undefined;
}

interface Connection {
  readonly client: Client;
  listed: ReadTools;
  /** Returns the end of what its process has printed, in a sentence; nothing if that is nothing. */
  readonly printed: () => string;
  /** Whether the server has said that its tools have changed. */
  isStale: boolean;
  /** Lists that the server has given, until it says that they have changed. */
  prompts?: Promise<readonly ServerPrompt[]> | undefined;
  resources?: Promise<readonly ServerResource[]> | undefined;
}

/**
 * One MCP server: started when it is first needed, and again after it has ended. One that has never started is tried
 * again after a while only, so that it does not hold up every session.
 */
export class McpServer {
  private connection: Promise<Connection> | undefined;
  private connected: Connection | undefined;
  private readonly ended = new AbortController();

  private readonly startTimeoutMs: number;
  private readonly refused = new RefusedRequests();
  private failures = 0;
  /** When it may be tried again, if it has never started: milliseconds of `performance.now`. */
  private retryAt = 0;

  constructor(
    readonly name: string,
    readonly options: McpServerOptions,
  ) {
    this.startTimeoutMs = options.startMs ?? startMs;
  }

  get entry(): McpServerEntry {
    return this.options.entry;
  }

  /** The tools that it has named; none before it has been started. */
  get tools(): readonly ListedTool[] {
    const { tools: wanted, deny } = this.entry;
    const all = this.connected?.listed.tools ?? [];
    return all.filter(({ name }) => (wanted?.includes(name) ?? true) && !deny.includes(name));
  }

  /** The tools of its list that cannot be used, each with why. */
  get leftOut(): readonly Said[] {
    return this.connected?.listed.leftOut ?? [];
  }

  /**
   * Starts it if it does not run, and asks it again for its tools if they have changed. Throws a `UserError` that says why
   * it cannot be used.
   */
  async start(): Promise<void> {
    const connection = await this.connect();
    if (!connection.isStale) return;
    connection.isStale = false;
    try {
      connection.listed = await toolsOf(connection.client, this.startOptions());
    } catch (error) {
      connection.isStale = true;
      const problem = serverProblem(error);
      throw this.unusable(`its tools have changed, and it does not name them: ${problem}`);
    }
  }

  /**
   * Calls one of its tools, and returns what it answers. An answer that does not fit the tool's own schema is
   * returned all the same, with a word on it: the tool has run.
   *
   * @throws a `UserError` if it fails, and the signal's reason when the signal aborts
   */
  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<HostAnswer> {
    signal.throwIfAborted();
    const { client, printed } = await this.connect();
    const failed = (problem: string) =>
      new UserError("mcpToolFailed", "The tool {tool} of {server} failed: {problem}", {
        tool,
        server: this.name,
        problem,
      });
    const listed = this.tools.find(({ name }) => name === tool);
    const wrong = listed && misfit(input, listed.parameters);
    if (wrong !== undefined) throw failed(`It was not called: its input is wrong. ${wrong}`);
    let answer: ToolAnswer;
    const asked = this.refused.listen();
    try {
      const params = { name: tool, arguments: { ...input } };
      answer = await whileAtWork(signal, (own) =>
        client.request({ method: "tools/call", params }, toolAnswer, {
          signal: own,
          timeout: callMs,
        }),
      );
    } catch (error) {
      signal.throwIfAborted();
      // A server that is reached over the network may have forgotten the session: the next call begins another.
      if ("url" in this.entry && !(error instanceof McpError)) {
        this.connection = undefined;
        void client.close().catch(() => undefined);
      }
      // One that has ended in the middle says why on its error output, if anywhere.
      const last = client.transport === undefined ? printed() : "";
      const problem = `${serverProblem(error)}${last === "" ? "" : `.${last}`}`;
      throw failed([problem, ...asked.lines].join("\n"));
    } finally {
      asked.stop();
    }
    const parts = answerOf(answer);
    const text = [...(parts.text === "" ? [] : [parts.text]), ...asked.lines].join("\n");
    const said = { ...parts, text };
    if (answer["isError"] === true) return { ...said, failed: true };
    const schema = listed?.outputSchema;
    if (schema === undefined) return said;
    const structured = answer["structuredContent"];
    const odd = structured === undefined ? "it has no structured part" : misfit(structured, schema);
    if (odd === undefined) return said;
    const note = `(The tool has run. Its answer does not fit the schema that it gives for its answers: ${odd})`;
    return { ...said, text: `${text}\n\n${note}` };
  }

  /** Returns the prompts that it offers. Rejects if it cannot be used. */
  async prompts(): Promise<readonly ServerPrompt[]> {
    const connection = await this.connect();
    const { client } = connection;
    if (client.getServerCapabilities()?.prompts === undefined) return [];
    connection.prompts ??= listOf(client, "prompts", this.startOptions()).then((entries) =>
      readPrompts(entries, this.name),
    );
    connection.prompts.catch(() => (connection.prompts = undefined));
    return connection.prompts;
  }

  /** Returns the resources that it names. Rejects if it cannot be used. */
  async resources(): Promise<readonly ServerResource[]> {
    const connection = await this.connect();
    const { client } = connection;
    if (client.getServerCapabilities()?.resources === undefined) return [];
    connection.resources ??= listOf(client, "resources", this.startOptions()).then((entries) =>
      readResources(entries, this.name),
    );
    connection.resources.catch(() => (connection.resources = undefined));
    return connection.resources;
  }

  /**
   * Returns a prompt's text.
   *
   * @throws a `UserError` if it fails, and the signal's reason when the signal aborts
   */
  prompt(
    name: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string> {
    return this.read(name, signal, async (client, options) => {
      const params = { name, arguments: { ...given } };
      const asked = { method: "prompts/get", params };
      const { messages } = await client.request(asked, promptText, options);
      const texts = messages.map((message) => {
        const { role, content } = recordOf(message) ?? {};
        const text = [content].flat().map(partText).join("\n");
        return role === "assistant" ? `(An example of an answer:)\n${text}` : text;
      });
      return texts.join("\n\n");
    });
  }

  /**
   * Returns a resource's text.
   *
   * @throws a `UserError` if it fails, and the signal's reason when the signal aborts
   */
  resource(uri: string, signal: AbortSignal): Promise<string> {
    return this.read(uri, signal, async (client, options) => {
      const asked = { method: "resources/read", params: { uri } };
      const { contents } = await client.request(asked, resourceText, options);
      const texts = contents.map((one) => recordOf(one)?.["text"]);
      return texts.map((one) => (typeof one === "string" ? one : notText("blob"))).join("\n");
    });
  }

  private async read(
    what: string,
    signal: AbortSignal,
    work: (client: Client, options: RequestOptions) => Promise<string>,
  ): Promise<string> {
    signal.throwIfAborted();
    const { client } = await this.connect();
    try {
      return await whileAtWork(signal, (own) => work(client, { signal: own, timeout: readMs }));
    } catch (error) {
      signal.throwIfAborted();
      throw new UserError("mcpContentFailed", "{server} does not give {what}: {problem}", {
        server: this.name,
        what,
        problem: serverProblem(error),
      });
    }
  }

  /** Ends it, also while it starts. It is not started any more. */
  async stop(): Promise<void> {
    const { connection } = this;
    this.ended.abort();
    this.connection = undefined;
    this.connected = undefined;
    await connection?.then(({ client }) => client.close()).catch(() => undefined);
  }

  private connect(): Promise<Connection> {
    if (this.failures > 0 && this.connected === undefined && performance.now() >= this.retryAt) {
      this.connection = undefined;
    }
    this.connection ??= this.open().then(
      (connection) => (this.connected = connection),
      (error: unknown) => {
        if (this.connected !== undefined) this.connection = undefined;
        const wait = (this.options.retryMs ?? retryMs) * 2 ** this.failures++;
        this.retryAt = performance.now() + Math.min(wait, mostRetryMs);
        throw error;
      },
    );
    return this.connection;
  }

  private async open(): Promise<Connection> {
    await this.options.beforeStart?.();
    let said = "";
    const hear = (piece: string) => (said = (said + piece).slice(-keptErrorOutput));
    const printed = () => {
      const words = lastWords(said);
      return words === "" ? "" : ` It printed: ${words}`;
    };
    const options = this.startOptions();
    let client: Client | undefined;
    try {
      await this.checkFolder();
      client = await this.reach(hear, options);
      const listed = await toolsOf(client, this.startOptions());
      client.onclose = () => {
        this.connection = undefined;
      };
      const connection: Connection = { client, listed, printed, isStale: false };
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        connection.isStale = true;
      });
      client.setNotificationHandler(PromptListChangedNotificationSchema, () => {
        connection.prompts = undefined;
      });
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
        connection.resources = undefined;
      });
      return connection;
    } catch (error) {
      await client?.close().catch(() => undefined);
      // The client counts the same time, and may be the first to say that it is over.
      const isOver =
        (options.signal?.aborted === true && !this.ended.signal.aborted) ||
        (error instanceof McpError && error.code === overdue);
      const reason = isOver
        ? `it did not answer within ${this.startTimeoutMs / 1000} s`
        : serverProblem(error);
      throw this.unusable(reason, printed());
    }
  }

  /** The system's own words for a missing folder say that the program is missing. */
  private async checkFolder(): Promise<void> {
    const { entry, options } = this;
    if ("url" in entry || entry.cwd === undefined || options.sandbox !== undefined) return;
    const folder = resolve(options.root, entry.cwd);
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) throw new Error(`its "cwd" ${folder} is no folder`);
  }

  /** Begins to speak with it. One whose entry does not say how is tried as a newer one, then as an older one. */
  private async reach(hear: (piece: string) => void, options: RequestOptions): Promise<Client> {
    const { entry } = this;
    const connected = async (transport: Transport) => {
      const client = new TolerantClient({ name: "rooroo", version: "1" });
      client.fallbackRequestHandler = (request) => Promise.reject(this.refused.refusal(request));
      try {
        await limited(options, (own) => client.connect(transport, own));
        return client;
      } catch (error) {
        await client.close().catch(() => undefined);
        throw error;
      }
    };
    if (!("url" in entry) || entry.type !== undefined) return connected(this.transport(hear));
    try {
      return await connected(this.transport(hear));
    } catch (error) {
      // An older server refuses the request itself: https://modelcontextprotocol.io/specification, "Backwards Compatibility".
      const { code } = error as { readonly code?: unknown };
      const isOlder =
        error instanceof StreamableHTTPError &&
        [-1, 400, 404, 405, 406, 415].includes(Number(code));
      if (!isOlder) throw error;
      return await connected(this.transport(hear, "sse")).catch(() => {
        throw error;
      });
    }
  }

  /** Returns what limits a request that the server has to answer soon. */
  private startOptions(): RequestOptions {
    const timeout = this.startTimeoutMs;
    return { timeout, signal: AbortSignal.any([AbortSignal.timeout(timeout), this.ended.signal]) };
  }

  private unusable(reason: string, output = ""): UserError {
    return new UserError(
      "mcpServerFailed",
      'The MCP server {server} cannot be used: {reason}.{output} Correct it in the list of servers, or set "disabled".',
      { server: this.name, reason: reason.replace(/\.$/, ""), output },
    );
  }

  private transport(onErrorOutput: (piece: string) => void, as?: "sse"): Transport {
    const { entry } = this;
    if ("url" in entry) {
      const fetch = boundedFetch((reason) => {
        onErrorOutput(reason);
        void transport.close();
      });
      const options = { requestInit: { headers: entry.headers }, fetch };
      const url = new URL(entry.url);
      const transport: Transport =
        (as ?? entry.type) === "sse"
          ? // oxlint-disable-next-line typescript/no-deprecated -- older servers speak nothing else
            new SSEClientTransport(url, options)
          : new StreamableHTTPClientTransport(url, options);
      return transport;
    }
    const { sandbox, root } = this.options;
    if (sandbox !== undefined) {
      return new SandboxTransport(() => sandbox.start(entry), onErrorOutput);
    }
    const transport = new StdioClientTransport({
      command: entry.command,
      args: entry.args,
      env: { ...getDefaultEnvironment(), ...entry.env },
      cwd: resolve(root, entry.cwd ?? ""),
      stderr: "pipe",
    });
    // The SDK has no option for the buffer of this transport.
    Reflect.set(transport, "_readBuffer", new AnsweringBuffer());
    transport.stderr?.on("data", (chunk: Buffer) => {
      onErrorOutput(chunk.toString());
    });
    return transport;
  }
}

/** Returns the end of what a program has printed, in one line, without the lines of a stack, which would hide the error. */
function lastWords(printed: string): string {
  const lines = printed.split("\n").filter((line) => !/^\s+at /.test(line));
  const words = lines.join(" ").replace(/\s+/g, " ").trim();
  return words.slice(-mostErrorOutput);
}

async function toolsOf(client: Client, limits: RequestOptions): Promise<ReadTools> {
  try {
    const entries = await listOf(client, "tools", limits);
    return readTools(entries);
  } catch (error) {
    // Some have tools and do not say so; those that have none are there for their prompts.
    const hasNone = client.getServerCapabilities()?.tools === undefined;
    if (hasNone && error instanceof McpError) return { tools: [], leftOut: [] };
    throw error;
  }
}

/**
 * Gives the work a signal that follows another one until the work has ended. The client leaves its listeners at the signal
 * that it is given: they would stay as long as a session, and tell the server then to cancel what it has long answered.
 */
async function whileAtWork<T>(
  signal: AbortSignal,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const follow = () => {
    own.abort(signal.reason);
  };
  if (signal.aborted) follow();
  signal.addEventListener("abort", follow, { once: true });
  try {
    return await work(own.signal);
  } finally {
    signal.removeEventListener("abort", follow);
  }
}

/** Does work within a request's limits, with a signal as {@link whileAtWork} gives. */
function limited<T>(
  options: RequestOptions,
  work: (own: RequestOptions) => Promise<T>,
): Promise<T> {
  const { signal } = options;
  if (signal === undefined) return work(options);
  return whileAtWork(signal, (own) => work({ ...options, signal: own }));
}

/**
 * Reads a list of a server to its end, or to as much as is read of one.
 *
 * @param options limit the reading of all of it
 */
async function listOf(
  client: Client,
  what: "tools" | "prompts" | "resources",
  options: RequestOptions,
): Promise<readonly unknown[]> {
  const pages = z.looseObject({ [what]: parts });
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && found.length < mostItems; page++) {
    const asked = {
      method: `${what}/list`,
      params: cursor === undefined ? {} : { cursor },
    };
    const answer: Readonly<Record<string, unknown>> = await limited(options, (own) =>
      client.request(asked, pages, own),
    );
    const { nextCursor } = answer;
    found.push(...parts.parse(answer[what]));
    // Some end a list with an empty text, or go on for ever with the same.
    if (typeof nextCursor !== "string" || nextCursor === "" || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return found;
}

function answerOf({ content: parts, structuredContent }: ToolAnswer): HostAnswer {
  // Some give one part, or its text, without the list.
  const given = typeof parts === "string" ? { text: parts } : (parts ?? []);
  const content: readonly unknown[] = Array.isArray(given) ? given : [given];
  const images: Uint8Array[] = [];
  const texts = content.map((part) => {
    const image = imageIn(part);
    return image === undefined ? partText(part) : `(Image ${images.push(image)})`;
  });
  if (texts.length === 0 && structuredContent !== undefined) {
    return { text: JSON.stringify(structuredContent, undefined, 2) };
  }
  return { text: texts.join("\n"), images };
}

/** Returns the bytes of a part that is an image, itself or as a resource; whether they are one is for others to say. */
function imageIn(part: unknown): Uint8Array | undefined {
  const { type, data, resource } = (part ?? {}) as {
    readonly type?: unknown;
    readonly data?: unknown;
    readonly resource?: { readonly mimeType?: unknown; readonly blob?: unknown };
  };
  const isResource = type === "resource" && String(resource?.mimeType).startsWith("image/");
  const given = type === "image" ? data : isResource ? resource?.blob : undefined;
  if (typeof given !== "string") return undefined;
  // Some write it as the address of a page's image.
  return Buffer.from(given.replace(/^data:[^,]{0,100},/, ""), "base64");
}

/** Returns the text of a part of an answer; of a link, where it leads. */
function partText(part: unknown): string {
  if (typeof part === "string") return part;
  const { type, text, resource, uri, name } = (part ?? {}) as {
    readonly type?: unknown;
    readonly text?: unknown;
    readonly resource?: { readonly uri?: unknown; readonly text?: unknown };
    readonly uri?: unknown;
    readonly name?: unknown;
  };
  if (typeof text === "string") return text;
  if (typeof resource?.text === "string") return resource.text;
  if (type === "resource_link" && typeof uri === "string") return `${String(name)}: ${uri}`;
  return notText(String(type));
}

function notText(type: string): string {
  return `(Something that is not text: ${type}.)`;
}
