import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import * as z from "zod";
import { beyondReason } from "../documents/beyondReason.js";
import type { Mode, WriteScope } from "./mode.js";

/** Something in a mode file that cannot be used. */
export interface ModeProblem {
  /** Workspace-relative. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based; where it begins in the line. */
  readonly column: number;
  readonly message: string;
}

export interface ModeFile {
  readonly modes: readonly Mode[];
  readonly problems: readonly ModeProblem[];
}

const group = z.enum(["read", "edit", "command", "browser", "mcp", "modes"]);
const groupEntry = z.union(
  [
    group,
    z.tuple([
      group,
      z.object({ fileRegex: z.string().nullish(), description: z.string().nullish() }),
    ]),
  ],
  {
    error: `must be one of ${group.options.join(", ")}, or a list of one and its options, as [edit, {fileRegex: "\\.md$"}]`,
  },
);

/** A mode as Roo Code documents it: https://docs.roocode.com/features/custom-modes */
const customMode = z.looseObject({
  slug: z.string().regex(/^[a-zA-Z0-9-]+$/, "may hold letters, digits and hyphens only"),
  name: z.string().min(1),
  roleDefinition: z.string().min(1),
  whenToUse: z.string().nullish(),
  customInstructions: z.string().nullish(),
  groups: z.array(groupEntry),
});

const tools: Readonly<Record<z.infer<typeof group>, readonly string[]>> = {
  read: ["read_file", "list_files", "search_files", "get_diagnostics"],
  edit: ["write_to_file", "apply_diff", "edit_file", "insert_content"],
  command: ["execute_command", "command_output"],
  browser: ["web_fetch", "web_search"],
  mcp: [],
  modes: [],
};

/**
 * Reads a `.roomodes` file, YAML or JSON. A mode that cannot be used is a problem at its line; the
 * others still load. Never throws.
 */
export function parseModeFile(text: string, path: string): ModeFile {
  const tooMuch = beyondReason(text);
  if (tooMuch !== undefined) return { modes: [], problems: [{ path, column: 1, ...tooMuch }] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent" });
  const problems: ModeProblem[] = [];
  const refuse = (offset: number, message: string): void => {
    const { line, col } = lines.linePos(offset);
    problems.push({ path, line, column: col, message });
  };
  for (const error of document.errors.slice(0, 20)) {
    refuse(error.pos[0], `This is not valid YAML or JSON: ${error.message.split("\n")[0] ?? ""}`);
  }
  if (problems.length > 0 || document.contents === null) return { modes: [], problems };

  const list = isMap(document.contents) ? document.get("customModes", true) : undefined;
  if (!isSeq<Node>(list)) {
    const message = 'A mode file holds a list called "customModes"; there is none.';
    refuse(document.contents.range[0], message);
    return { modes: [], problems };
  }
  const modes = new Map<string, Mode>();
  for (const node of list.items) {
    const parsed = readMode(node, document);
    if (!("faults" in parsed)) {
      if (!modes.has(parsed.slug)) modes.set(parsed.slug, parsed);
      else refuse(offsetAt(node, ["slug"]), `There are two modes with the slug ${parsed.slug}.`);
      continue;
    }
    for (const fault of parsed.faults) refuse(offsetAt(node, fault.at), fault.message);
  }
  return { modes: [...modes.values()], problems };
}

/** What is wrong with a mode, and the keys that lead there. */
interface Fault {
  readonly at: readonly PropertyKey[];
  readonly message: string;
}

function readMode(node: Node, document: Document): Mode | { faults: readonly Fault[] } {
  let value: unknown;
  try {
    value = node.toJS(document);
  } catch {
    value = undefined;
  }
  const parsed = customMode.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => {
      const place = path.length === 0 ? "The mode" : path.join(".");
      return { at: path, message: `${place}: ${message}` };
    });
    return { faults };
  }
  const given = parsed.data;
  const writes = writeScope(given.groups);
  if ("message" in writes) return { faults: [writes] };
  const names = given.groups.flatMap(
    (entry) => tools[typeof entry === "string" ? entry : entry[0]],
  );
  const custom = given.customInstructions?.trim() ?? "";
  return {
    slug: given.slug,
    name: given.name,
    instructions: [given.roleDefinition.trim(), custom].filter((text) => text !== "").join("\n\n"),
    ...(given.whenToUse ? { whenToUse: given.whenToUse } : {}),
    tools: [...new Set([...names, "update_todo_list", "ask_followup_question"])],
    ...(given.groups.some((entry) => entry === "mcp" || entry[0] === "mcp")
      ? { hostTools: true as const }
      : {}),
    writes: writes.scope,
    plainText: "slip",
  };
}

function writeScope(groups: readonly z.infer<typeof groupEntry>[]): { scope: WriteScope } | Fault {
  const index = groups.findIndex((entry) => entry === "edit" || entry[0] === "edit");
  const edit = groups[index];
  if (edit === undefined) return { scope: "ownTaskFolder" };
  const options = typeof edit === "string" ? undefined : edit[1];
  if (!options?.fileRegex) return { scope: "project" };
  try {
    const fileRegex = new RegExp(options.fileRegex);
    const description = options.description ?? `files that match ${options.fileRegex}`;
    return { scope: { fileRegex, description } };
  } catch {
    return {
      at: ["groups", index, 1, "fileRegex"],
      message: `fileRegex: ${options.fileRegex} is not a regular expression`,
    };
  }
}

/** Where the value begins that the keys lead to, or what of the way there is. */
function offsetAt(node: Node, keys: readonly PropertyKey[]): number {
  let at: unknown = node;
  for (const key of keys) {
    const next: unknown = isCollection(at) ? at.get(key, true) : undefined;
    if (!isNode(next)) break;
    at = next;
  }
  return (isNode(at) ? at.range : node.range)?.[0] ?? 0;
}
