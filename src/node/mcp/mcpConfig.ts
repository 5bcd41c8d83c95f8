import { isDeepStrictEqual } from "node:util";
import parseJson5 from "json5/lib/parse.js";
import * as z from "zod";
import { parseJson } from "../../core/documents/parseJson.js";
import { recordOf } from "../../core/documents/recordOf.js";
import { UserError } from "../../core/errors.js";
import { serverName } from "../../core/imports/serverName.js";
import { usualFields } from "../../core/imports/usualFields.js";
import { listed } from "../../core/text/joined.js";
import { type Said, words } from "../../core/text/words.js";

const common = {
  /** Whether the server is left out. */
  disabled: z.boolean().default(false),
  /** The same in other tools' words: `false` leaves it out. */
  enabled: z.boolean().optional(),
  /** The names of the tools that are offered. Absent, or with a `*`: all. */
  tools: z
    .array(z.string())
    .transform((names) => (names.includes("*") ? undefined : names))
    .optional(),
  /** The names of the tools that need no approval, as long as they say the same of themselves. */
  allow: z.array(z.string()).default([]),
  /** The names of the tools that are never offered. */
  deny: z.array(z.string()).default([]),
};
/** Other programs take numbers, too, as for a port, and `null` for a variable that is not set. */
const texts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .transform((given): Record<string, string> => {
    const set = Object.entries(given).filter(([, value]) => value !== null);
    return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
  })
  .default({});
const local = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts,
  cwd: z.string().optional(),
  ...common,
});
const remote = z.object({
  url: z.url({ protocol: /^https?$/ }),
  /** `sse` is the transport of older servers; `http` that of all others. Absent: the one after the other is tried. */
  type: z
    .enum(["http", "streamable-http", "streamable_http", "streamableHttp", "sse"])
    .transform((type) => (type === "sse" ? "sse" : "http"))
    .optional(),
  headers: texts,
  ...common,
});
const server = z.preprocess(usualFields, z.union([local, remote]));

/** A server that speaks the Model Context Protocol, as the user's list names it. */
export type McpServerEntry = z.output<typeof server>;

const input = z.object({
  id: z.string().regex(/^[^{}]{1,100}$/),
  type: z.enum(["promptString", "pickString"]),
  description: z.string().default(""),
  /** Whether it is a secret. */
  password: z.boolean().default(false),
  /** What is proposed. */
  default: z.string().optional(),
  /** The values of which one is picked. */
  options: z.array(z.string()).optional(),
});

/** A value that a person enters once, as a list in the form of VS Code names it. `${input:ID}` in a text stands for it. */
export type ServerInput = z.output<typeof input>;

export interface McpConfig {
  readonly servers: ReadonlyMap<string, McpServerEntry>;
  readonly inputs: readonly ServerInput[];
  /** What is wrong with entries that are left out, or with the whole list. */
  readonly problems: readonly Said[];
}

/** The content of a list that is not there. */
export const noServers: McpConfig = { servers: new Map(), inputs: [], problems: [] };

const list = z.object({
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  servers: z.record(z.string(), z.unknown()).optional(),
  inputs: z.array(z.unknown()).default([]),
});

/** What the variables in the texts of an entry stand for. */
export interface KnownValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The workspace folder's absolute path. */
  readonly workspaceFolder: string;
  /** The values of inputs, by their ids. */
  readonly inputs?: ReadonlyMap<string, string>;
}

/**
 * Reads a list of servers in the form that most clients have: `{ "mcpServers": { NAME: { "command": … } | { "url": … } } }`,
 * or with `servers` as VS Code writes it. Never throws.
 *
 * @param path for messages
 * @param known what `${…}` in a text stands for. Absent: the texts are as they are
 */
export function parseMcpConfig(text: string, path: string, known?: KnownValues): McpConfig {
  const read = list.safeParse(listIn(text));
  if (!read.success) {
    const problem = words(
      '{path} is not a list of MCP servers: it has to be JSON with an object "mcpServers". No server of it is used.',
      { path },
    );
    return { ...noServers, problems: [problem] };
  }
  const { servers, mcpServers, inputs } = read.data;
  return {
    ...readEntries({ ...servers, ...mcpServers }, path, known),
    inputs: inputs.flatMap((one) => input.safeParse(one).data ?? []),
  };
}

/**
 * Reads entries of a list. Never throws.
 *
 * @param from where the list is from, for messages
 * @param known what `${…}` in a text stands for. Absent: the texts are as they are
 */
export function readEntries(
  entries: Readonly<Record<string, unknown>>,
  from: string,
  known?: KnownValues,
): McpConfig {
  const servers = new Map<string, McpServerEntry>();
  const problems: Said[] = [];
  for (const [listed, given] of Object.entries(entries)) {
    const name = serverName(listed);
    const { value, missing } =
      known === undefined ? { value: given, missing: undefined } : withValues(given, known);
    const entry = server.safeParse(value);
    if (entry.success && (entry.data.disabled || entry.data.enabled === false)) continue;
    const problem =
      name === "" || servers.has(name)
        ? words("its name needs letters or digits, and differs from other names by more than signs")
        : !entry.success
          ? whatIsWrong(value)
          : missing;
    if (problem !== undefined) {
      problems.push(
        words(
          "The MCP server {server} of {from} is left out: {problem}. Set it, or correct the entry.",
          {
            server: JSON.stringify(listed),
            from,
            problem,
          },
        ),
      );
    } else if (entry.success) servers.set(name, entry.data);
  }
  return { ...noServers, servers, problems };
}

/** Returns what a list says. VS Code's own lists have comments and commas at the ends. */
function listIn(text: string): unknown {
  const json = parseJson(text);
  if (json.ok) return json.value;
  try {
    return parseJson5(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** Returns what keeps an entry from being used. */
function whatIsWrong(given: unknown): Said {
  const value = usualFields(given);
  const { command, url } = recordOf(value) ?? {};
  const form = typeof command === "string" ? local : typeof url === "string" ? remote : undefined;
  const field = form?.safeParse(value).error?.issues[0]?.path[0];
  return field === undefined || field === "command" || field === "url"
    ? words('it needs a "command" or a "url" with http or https')
    : words('"{field}" has another form than docs/mcp.md says', { field: String(field) });
}

/**
 * Returns an entry of a workspace's list with the values of its variables.
 *
 * @param from the list, for messages
 * @throws a `UserError` if a variable is not set, or the entry needs what only another program knows
 */
export function expanded(
  entry: McpServerEntry,
  { name, from }: { readonly name: string; readonly from: string },
  known: KnownValues,
): McpServerEntry {
  const { value, missing } = withValues(entry, known);
  if (missing !== undefined) {
    throw new UserError(
      "mcpEntryUnusable",
      "The MCP server {server} of {from} is left out: {problem}. Set it, or correct the entry.",
      { server: name, from, problem: missing },
    );
  }
  return server.parse(value);
}

/** Returns the names of the environment variables, and the ids of the inputs, that an entry's texts name. */
export function namedIn(entry: McpServerEntry): {
  readonly environment: readonly string[];
  readonly inputs: readonly string[];
} {
  const found = new Set<string>();
  replaceVariables(entry, (variable) => (found.add(variable), ""));
  const named = (kind: "env" | "input") =>
    [...found].flatMap((variable) => nameAfter(kind, variable) ?? []);
  return { environment: named("env"), inputs: named("input") };
}

export function isSameEntry(one: McpServerEntry, other: McpServerEntry | undefined): boolean {
  return isDeepStrictEqual(one, other);
}

/** Returns a value with variables put in, and what is wrong if one of them has no value. */
function withValues(
  given: unknown,
  { env, workspaceFolder, inputs }: KnownValues,
): { readonly value: unknown; readonly missing: Said | undefined } {
  const missing = new Map<string, Said>();
  const value = replaceVariables(given, (variable) => {
    if (variable === "workspaceFolder") return workspaceFolder;
    const name = nameAfter("env", variable);
    const found =
      name === undefined
        ? inputs?.get(nameAfter("input", variable) ?? "")
        : Object.hasOwn(env, name)
          ? env[name]
          : undefined;
    if (found === undefined) {
      missing.set(
        variable,
        name === undefined
          ? words("{variable} is not known here", { variable: `\${${variable}}` })
          : words("the environment variable {name} is not set", { name }),
      );
    }
    return found ?? "";
  });
  return { value, missing: missing.size === 0 ? undefined : listed([...missing.values()]) };
}

/** Returns what follows the kind of a variable, as in `env:NAME`; `undefined` for a variable of another kind. */
function nameAfter(kind: "env" | "input", variable: string): string | undefined {
  const begin = `${kind}:`;
  return variable.startsWith(begin) ? variable.slice(begin.length) : undefined;
}

/**
 * Returns a value in whose texts each `${…}` is replaced.
 *
 * @param valueOf is given what stands in the braces
 */
function replaceVariables(value: unknown, valueOf: (variable: string) => string): unknown {
  const inside = (one: unknown) => replaceVariables(one, valueOf);
  if (typeof value === "string") {
    // One without an end goes to the end of the text, which is not looked through again.
    return value.replace(/\$\{([^}]*)(\}|$)/g, (all, variable: string, end: string) =>
      end === "" ? all : valueOf(variable),
    );
  }
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map((pair) => pair.map(inside)));
}
