import * as z from "zod";
import { visibleLine } from "../text/visibleText.js";
import { type Words, words } from "../text/words.js";
import { serverName } from "./serverName.js";
import { usualFields } from "./usualFields.js";
import {
  argumentsWithoutSecrets,
  environmentWithoutSecrets,
  headersWithoutSecrets,
  urlWithoutSecrets,
} from "./withoutSecrets.js";

const texts = z.record(z.string().max(200), z.string().max(10_000));
const list = z.array(z.string().max(10_000)).max(200);

/**
 * An MCP server as other tools write it. Kilo Code's newer form has the program and its arguments in one list, and
 * `environment`.
 */
const server = z.looseObject({
  command: z.union([z.string().max(1_000), list]).optional(),
  args: list.optional(),
  env: texts.optional(),
  environment: texts.optional(),
  cwd: z.string().max(1_000).optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  type: z.string().max(100).optional(),
  transportType: z.string().max(100).optional(),
  headers: texts.optional(),
  disabledTools: z.array(z.string().max(200)).max(1_000).optional(),
});

/** Settings of a server that are taken over in one way or another. */
const settled = new Set([...Object.keys(server.shape), "disabled", "enabled"]);

/** What of a server gives permissions. */
const permissions = ["alwaysAllow", "autoApprove"];

/** An entry of the user's list. */
interface ServerEntry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly disabled: true;
}

/** A server as it can be imported, or why it cannot. */
export type ImportedServer =
  | { readonly name: string; readonly entry: ServerEntry; readonly notes: readonly Words[] }
  | { readonly problem: Words };

/**
 * Returns the entry of the user's list for another tool's server. It is switched off, because it is a program that runs
 * with the user's rights, or an address that is sent what experts give to it; keys and permissions stay behind.
 */
export function importedServer(name: string, given: unknown): ImportedServer {
  const read = server.safeParse(usualFields(given));
  const own = serverName(name);
  if (!read.success || own === "") return { problem: words("Its entry cannot be read.") };
  const { data } = read;
  const [program, ...first] =
    typeof data.command === "string" ? [data.command] : (data.command ?? []);
  const type = data.type ?? data.transportType ?? "";
  const deny = data.disabledTools?.length ? { deny: data.disabledTools } : {};
  const notes: Words[] = [];
  let entry: ServerEntry;
  if (program !== undefined && program !== "") {
    const args = argumentsWithoutSecrets([...first, ...(data.args ?? [])], own);
    const env = environmentWithoutSecrets({ ...data.environment, ...data.env });
    entry = {
      command: program,
      ...(args.length === 0 ? {} : { args }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
      ...(data.cwd === undefined ? {} : { cwd: data.cwd }),
      ...deny,
      disabled: true,
    };
  } else if (data.url !== undefined) {
    const headers = headersWithoutSecrets(data.headers ?? {}, own);
    const url = urlWithoutSecrets(data.url);
    if (url !== data.url) {
      notes.push(words("What may be a key in its address is left out."));
    }
    entry = {
      ...(/^sse$/i.test(type) ? { type: "sse" } : {}),
      url,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...deny,
      disabled: true,
    };
  } else return { problem: words("It has neither a command nor an address.") };

  notes.unshift(words("It is imported switched off. Look at its entry, then remove “disabled”."));
  if (own !== name) notes.push(words("Its name becomes {name}.", { name: own }));
  const text = JSON.stringify(entry);
  const variables = [
    ...new Set([...text.matchAll(/\$\{env:(\w{1,100})\}/g)].map(([, one]) => one)),
  ];
  if (variables.length > 0) {
    notes.push(
      words(
        "It is given the environment variables {names}. Keys are not imported: set them there.",
        {
          names: variables.slice(0, 10).join(", "),
        },
      ),
    );
  }
  const foreign = [...new Set(text.match(/\$\{(?!env:|workspaceFolder\})[^}]{1,40}\}/g))];
  if (foreign.length > 0) {
    notes.push(
      words("Replace {names}: it means nothing here.", {
        names: foreign
          .slice(0, 5)
          .map((one) => visibleLine(one, 50))
          .join(", "),
      }),
    );
  }
  const keys = Object.keys(data).filter((key) => !settled.has(key));
  if (keys.some((key) => permissions.includes(key))) {
    notes.push(words("What it may do unasked is not imported."));
  }
  const others = keys.filter((key) => !permissions.includes(key)).slice(0, 8);
  if (others.length > 0) {
    notes.push(
      words("Left out: {names}.", { names: others.map((key) => visibleLine(key, 40)).join(", ") }),
    );
  }
  return { name: own, entry, notes };
}
