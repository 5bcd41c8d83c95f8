import { randomBytes } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Permission } from "../../core/approvals/permission.js";
import type { PermissionStore } from "../../core/approvals/permissions.js";
import { saidBy, UserError } from "../../core/errors.js";
import type { SandboxAbility } from "../../core/ports/shell.js";
import { joined } from "../../core/text/joined.js";
import type { Redactor } from "../../core/text/redactor.js";
import { sha256 } from "../../core/text/sha256.js";
import { visibleText } from "../../core/text/visibleText.js";
import { type Said, words } from "../../core/text/words.js";
import { DiskFileSystem } from "../files/diskFileSystem.js";
import { isMissing, wayInside } from "../files/realLocation.js";
import { readRegularFile } from "../files/regularFile.js";
import { BashParser } from "../shell/bashParser.js";
import {
  expanded,
  type McpConfig,
  type McpServerEntry,
  namedIn,
  noServers,
  parseMcpConfig,
  type ServerInput,
} from "./mcpConfig.js";
import { serverFiles } from "./serverFiles.js";
import { workspaceLists } from "./workspaceLists.js";

/** Bytes of a list of servers. */
export const maxListBytes = 1_000_000;

/** A server that a workspace names. It does not run before a person has looked at it. */
export interface WorkspaceServer {
  readonly name: string;
  /** The list that names it, as in `.roo/mcp.json`. */
  readonly from: string;
  /** The entry as the list has it, with variables by their names. */
  readonly entry: McpServerEntry;
  /** The workspace's files that it starts. */
  readonly files: readonly string[];
  /** A hash of the entry and of these files, which a permission is bound to. */
  readonly bound: string;
  /** The variables of the person's environment that it would be given. */
  readonly variables: readonly string[];
  /** What a person has to enter for it. */
  readonly inputs: readonly ServerInput[];
}

/** Keeps what a person has entered. */
export interface InputStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
}

export interface WorkspaceServersOptions {
  /** The workspace folder's absolute path. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly permissions: PermissionStore;
  /** Absent: values of inputs are from the environment only. */
  readonly inputs?: InputStore | undefined;
  /** Learns the secrets among the inputs when they are read. */
  readonly redactor?: Pick<Redactor, "learn">;
}

/** The servers of a workspace, as a person looks at them. */
export interface ReviewedServers {
  readonly servers: readonly {
    readonly name: string;
    /** The list that names it, as in `.roo/mcp.json`. */
    readonly from: string;
    readonly isAllowed: boolean;
    /** All that it would do, in lines. */
    readonly description: readonly Said[];
    /** Whether its process would run without a sandbox. */
    readonly outside: boolean;
    /** What a person has to enter for it. */
    readonly inputs: readonly {
      readonly input: ServerInput;
      readonly hasValue: boolean;
      /** Keeps the value. */
      readonly keep: (value: string) => Promise<void>;
    }[];
    /** Stores that the person allows it, until it changes. */
    readonly allow: () => Promise<void>;
  }[];
  /** What is wrong with entries that are left out. */
  readonly problems: readonly Said[];
}

/** A server, with the inputs of its list. */
type Named = Pick<WorkspaceServer, "name" | "from" | "entry" | "inputs">;
type ServerPermission = Extract<Permission, { kind: "server" }>;

/** The servers that a workspace names in its own lists, and which of them a person has allowed. */
export class WorkspaceServers {
  private readonly looking: Parameters<typeof serverFiles>[1];

  constructor(private readonly options: WorkspaceServersOptions) {
    this.looking = { files: new DiskFileSystem(options.root), parser: new BashParser() };
  }

  /** Returns the servers of the lists, and what is wrong with entries that are left out. Never rejects. */
  async read(): Promise<{
    readonly servers: readonly WorkspaceServer[];
    readonly problems: readonly Said[];
  }> {
    const found = new Map<string, WorkspaceServer>();
    const problems: Said[] = [];
    for (const from of workspaceLists) {
      const { servers, inputs, problems: more } = await this.list(from);
      problems.push(...more);
      for (const [name, given] of servers) {
        if (found.has(name)) continue;
        try {
          // What a workspace allows itself does not count.
          const entry = { ...given, allow: [] };
          found.set(name, await this.look({ name, from, entry, inputs }));
        } catch (error) {
          problems.push(
            words("The MCP server {name} of {from} is left out: {problem}", {
              name,
              from,
              problem: saidBy(error),
            }),
          );
        }
      }
    }
    return { servers: [...found.values()], problems };
  }

  /**
   * Returns the entry as it is used, with the variables' values.
   *
   * @throws a `UserError` if it needs what is not there
   */
  async used({ entry, inputs, ...named }: WorkspaceServer): Promise<McpServerEntry> {
    const { env, root } = this.options;
    const values = new Map<string, string>();
    for (const one of inputs) {
      const value = await this.valueOf(named.from, one);
      if (value === undefined) {
        throw new UserError(
          "mcpInputMissing",
          "The MCP server {server} of {from} is left out: its input {input} has no value. Enter it with “Rooroo: Review MCP Servers of Workspace…”, or set the environment variable {variable}.",
          { server: named.name, from: named.from, input: one.id, variable: variableOf(one) },
        );
      }
      values.set(one.id, value);
    }
    return expanded(entry, named, { env, workspaceFolder: root, inputs: values });
  }

  /** Returns what a person has entered for an input of a list, or what the environment has; `undefined` if there is neither. */
  async valueOf(from: string, input: ServerInput): Promise<string | undefined> {
    const { env, inputs, redactor } = this.options;
    const value = (await inputs?.get(this.keyOf(from, input))) ?? env[variableOf(input)];
    if (input.password) redactor?.learn(value);
    return value;
  }

  /** Keeps what a person has entered for an input of a list. */
  async keepValue(from: string, input: ServerInput, value: string): Promise<void> {
    await this.options.inputs?.store(this.keyOf(from, input), value);
  }

  /**
   * Returns normally if a server's files are still those that a person has allowed.
   *
   * @throws a `UserError` if they are not
   */
  async checkUnchanged(server: WorkspaceServer): Promise<void> {
    const { name, from } = server;
    if ((await this.look(server)).bound === server.bound) return;
    throw new UserError(
      "mcpServerChanged",
      "The MCP server {server} of {from} is not started: files that it starts have changed since you allowed it. Look at it again: “Rooroo: Review MCP Servers of Workspace…”, or rooroo mcp allow {server}.",
      { server: name, from },
    );
  }

  /** Returns whether a person has allowed a server, and whether they have allowed another of its name. */
  async stateOf({ name, bound }: WorkspaceServer): Promise<{
    readonly permission?: ServerPermission;
    readonly isChanged: boolean;
  }> {
    const kept = await this.options.permissions.list();
    const own = kept.flatMap(({ grant }) =>
      grant.kind === "server" && grant.server === name ? [grant] : [],
    );
    const valid = own.filter((grant) => grant.bound === bound);
    const permission = valid.find(({ outside }) => outside) ?? valid[0];
    return { ...(permission === undefined ? {} : { permission }), isChanged: own.length > 0 };
  }

  /**
   * Stores that a person has looked at a server and allows it, until it changes.
   *
   * @param outside whether its process may run without the sandbox
   * @throws a `UserError` if that cannot be stored
   */
  async allow({ name, bound }: WorkspaceServer, outside: boolean): Promise<void> {
    await this.options.permissions.add({
      id: randomBytes(4).toString("hex"),
      since: new Date().toISOString(),
      grant: { kind: "server", server: name, bound, outside },
    });
  }

  /** Finds the files that a server starts. Throws a `FileError` if they cannot be read. */
  private async look({ name, from, entry, inputs: all }: Named): Promise<WorkspaceServer> {
    const { environment: variables, inputs: named } = namedIn(entry);
    const inputs = all.filter(({ id }) => named.includes(id));
    const files = await this.filesOf({ name, from, entry, inputs });
    const text = JSON.stringify([from, name, JSON.stringify(entry), files]);
    const bound = await sha256(new TextEncoder().encode(text));
    return { name, from, entry, files: files.map(({ path }) => path), bound, variables, inputs };
  }

  private keyOf(from: string, { id }: ServerInput): string {
    return `rooroo.mcpInput:${JSON.stringify([this.options.root, from, id])}`;
  }

  private async filesOf({ entry, inputs, ...named }: Named): ReturnType<typeof serverFiles> {
    const { env, root } = this.options;
    // What is entered may be a secret, and is not looked for among the files.
    const known = new Map(inputs.map(({ id }) => [id, ""]));
    let used: McpServerEntry;
    try {
      used = expanded(entry, named, { env, workspaceFolder: root, inputs: known });
    } catch {
      // It needs what is not there, so that it does not start either.
      return [];
    }
    return serverFiles(used, this.looking);
  }

  private async list(path: string): Promise<McpConfig> {
    const absolute = join(this.options.root, path);
    try {
      const [root, real] = await Promise.all([realpath(this.options.root), realpath(absolute)]);
      if (wayInside(root, real) === undefined)
        throw new UserError("mcpListOutside", "it is not in the workspace");
      const bytes = await readRegularFile(real, maxListBytes, { follow: false });
      return parseMcpConfig(bytes.toString(), path);
    } catch (error) {
      if (isMissing(error)) return noServers;
      return {
        ...noServers,
        problems: [words("{path} cannot be read: {problem}", { path, problem: saidBy(error) })],
      };
    }
  }
}

/** Returns the servers that a workspace names, each with all that a person has to know to allow it. */
export async function reviewWorkspaceServers(
  options: WorkspaceServersOptions,
  ability: SandboxAbility,
): Promise<ReviewedServers> {
  const workspace = new WorkspaceServers(options);
  const { servers, problems } = await workspace.read();
  const reviewed = servers.map(async (server) => {
    const { permission } = await workspace.stateOf(server);
    const outside = runsOutside(server, ability);
    return {
      name: server.name,
      from: server.from,
      isAllowed: permission !== undefined && (!outside || permission.outside),
      description: describeServer(server, ability),
      outside,
      inputs: await Promise.all(
        server.inputs.map(async (input) => ({
          input,
          hasValue: (await workspace.valueOf(server.from, input)) !== undefined,
          keep: (value: string) => workspace.keepValue(server.from, input, value),
        })),
      ),
      allow: () => workspace.allow(server, outside),
    };
  });
  return { servers: await Promise.all(reviewed), problems };
}

/**
 * Returns whether a server's process would run without a sandbox, which a person has to allow by itself. A server that is
 * reached over the network has no process here.
 */
export function runsOutside({ entry }: WorkspaceServer, { available }: SandboxAbility): boolean {
  return "command" in entry && !available;
}

/** Describes for a person all that a server of the workspace would do, with nothing left out: a line each. */
export function describeServer(server: WorkspaceServer, ability: SandboxAbility): Said[] {
  const { name, from, entry, variables, files } = server;
  const lines: Said[] = [words("{from} names the MCP server {name}.", { from, name })];
  if ("url" in entry) {
    lines.push(words("It is reached at: {url}", { url: shown(entry.url) }));
    lines.push(...named(words("Header"), entry.headers));
  } else {
    const command = [entry.command, ...entry.args].map(shown).join(" ");
    lines.push(words("It runs: {command}", { command }));
    if (entry.cwd !== undefined) {
      lines.push(words("In the folder: {folder}", { folder: shown(entry.cwd) }));
    }
    lines.push(...named(words("Environment"), entry.env));
  }
  if (variables.length > 0) {
    const names = variables.map((one) => (/^\w+$/.test(one) ? one : shown(one))).join(", ");
    lines.push(words("It is given these variables of your environment: {names}", { names }));
  }
  for (const input of server.inputs) {
    lines.push(
      words(
        "It is given what you enter for: {input} {description} (or the environment variable {variable})",
        {
          input: shown(input.id),
          description: shown(input.description),
          variable: variableOf(input),
        },
      ),
    );
  }
  if (!("url" in entry)) {
    lines.push(
      ability.available
        ? words(
            "It runs in the sandbox: it reads the workspace, but no secret or ignored files, reaches only the hosts that you named, and changes nothing.",
          )
        : words(
            "THERE IS NO SANDBOX: it would run as any program of yours, with all that you may do. {reason}",
            { reason: ability.reason },
          ),
      files.length === 0
        ? words(
            "You are asked again when this entry changes, but not when files change that it loads.",
          )
        : words(
            "You are asked again when this entry changes, or one of these files: {files}. You are not asked when other files change that it loads.",
            { files: files.map(shown).join(", ") },
          ),
    );
  }
  return lines;
}

/** Returns the environment variable in which an input's value is looked for where nobody can enter it. */
function variableOf({ id }: ServerInput): string {
  return `ROOROO_MCP_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
}

function named(what: Said, values: Readonly<Record<string, string>>): Said[] {
  return Object.entries(values).map(([key, value]) => {
    return joined(what, `: ${shown(key)} = ${shown(value)}`);
  });
}

/** Returns a text in quotes and on one line, with nothing in it hidden. */
function shown(text: string): string {
  return visibleText(JSON.stringify(text));
}
