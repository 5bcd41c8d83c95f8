import { type Document, isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import * as z from "zod";
import type { Mode, WriteScope } from "./mode.js";

/** Something in a mode file that cannot be used. */
export interface ModeProblem {
  /** Workspace-relative. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

export interface ModeFile {
  readonly modes: readonly Mode[];
  readonly problems: readonly ModeProblem[];
}

const group = z.enum(["read", "edit", "command", "browser", "mcp", "modes"]);
const groupEntry = z.union([
  group,
  z.tuple([
    group,
    z.object({ fileRegex: z.string().nullish(), description: z.string().nullish() }),
  ]),
]);

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
  read: ["read_file", "list_files", "search_files"],
  edit: ["write_to_file", "apply_diff", "edit_file", "insert_content"],
  command: ["execute_command"],
  browser: [],
  mcp: [],
  modes: [],
};

/**
 * Reads a `.roomodes` file, YAML or JSON. A mode that cannot be used is a problem at its line; the
 * others still load. Never throws.
 */
export function parseModeFile(text: string, path: string): ModeFile {
  const tooMuch = beyondReason(text);
  if (tooMuch !== undefined) return { modes: [], problems: [{ path, ...tooMuch }] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent" });
  const lineOf = (node: Node | null | undefined): number =>
    node?.range ? lines.linePos(node.range[0]).line : 1;
  const problems: ModeProblem[] = document.errors.slice(0, 20).map((error) => ({
    path,
    line: error.linePos?.[0].line ?? 1,
    message: `This is not valid YAML or JSON: ${error.message.split("\n")[0] ?? ""}`,
  }));
  if (problems.length > 0 || document.contents === null) return { modes: [], problems };

  const list = isMap(document.contents) ? document.get("customModes", true) : undefined;
  if (!isSeq<Node>(list)) {
    const line = lineOf(document.contents);
    const message = 'A mode file holds a list called "customModes"; there is none.';
    return { modes: [], problems: [{ path, line, message }] };
  }
  const modes = new Map<string, Mode>();
  for (const node of list.items) {
    const refuse = (message: string, at: Node | undefined = node): void => {
      problems.push({ path, line: lineOf(at), message });
    };
    const parsed = readMode(node, document);
    if ("message" in parsed) refuse(parsed.message, nodeAt(node, parsed.field));
    else if (modes.has(parsed.slug)) refuse(`There are two modes with the slug ${parsed.slug}.`);
    else modes.set(parsed.slug, parsed);
  }
  return { modes: [...modes.values()], problems };
}

function readMode(
  node: Node,
  document: Document,
): Mode | { message: string; field: string | undefined } {
  let value: unknown;
  try {
    value = node.toJS(document);
  } catch {
    value = undefined;
  }
  const parsed = customMode.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue?.path.join(".") ?? "";
    const field = typeof issue?.path[0] === "string" ? issue.path[0] : undefined;
    return {
      message: `${place === "" ? "The mode" : place}: ${issue?.message ?? "invalid"}`,
      field,
    };
  }
  const given = parsed.data;
  const writes = writeScope(given.groups);
  if ("message" in writes) return { message: writes.message, field: "groups" };
  const names = given.groups.flatMap(
    (entry) => tools[typeof entry === "string" ? entry : entry[0]],
  );
  const custom = given.customInstructions?.trim() ?? "";
  return {
    slug: given.slug,
    name: given.name,
    instructions: [given.roleDefinition.trim(), custom].filter((text) => text !== "").join("\n\n"),
    ...(given.whenToUse ? { whenToUse: given.whenToUse } : {}),
    tools: [...new Set([...names, "ask_followup_question"])],
    writes: writes.scope,
    plainText: "slip",
  };
}

function writeScope(
  groups: readonly z.infer<typeof groupEntry>[],
): { scope: WriteScope } | { message: string } {
  const edits = groups.filter((entry) => entry === "edit" || entry[0] === "edit");
  const [edit] = edits;
  if (edit === undefined) return { scope: "ownTaskFolder" };
  const options = typeof edit === "string" ? undefined : edit[1];
  if (!options?.fileRegex) return { scope: "project" };
  try {
    const fileRegex = new RegExp(options.fileRegex);
    const description = options.description ?? `files that match ${options.fileRegex}`;
    return { scope: { fileRegex, description } };
  } catch {
    return { message: `fileRegex ${options.fileRegex} is not a regular expression` };
  }
}

/**
 * What no mode file needs and the parser cannot bear: it recurses, and from the depth of block marks
 * it builds expressions that end the process.
 */
function beyondReason(text: string): { line: number; message: string } | undefined {
  if (text.length > 500_000) return { line: 1, message: "A mode file of this size is not read." };
  let depth = 0;
  for (const [index, line] of text.split("\n").entries()) {
    for (const character of line) {
      if (character === "[" || character === "{") depth++;
      else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
      if (depth > 50) return { line: index + 1, message: "This is nested too deeply to be read." };
    }
    if (/^\s{200}|(?:[-?:]\s+){12}/.test(line)) {
      return { line: index + 1, message: "This is nested too deeply to be read." };
    }
  }
  return undefined;
}

function nodeAt(node: Node, field: string | undefined): Node | undefined {
  if (field === undefined || !isMap(node)) return node;
  return node.get(field, true) ?? node;
}
