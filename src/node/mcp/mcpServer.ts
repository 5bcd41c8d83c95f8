import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { messageOf, UserError } from "../../core/errors.js";
import type { ServerPrompt, ServerResource } from "../../core/ports/serverContent.js";
import type { HostTool } from "../../core/ports/editor.js";
import { visibleText } from "../../core/text/visibleText.js";
import type { McpServerEntry } from "./mcpConfig.js";
import { SandboxTransport } from "./sandboxTransport.js";
import type { ServerSandbox } from "./serverSandbox.js";

/** Milliseconds in which a server has to start and name its tools. */
const startMs = 15_000;
/** Milliseconds that one call may take: the user can stop it at any time. */
const callMs = 3_600_000;
/** Milliseconds in which a prompt or a resource has to be there. */
const readMs = 30_000;
/** The most pages of a server's list that are read, and the most items. */
const mostPages = 20;
const mostItems = 1_000;
/** The most characters of a server's error output that are told. */
const mostErrorOutput = 300;

export interface McpServerOptions {
  /** Where it is, or how it is started. */
  readonly entry: McpServerEntry;
  /** The absolute path of the folder in which it is started. */
  readonly root: string;
  /** Milliseconds in which it has to start. */
  readonly startMs?: number | undefined;
  /** The sandbox that its process runs in. Absent: it runs as any program of the user's. */
  readonly sandbox?: ServerSandbox | undefined;
  /** What a person's permission for it is bound to. Absent: it needs none. */
  readonly bound?: string | undefined;
  /** Called before each start; throws a `UserError` if it may not be started. */
  readonly beforeStart?: (() => Promise<void>) | undefined;
}

interface Connection {
  readonly client: Client;
  tools: readonly HostTool[];
  /** Whether the server has said that its tools have changed. */
  isStale: boolean;
  /** Lists that the server has given, until it says that they have changed. */
  prompts?: Promise<readonly ServerPrompt[]> | undefined;
  resources?: Promise<readonly ServerResource[]> | undefined;
}

/**
 * One MCP server: started when it is first needed, and again after it has ended. One that has never started is not
 * tried again, so that it holds up one session only.
 */
export class McpServer {
  private connection: Promise<Connection> | undefined;
  private connected: Connection | undefined;
  private readonly ended = new AbortController();

  private readonly startTimeoutMs: number;

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
  get tools(): readonly HostTool[] {
    const { tools: wanted, deny } = this.entry;
    const all = this.connected?.tools ?? [];
    return all.filter(({ name }) => (wanted?.includes(name) ?? true) && !deny.includes(name));
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
      connection.tools = await toolsOf(connection.client, this.startOptions());
    } catch (error) {
      connection.isStale = true;
      throw this.unusable(`its tools have changed, and it does not name them: ${messageOf(error)}`);
    }
  }

  /**
   * Calls one of its tools, and returns what it answers as text.
   *
   * @throws a `UserError` if it fails, and the signal's reason when the signal aborts
   */
  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<string> {
    signal.throwIfAborted();
    const { client } = await this.connect();
    const failed = (problem: string) =>
      new UserError("mcpToolFailed", "The tool {tool} of {server} failed: {problem}", {
        tool,
        server: this.name,
        problem,
      });
    let answer: Awaited<ReturnType<Client["callTool"]>>;
    try {
      answer = await client.callTool({ name: tool, arguments: { ...input } }, undefined, {
        // The client leaves its listeners at the signal that it is given, and a session's lives long.
        signal: AbortSignal.any([signal]),
        timeout: callMs,
      });
    } catch (error) {
      signal.throwIfAborted();
      // A server that is reached over the network may have forgotten the session: the next call begins another.
      if ("url" in this.entry && !(error instanceof McpError)) {
        this.connection = undefined;
        void client.close().catch(() => undefined);
      }
      throw failed(messageOf(error));
    }
    const text = textOf(answer);
    if (answer.isError === true) throw failed(text === "" ? "It says nothing more." : text);
    return text;
  }

  /** Returns the prompts that it offers. Rejects if it cannot be used. */
  async prompts(): Promise<readonly ServerPrompt[]> {
    const connection = await this.connect();
    const { client } = connection;
    if (client.getServerCapabilities()?.prompts === undefined) return [];
    connection.prompts ??= pagesOf(this.startOptions(), async (page, options) => {
      const { prompts, nextCursor } = await client.listPrompts(page, options);
      // One with a blank in its name, or what cannot be seen, cannot be typed as a command.
      const typed = prompts.filter(
        ({ name }) => /^\S{1,200}$/.test(name) && visibleText(name) === name,
      );
      const items = typed.map(({ name, description = "", arguments: all = [] }) => ({
        server: this.name,
        name,
        description,
        arguments: all.map((one) => ({ name: one.name, required: one.required === true })),
      }));
      return { items, nextCursor };
    });
    connection.prompts.catch(() => (connection.prompts = undefined));
    return connection.prompts;
  }

  /** Returns the resources that it names. Rejects if it cannot be used. */
  async resources(): Promise<readonly ServerResource[]> {
    const connection = await this.connect();
    const { client } = connection;
    if (client.getServerCapabilities()?.resources === undefined) return [];
    connection.resources ??= pagesOf(this.startOptions(), async (page, options) => {
      const { resources, nextCursor } = await client.listResources(page, options);
      const items = resources.map(({ uri, name, title, description = "" }) => ({
        server: this.name,
        uri,
        name: title ?? name,
        description,
      }));
      return { items, nextCursor };
    });
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
      const { messages } = await client.getPrompt({ name, arguments: { ...given } }, options);
      const texts = messages.map(({ role, content }) => {
        const text = partText(content);
        return role === "user" ? text : `(An example of an answer:)\n${text}`;
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
      const { contents } = await client.readResource({ uri }, options);
      return contents.map((one) => ("text" in one ? one.text : notText("blob"))).join("\n");
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
      // A signal of its own, for the same reason as in `call`.
      return await work(client, { signal: AbortSignal.any([signal]), timeout: readMs });
    } catch (error) {
      signal.throwIfAborted();
      throw new UserError("mcpContentFailed", "{server} does not give {what}: {problem}", {
        server: this.name,
        what,
        problem: messageOf(error),
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
    this.connection ??= this.open().then(
      (connection) => (this.connected = connection),
      (error: unknown) => {
        if (this.connected !== undefined) this.connection = undefined;
        throw error;
      },
    );
    return this.connection;
  }

  private async open(): Promise<Connection> {
    await this.options.beforeStart?.();
    const client = new Client({ name: "rooroo", version: "1" });
    let said = "";
    const transport = this.transport((piece) => (said = (said + piece).slice(-mostErrorOutput)));
    const options = this.startOptions();
    try {
      await client.connect(transport, options);
      const tools = await toolsOf(client, this.startOptions());
      client.onclose = () => {
        this.connection = undefined;
      };
      const connection: Connection = { client, tools, isStale: false };
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
      await client.close().catch(() => undefined);
      const reason =
        options.signal?.aborted === true && !this.ended.signal.aborted
          ? `it did not answer within ${this.startTimeoutMs / 1000} s`
          : messageOf(error);
      const output = said.trim() === "" ? "" : ` It printed: ${said.trim().replace(/\s+/g, " ")}`;
      throw this.unusable(reason, output);
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

  private transport(onErrorOutput: (piece: string) => void): Transport {
    const { entry } = this;
    if ("url" in entry) {
      const options = { requestInit: { headers: entry.headers } };
      const url = new URL(entry.url);
      if (entry.type === "sse") {
        // oxlint-disable-next-line typescript/no-deprecated -- older servers speak nothing else
        return new SSEClientTransport(url, options);
      }
      return new StreamableHTTPClientTransport(url, options);
    }
    const { sandbox, root } = this.options;
    if (sandbox !== undefined) {
      return new SandboxTransport(() => sandbox.start(entry), onErrorOutput);
    }
    const transport = new StdioClientTransport({
      command: entry.command,
      args: entry.args,
      env: { ...getDefaultEnvironment(), ...entry.env },
      cwd: entry.cwd ?? root,
      stderr: "pipe",
    });
    transport.stderr?.on("data", (chunk: Buffer) => {
      onErrorOutput(chunk.toString());
    });
    return transport;
  }
}

async function toolsOf(client: Client, limits: RequestOptions): Promise<readonly HostTool[]> {
  const tools = await pagesOf(limits, async (page, options) => {
    const { tools: some, nextCursor } = await client.listTools(page, options);
    const items = some.map(({ name, description = "", inputSchema }): HostTool => {
      return { name, description, parameters: { ...inputSchema } };
    });
    return { items, nextCursor };
  });
  return tools.filter(({ name }, index) => tools.findIndex((one) => one.name === name) === index);
}

/**
 * Reads a list of a server to its end, or to as much as is read of one.
 *
 * @param options limit the reading of all of it
 */
async function pagesOf<T>(
  options: RequestOptions,
  read: (
    page: { readonly cursor?: string },
    options: RequestOptions,
  ) => Promise<{ readonly items: readonly T[]; readonly nextCursor?: string | undefined }>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && found.length < mostItems; page++) {
    const { items, nextCursor } = await read(cursor === undefined ? {} : { cursor }, options);
    found.push(...items);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return found;
}

function textOf(answer: Awaited<ReturnType<Client["callTool"]>>): string {
  const content = Array.isArray(answer.content) ? (answer.content as readonly unknown[]) : [];
  const texts = content.map(partText);
  const { structuredContent } = answer;
  if (texts.length > 0 || structuredContent === undefined) return texts.join("\n");
  return JSON.stringify(structuredContent, undefined, 2);
}

/** Returns the text of a part of an answer; of a link, where it leads. */
function partText(part: unknown): string {
  const { type, text, resource, uri, name } = part as {
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
