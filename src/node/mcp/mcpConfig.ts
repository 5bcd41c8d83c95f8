import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { UserError } from "../../core/errors.js";
import { parseJson } from "../../core/documents/parseJson.js";

const common = {
  /** Whether the server is left out. */
  disabled: z.boolean().default(false),
  /** The names of the tools that are offered. Absent: all. */
  tools: z.array(z.string()).optional(),
  /** The names of the tools that need no approval, as long as they say the same of themselves. */
  allow: z.array(z.string()).default([]),
  /** The names of the tools that are never offered. */
  deny: z.array(z.string()).default([]),
};
const texts = z.record(z.string(), z.string()).default({});
const local = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts,
  cwd: z.string().optional(),
  ...common,
});
const remote = z.object({
  url: z.url({ protocol: /^https?$/ }),
  /** `sse` is the transport of older servers; `http`, the default, that of all others. */
  type: z
    .enum(["http", "streamable-http", "streamableHttp", "sse"])
    .default("http")
    .transform((type) => (type === "sse" ? "sse" : "http")),
  headers: texts,
  ...common,
});
const server = z.union([local, remote]);

/** A server that speaks the Model Context Protocol, as the user's list names it. */
export type McpServerEntry = z.output<typeof server>;

export interface McpConfig {
  readonly servers: ReadonlyMap<string, McpServerEntry>;
  /** What is wrong with entries that are left out, or with the whole list. */
  readonly problems: readonly string[];
}

const list = z.object({
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  servers: z.record(z.string(), z.unknown()).optional(),
});

/** The names of servers become parts of the names of tools. */
const nameOfServer = /^[\w.@-]{1,40}$/;

/**
 * Reads a list of servers in the form that most clients have: `{ "mcpServers": { NAME: { "command": … } | { "url": … } } }`,
 * or with `servers` as VS Code writes it. `${env:NAME}` in a text stands for an environment variable. Never throws.
 *
 * @param path for messages
 * @param env absent: the texts are as they are
 */
export function parseMcpConfig(
  text: string,
  path: string,
  env?: Readonly<Record<string, string | undefined>>,
): McpConfig {
  const json = parseJson(text);
  const read = list.safeParse(json.ok ? json.value : undefined);
  if (!read.success) {
    const problem = `${path} is not a list of MCP servers: it has to be JSON with an object "mcpServers". No server of it is used.`;
    return { servers: new Map(), problems: [problem] };
  }
  return readEntries({ ...read.data.servers, ...read.data.mcpServers }, path, env);
}

/**
 * Reads entries of a list. Never throws.
 *
 * @param from where the list is from, for messages
 * @param env absent: the texts are as they are
 */
export function readEntries(
  entries: Readonly<Record<string, unknown>>,
  from: string,
  env?: Readonly<Record<string, string | undefined>>,
): McpConfig {
  const servers = new Map<string, McpServerEntry>();
  const problems: string[] = [];
  for (const [name, given] of Object.entries(entries)) {
    const missing = new Set<string>();
    const entry = server.safeParse(env === undefined ? given : withVariables(given, env, missing));
    const problem = !nameOfServer.test(name)
      ? "its name may have letters, digits, _, ., @ and - only, at most 40"
      : !entry.success
        ? 'it needs a "command" or a "url" with http or https'
        : missing.size > 0
          ? `the environment variable ${[...missing].join(", ")} is not set`
          : undefined;
    if (problem !== undefined) {
      problems.push(`The MCP server ${JSON.stringify(name)} of ${from} is left out: ${problem}.`);
    } else if (entry.success && !entry.data.disabled) servers.set(name, entry.data);
  }
  return { servers, problems };
}

/**
 * Returns an entry of a workspace's list with the values of its variables and the workspace's folder.
 *
 * @throws a `UserError` if a variable is not set, or the entry needs what only another program knows
 */
export function expanded(
  entry: McpServerEntry,
  {
    name,
    from,
    env,
    root,
  }: {
    readonly name: string;
    readonly from: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly root: string;
  },
): McpServerEntry {
  const missing = new Set<string>();
  const value = withVariables(entry, { ...env }, missing, { workspaceFolder: root });
  const [unknown] = /\$\{[a-z]\w*(:\w*)?\}/i.exec(JSON.stringify(value)) ?? [];
  const problem =
    missing.size > 0
      ? `the environment variable ${[...missing].join(", ")} is not set`
      : unknown === undefined
        ? undefined
        : `${unknown} is not known here`;
  if (problem !== undefined) {
    throw new UserError(
      "mcpEntryUnusable",
      "The MCP server {server} of {from} is left out: {problem}.",
      {
        server: name,
        from,
        problem,
      },
    );
  }
  return server.parse(value);
}

export function isSameEntry(one: McpServerEntry, other: McpServerEntry | undefined): boolean {
  return isDeepStrictEqual(one, other);
}

/** Returns a value whose texts have environment variables put in; notes those that are not set. */
function withVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  missing: Set<string>,
  places: Readonly<Record<string, string>> = {},
): unknown {
  const inside = (one: unknown) => withVariables(one, env, missing, places);
  if (typeof value === "string") {
    return value.replace(/\$\{(env:)?(\w+)\}/g, (all, ofEnv: string | undefined, name: string) => {
      if (ofEnv === undefined) return Object.hasOwn(places, name) ? (places[name] ?? all) : all;
      if (env[name] === undefined) missing.add(name);
      return env[name] ?? "";
    });
  }
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(one)]));
}
