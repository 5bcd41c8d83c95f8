import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import type { Rooroo } from "./rooroo.js";
import type { Open } from "./runHere.js";
import type { Stage } from "./stage.js";

type Permission = acp.RequestPermissionRequest;

/** An editor that speaks the Agent Client Protocol with a `rooroo acp` of its own, by the protocol's own SDK. */
export class AcpClient<P extends Open = Open> {
  readonly updates: acp.SessionUpdate[] = [];
  readonly permissions: Permission[] = [];
  /** Answers the questions for permission: with an option's id, or `undefined` for "cancelled". */
  decide: (request: Permission) => string | undefined | Promise<string | undefined> = () => "deny";
  /** The texts of files as the editor has them open, by absolute path. */
  readonly open = new Map<string, string>();
  readonly saved: { path: string; content: string }[] = [];

  private readonly connection: acp.ClientConnection;
  private readonly listeners: (() => void)[] = [];

  private constructor(
    readonly process: P,
    private readonly root: string,
  ) {
    this.connection = acp
      .client({ name: "test" })
      .onRequest(acp.methods.client.session.requestPermission, async ({ params }) => {
        this.permissions.push(params);
        this.tell();
        const optionId = await this.decide(params);
        return {
          outcome:
            optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
        };
      })
      .onRequest(acp.methods.client.fs.readTextFile, ({ params }) => {
        const content = this.open.get(params.path);
        if (content === undefined) throw acp.RequestError.resourceNotFound(params.path);
        return { content };
      })
      .onRequest(acp.methods.client.fs.writeTextFile, ({ params: { path, content } }) => {
        this.saved.push({ path, content });
        return {};
      })
      .onNotification(acp.methods.client.session.update, ({ params }) => {
        this.updates.push(params.update);
        this.tell();
      })
      .connect(
        acp.ndJsonStream(
          Writable.toWeb(process.input),
          Readable.toWeb(process.output) as ReadableStream<Uint8Array>,
        ),
      );
  }

  /** Starts the agent in this process, and greets it. */
  static start(
    stage: Stage,
    args: readonly string[] = [],
    capabilities: acp.ClientCapabilities = {},
  ): Promise<AcpClient> {
    return AcpClient.with(stage.open("acp", ...args), stage, capabilities);
  }

  /** Starts the agent in a process of its own, which can be killed, and greets it. */
  static startProcess(stage: Stage, ...args: readonly string[]): Promise<AcpClient<Rooroo>> {
    return AcpClient.with(stage.startOpen("acp", ...args), stage);
  }

  private static async with<P extends Open>(
    process: P,
    stage: Stage,
    clientCapabilities: acp.ClientCapabilities = {},
  ): Promise<AcpClient<P>> {
    const client = new AcpClient(process, stage.root);
    const { initialize } = acp.methods.agent;
    await client.agent.request(initialize, { protocolVersion: 1, clientCapabilities });
    return client;
  }

  get agent(): acp.ClientContext {
    return this.connection.agent;
  }

  /** Begins a session in the stage's folder, and returns its id. */
  async session(mcpServers: acp.McpServer[] = []): Promise<string> {
    const params = { cwd: this.root, mcpServers };
    const { sessionId } = await this.agent.request<acp.NewSessionResponse>(
      acp.methods.agent.session.new,
      params,
    );
    return sessionId;
  }

  async load(sessionId: string): Promise<void> {
    const params = { sessionId, cwd: this.root, mcpServers: [] };
    await this.agent.request(acp.methods.agent.session.load, params);
    await handled();
  }

  /** Says something, and returns why the turn ended. */
  async prompt(sessionId: string, ...parts: (string | acp.ContentBlock)[]): Promise<string> {
    const prompt = parts.map((part): acp.ContentBlock =>
      typeof part === "string" ? { type: "text", text: part } : part,
    );
    const params = { sessionId, prompt };
    const { prompt: method } = acp.methods.agent.session;
    const { stopReason } = await this.agent.request<acp.PromptResponse>(method, params);
    await handled();
    return stopReason;
  }

  cancel(sessionId: string): Promise<void> {
    return this.agent.notify(acp.methods.agent.session.cancel, { sessionId });
  }

  /** Returns the updates of one kind, in order. */
  all<K extends acp.SessionUpdate["sessionUpdate"]>(
    kind: K,
  ): Extract<acp.SessionUpdate, { sessionUpdate: K }>[] {
    return this.updates.filter(
      (update): update is Extract<acp.SessionUpdate, { sessionUpdate: K }> =>
        update.sessionUpdate === kind,
    );
  }

  /** The text that the agent has said, or the user in an earlier process. */
  said(kind: "agent_message_chunk" | "user_message_chunk" = "agent_message_chunk"): string {
    return this.all(kind)
      .map(({ content }) => (content.type === "text" ? content.text : ""))
      .join("");
  }

  /** Resolves when this is so; it is looked at again after each message of the agent. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const more = new Promise<void>((resolve) => this.listeners.push(resolve));
      await Promise.race([
        more,
        this.process.ended.then(({ stderr }) => {
          if (!isSo()) throw new Error(`rooroo acp has ended:\n${stderr}`);
        }),
      ]);
    }
  }

  /** Closes the agent's input, and returns how its process ended. */
  async leave(): Promise<{ code: number | null; stderr: string }> {
    this.process.input.end();
    return this.process.ended;
  }

  private tell(): void {
    for (const told of this.listeners.splice(0)) told();
  }
}

/** Resolves when the SDK has handed on the notifications that came before an answer. */
function handled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
