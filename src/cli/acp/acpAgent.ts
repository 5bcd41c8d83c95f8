import { isAbsolute } from "node:path";
import {
  agent,
  type AgentConnection,
  type AgentContext,
  type InitializeResponse,
  type McpServer,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type Stream,
} from "@agentclientprotocol/sdk";
import { ConversationStore } from "../../core/conversation/store/conversationStore.js";
import { UserError } from "../../core/errors.js";
import { spoken } from "../../core/text/words.js";
import { localServices, type LocalServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import type { SessionOptions } from "../session/session.js";
import { workspaceRoot } from "../session/settings.js";
import { AcpSession } from "./acpSession.js";
import { givenServers } from "./mcpServers.js";
import { keptChoices } from "./sessionChoices.js";

/** The options that all sessions share; each session has a folder of its own. */
export type AgentOptions = Omit<
  SessionOptions,
  "root" | "local" | "approver" | "show" | "ended" | "mcpServers"
> & {
  /** The workspace whose conversations are listed if the client names none. */
  readonly workspace: string | undefined;
};

/** The label of this process for others that wait for its locks. */
const label = "rooroo acp";

/** An agent of the Agent Client Protocol: each session is a conversation in the workspace that the client names. */
export class AcpAgent {
  private readonly sessions = new Map<string, AcpSession>();
  private readonly connection: AgentConnection;

  constructor(
    stream: Stream,
    private readonly options: AgentOptions,
  ) {
    this.connection = agent({ name: "rooroo" })
      .onRequest(methods.agent.initialize, () => capabilities())
      .onRequest(methods.agent.authenticate, () => ({}))
      .onRequest(methods.agent.session.new, ({ params, client }) =>
        explained(async () => {
          const mcpServers = givenServers(params.mcpServers);
          const { root, local } = await placeOf(params);
          const session = this.open({ root, local, mcpServers }, client);
          await session.begin();
          this.release(session);
          return { sessionId: session.id, ...offered(session) };
        }),
      )
      .onRequest(methods.agent.session.load, ({ params, client }) =>
        explained(() => this.goOn(params, client, true)),
      )
      .onRequest(methods.agent.session.resume, ({ params, client }) =>
        explained(() => this.goOn(params, client, false)),
      )
      .onRequest(methods.agent.session.list, ({ params }) =>
        explained(async () => {
          const cwd = params.cwd ?? (await workspaceRoot(this.options.workspace));
          const { root, local } = await placeOf({ cwd });
          const entries = await conversations(local).list();
          const sessions = entries
            .filter(({ foreign }) => !foreign)
            .map(({ id, title, changedAt }) => {
              return {
                sessionId: id,
                cwd: root,
                title,
                updatedAt: new Date(changedAt).toISOString(),
              };
            });
          return { sessions };
        }),
      )
      .onRequest(methods.agent.session.close, ({ params }) =>
        explained(async () => {
          await this.close(params.sessionId);
          return {};
        }),
      )
      .onRequest(methods.agent.session.setMode, ({ params }) =>
        explained(async () => {
          await this.known(params.sessionId).setMode(params.modeId);
          return {};
        }),
      )
      .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
        explained(async () => {
          const session = this.known(params.sessionId);
          await session.setOption(params.configId, params.value);
          return { configOptions: session.configOptions };
        }),
      )
      .onRequest(methods.agent.session.prompt, ({ params, signal }) =>
        explained(() => this.known(params.sessionId).prompt(params.prompt, signal)),
      )
      .onNotification(methods.agent.session.cancel, async ({ params }) => {
        await this.sessions.get(params.sessionId)?.cancel();
      })
      .connect(stream);
  }

  /** Resolves when the client has gone, or {@link end} was called. */
  get closed(): Promise<void> {
    return this.connection.closed;
  }

  /** Stops all work and ends the connection; what was at work can be resumed. */
  async end(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map((id) => this.close(id)));
    this.connection.close();
  }

  private async goOn(
    {
      sessionId,
      mcpServers: passedOn = [],
      ...given
    }: Place & { readonly sessionId: string; readonly mcpServers?: readonly McpServer[] },
    client: AgentContext,
    isTold: boolean,
  ): Promise<Offered> {
    const { root, local } = await placeOf(given);
    const store = conversations(local);
    const entry = await store.find(sessionId);
    // A session in which nothing has been said has no conversation yet.
    const isKnown =
      entry === undefined
        ? typeof (await keptChoices(sessionId, local)) === "object"
        : !entry.foreign;
    if (!isKnown) throw RequestError.sessionNotFound(sessionId);
    await this.close(sessionId);
    const mcpServers = givenServers(passedOn);
    const session = this.open({ root, local, mcpServers }, client, sessionId);
    const loaded = isTold ? await store.journal(sessionId).load() : undefined;
    await session.goOn(sessionId, loaded);
    this.release(session);
    return offered(session);
  }

  private open(
    place: Pick<SessionOptions, "root" | "local" | "mcpServers">,
    client: AgentContext,
    id?: string,
  ): AcpSession {
    const session: AcpSession = new AcpSession(
      { ...this.options, ...place },
      {
        update: (update) => {
          // A client that has gone is noticed by the connection.
          client
            .notify(methods.client.session.update, { sessionId: id ?? session.id, update })
            .catch(() => undefined);
        },
        requestPermission: (request, signal) =>
          client.request(
            methods.client.session.requestPermission,
            { ...request, sessionId: id ?? session.id },
            { cancellationSignal: signal, stopWaitingOnCancel: true },
          ),
      },
    );
    return session;
  }

  /** Lets a session speak once the client has got the answer that names it. */
  private release(session: AcpSession): void {
    this.sessions.set(session.id, session);
    setImmediate(() => {
      session.release();
    });
  }

  private async close(id: string): Promise<void> {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    await session?.stop();
  }

  private known(id: string): AcpSession {
    const session = this.sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }
}

type Offered = Pick<NewSessionResponse, "modes" | "configOptions">;

/** Returns what a client can choose for a session. */
function offered({ modes, configOptions }: AcpSession): Offered {
  return { modes, configOptions };
}

interface Place {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
}

async function placeOf({
  cwd,
  additionalDirectories = [],
}: Place): Promise<{ root: string; local: LocalServices }> {
  if (!isAbsolute(cwd))
    throw RequestError.invalidParams(undefined, t("cwd is not an absolute path."));
  if (additionalDirectories.length > 0) {
    throw RequestError.invalidParams(undefined, t("A session has one folder only."));
  }
  const root = await workspaceRoot(cwd);
  return { root, local: localServices(root, label) };
}

function conversations({ files, signer }: LocalServices): ConversationStore {
  return new ConversationStore(files, signer, () => undefined);
}

function capabilities(): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "rooroo", title: "Rooroo Navigator", version: ROOROO_VERSION },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {} },
    },
    authMethods: [],
  };
}

/** Does the work; an error that is written for people reaches the client with its words. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WrongUse) throw new RequestError(-32602, spoken(error, t));
    if (error instanceof UserError) throw new RequestError(-32603, spoken(error, t));
    throw error;
  }
}
