import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { saidBy, UserError } from "../../core/errors.js";
import type { HostAnswer, HostTool, HostTools } from "../../core/ports/editor.js";
import type {
  ServerContent,
  ServerPrompt,
  ServerResource,
  WantedContent,
} from "../../core/ports/serverContent.js";
import { listed } from "../../core/text/joined.js";
import { type Said, spoken, words } from "../../core/text/words.js";
import { readRegularFile } from "../files/regularFile.js";
import { KnownTools } from "./knownTools.js";
import {
  isSameEntry,
  type McpConfig,
  noServers,
  parseMcpConfig,
  readEntries,
} from "./mcpConfig.js";
import { McpServer, type McpServerOptions } from "./mcpServer.js";
import { ServerSandbox, type ServerSandboxOptions } from "./serverSandbox.js";
import { toolName } from "./toolName.js";
import {
  maxListBytes,
  WorkspaceServers,
  type WorkspaceServersOptions,
} from "./workspaceServers.js";

export { reviewWorkspaceServers } from "./workspaceServers.js";

/** Servers that are in no file of ours. */
export interface GivenServers {
  /** Where they are from, for messages. */
  readonly from: string;
  readonly entries: Readonly<Record<string, unknown>>;
}

export interface McpOptions {
  /** The absolute path of the user's list of servers; there need not be one. */
  readonly list: string;
  /** Servers that the user has set up elsewhere, in the form of the list's entries; the list's names come first. */
  readonly given?: GivenServers | undefined;
  /** The workspace folder's absolute path, in which servers are started. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is needed to use the workspace's own lists. Absent: they are not used. */
  readonly workspace?: {
    readonly sandbox: Omit<ServerSandboxOptions, "root">;
  } & Omit<WorkspaceServersOptions, "root" | "env">;
  /** Milliseconds in which a server has to start. */
  readonly startMs?: number;
  /** Milliseconds after which a server that could not be started is tried again by a session. */
  readonly retryMs?: number;
}

type Wanted = Omit<McpServerOptions, "root" | "startMs" | "retryMs">;

/**
 * The tools of the MCP servers in the user's own list, and of those in the workspace's lists that a person has allowed.
 * The lists are read, and servers are started, when a session begins that may use them; a server that has ended is started
 * again.
 */
export class McpTools implements HostTools, ServerContent {
  private servers = new Map<string, McpServer>();
  private readonly told = new Set<string>();
  private readonly unchanged = new WeakSet<HostTool>();
  private readonly known: KnownTools;
  private readonly workspace:
    | { readonly servers: WorkspaceServers; readonly sandbox: ServerSandbox }
    | undefined;
  private hasStopped = false;
  /** The last reading of the lists, with what is wrong with them. Absent: they have not been read. */
  private listing: Promise<readonly Said[]> | undefined;
  private readying: Promise<Said[]> = Promise.resolve([]);

  constructor(private readonly options: McpOptions) {
    this.known = new KnownTools(join(dirname(options.list), "mcp-tools.jsonl"));
    const { workspace, root, env } = options;
    if (workspace === undefined) return;
    const { sandbox, ...more } = workspace;
    this.workspace = {
      servers: new WorkspaceServers({ root, env, ...more }),
      sandbox: new ServerSandbox({ ...sandbox, root }),
    };
  }

  offered(): HostTool[] {
    return [...this.servers.values()].flatMap(({ name: server, entry, tools }) =>
      tools.map((tool) => {
        const name = toolName(server, tool.name);
        if (!entry.allow.includes(tool.name)) return { ...tool, name };
        // Until it has been compared with what was allowed, it is asked about.
        return { ...tool, name, allowed: this.unchanged.has(tool) ? "unchanged" : "changed" };
      }),
    );
  }

  /** Starts the servers of the list that do not run. Returns what is wrong and has not been returned before. */
  async ready(): Promise<Said[]> {
    this.readying = this.readying.then(() => this.start());
    const problems = await this.readying;
    const unknown = problems.filter((problem) => !this.told.has(spoken(problem)));
    for (const problem of unknown) this.told.add(spoken(problem));
    return unknown;
  }

  async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<HostAnswer> {
    for (const server of this.servers.values()) {
      const tool = server.tools.find((one) => toolName(server.name, one.name) === name);
      if (tool !== undefined) return server.call(tool.name, input, signal);
    }
    throw new UserError(
      "mcpToolGone",
      "The tool {tool} is not available any more, or was switched off. Go on without it.",
      { tool: name },
    );
  }

  prompts(wanted?: WantedContent): Promise<readonly ServerPrompt[]> {
    return this.offeredBy((server) => server.prompts(), wanted);
  }

  resources(wanted?: WantedContent): Promise<readonly ServerResource[]> {
    return this.offeredBy((server) => server.resources(), wanted);
  }

  async prompt(
    server: string,
    name: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string> {
    return (await this.named(server)).prompt(name, given, signal);
  }

  async resource(server: string, uri: string, signal: AbortSignal): Promise<string> {
    return (await this.named(server)).resource(uri, signal);
  }

  /** The servers of the list with their tools, or with why they cannot be used; in the list's order. */
  async check(): Promise<{
    readonly servers: readonly { name: string; tools: readonly HostTool[]; problem?: Said }[];
    readonly problems: readonly Said[];
  }> {
    const problems = await this.readLists();
    const servers = await Promise.all(
      [...this.servers.values()].map(async (server) => {
        const problem = await server.start().then(() => undefined, saidBy);
        const { name, tools } = server;
        return problem === undefined ? { name, tools } : { name, tools, problem };
      }),
    );
    const leftOut = [...this.servers.values()].flatMap((server) => leftOutOf(server));
    return { servers, problems: [...problems, ...leftOut] };
  }

  /** Ends the servers. None is started any more. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    await this.replace(new Map());
  }

  /** Returns what the servers offer, without those that cannot be used. */
  private async offeredBy<T>(
    offered: (server: McpServer) => Promise<readonly T[]>,
    { server: name, withinMs }: WantedContent = {},
  ): Promise<T[]> {
    await this.listed();
    const servers = [...this.servers.values()].filter(
      (server) => name === undefined || server.name === name,
    );
    const timeout = new AbortController();
    const isLate =
      withinMs === undefined
        ? []
        : [sleep(withinMs, [], { signal: timeout.signal }).catch((): T[] => [])];
    const all = servers.map((server) => Promise.race([offered(server).catch(() => []), ...isLate]));
    const found = await Promise.all(all);
    timeout.abort();
    return found.flat();
  }

  private async named(name: string): Promise<McpServer> {
    await this.listed();
    const server = this.servers.get(name);
    if (server !== undefined) return server;
    throw new UserError(
      "mcpServerGone",
      "The MCP server {server} is not available any more. Look at your list of MCP servers.",
      {
        server: name,
      },
    );
  }

  /** Reads the lists, unless they have been read: changes count from the next session on. */
  private async listed(): Promise<void> {
    await (this.listing ?? this.readLists());
  }

  private readLists(): Promise<readonly Said[]> {
    const before = this.listing?.catch(() => []) ?? Promise.resolve([]);
    this.listing = before.then(() => this.readListsNow());
    return this.listing;
  }

  private async start(): Promise<Said[]> {
    const { servers, problems } = await this.check();
    const failures = servers.flatMap(({ problem }) => problem ?? []);
    return [...problems, ...failures, ...(await this.compare())];
  }

  /** Finds out which tools that the list allows say the same of themselves as when they were first used. */
  private async compare(): Promise<readonly Said[]> {
    const allowed = [...this.servers.values()].flatMap(({ name: server, entry, tools }) =>
      tools.filter(({ name }) => entry.allow.includes(name)).map((tool) => ({ server, tool })),
    );
    try {
      for (const tool of await this.known.unchanged(allowed)) this.unchanged.add(tool);
      return [];
    } catch (error) {
      return [saidBy(error)];
    }
  }

  /** Reads the lists; stops servers that are not in them any more, or are there in another way. */
  private async readListsNow(): Promise<readonly Said[]> {
    const { root, given, startMs, retryMs } = this.options;
    const own = await this.ownList();
    const others = given === undefined ? noServers : readEntries(given.entries, given.from);
    const wanted = new Map<string, Wanted>();
    for (const [name, entry] of [...others.servers, ...own.servers]) wanted.set(name, { entry });
    const problems: Said[] = [...own.problems, ...others.problems];
    problems.push(...(await this.addWorkspaceServers(wanted)));
    const next = new Map<string, McpServer>();
    for (const [name, options] of wanted) {
      const known = this.servers.get(name);
      const { entry, sandbox, bound } = options;
      const isSame =
        known?.options.sandbox === sandbox &&
        known?.options.bound === bound &&
        isSameEntry(entry, known?.entry);
      const server = isSame ? known : undefined;
      next.set(name, server ?? new McpServer(name, { ...options, root, startMs, retryMs }));
    }
    await this.replace(this.hasStopped ? new Map<string, McpServer>() : next);
    return problems;
  }

  /** Adds the servers of the workspace that a person has allowed as they are. Returns what is wrong with the others. */
  private async addWorkspaceServers(wanted: Map<string, Wanted>): Promise<readonly Said[]> {
    if (this.workspace === undefined) return [];
    const { servers, sandbox } = this.workspace;
    const found = await servers.read();
    const problems: Said[] = [...found.problems];
    for (const server of found.servers) {
      const { name, from } = server;
      if (wanted.has(name)) continue;
      try {
        const { permission, isChanged } = await servers.stateOf(server);
        if (permission === undefined) {
          problems.push(
            isChanged
              ? words(
                  "The MCP server {name} of the workspace ({from}) has changed since you allowed it, and is not used until you have looked at it: “Rooroo: Review MCP Servers of Workspace…”, or rooroo mcp allow {name}.",
                  { name, from },
                )
              : words(
                  "The MCP server {name} of the workspace ({from}) is new, and is not used until you have looked at it: “Rooroo: Review MCP Servers of Workspace…”, or rooroo mcp allow {name}.",
                  { name, from },
                ),
          );
          continue;
        }
        const isInside = (await sandbox.ability()).available;
        if ("command" in server.entry && !isInside && !permission.outside) {
          problems.push(
            words(
              "The MCP server {name} of the workspace ({from}) is not used: you have allowed it in the sandbox, and there is none now.",
              { name, from },
            ),
          );
          continue;
        }
        const entry = await servers.used(server);
        wanted.set(name, {
          entry,
          bound: server.bound,
          beforeStart: () => servers.checkUnchanged(server),
          ...("command" in entry && isInside ? { sandbox } : {}),
        });
      } catch (error) {
        problems.push(saidBy(error));
      }
    }
    return problems;
  }

  private async ownList(): Promise<McpConfig> {
    const { list, env, root } = this.options;
    try {
      const known = { env, workspaceFolder: root };
      const bytes = await readRegularFile(list, maxListBytes, { follow: true });
      return parseMcpConfig(bytes.toString(), list, known);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return noServers;
      return {
        ...noServers,
        problems: [
          words("{path} cannot be read: {problem}", { path: list, problem: saidBy(error) }),
        ],
      };
    }
  }

  private async replace(next: Map<string, McpServer>): Promise<void> {
    const gone = [...this.servers].filter(([name, server]) => next.get(name) !== server);
    this.servers = next;
    await Promise.all(gone.map(([, server]) => server.stop()));
  }
}

/** The most tools that are named as left out. */
const mostLeftOut = 20;

/** Returns which of a server's tools cannot be used, and why; nothing if all can. */
function leftOutOf({ name, leftOut }: McpServer): Said[] {
  if (leftOut.length === 0) return [];
  const more = leftOut.length > mostLeftOut ? ["…"] : [];
  const tools = listed([...leftOut.slice(0, mostLeftOut), ...more]);
  return [
    words("The MCP server {server} is used without these of its tools: {tools}.", {
      server: name,
      tools,
    }),
  ];
}
