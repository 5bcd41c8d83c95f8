import { type Document, isCollection, isMap, isNode, isSeq, type Node } from "yaml";
import * as z from "zod";
import { issueWords } from "../documents/issueWords.js";
import { unsafeYaml } from "../documents/unsafeYaml.js";
import { yamlFault } from "../documents/yamlFault.js";
import { UserError } from "../errors.js";
import type { Patterns } from "../ports/search.js";
import { joined } from "../text/joined.js";
import { translatable } from "../text/translator.js";
import { type Said, words } from "../text/words.js";
import { toolGroups, toolsOf } from "../tools/toolTable.js";
import { isNoExpert, type Mode, type WriteScope } from "./mode.js";
import { parseModeFileText } from "./modeFileText.js";
import type { ModeProblem } from "./modeProblem.js";

export interface ModeFile {
  readonly modes: readonly Mode[];
  /**
   * Slugs of modes that are left out because their groups, which say what they may write, are invalid.
   */
  readonly unclear: readonly string[];
  readonly problems: readonly ModeProblem[];
}

const group = z.enum([...toolGroups, "mcp", "modes"]);
const groupEntry = z.union([
  group,
  z.tuple([
    group,
    z.looseObject({ fileRegex: z.string().nullish(), description: z.string().nullish() }),
  ]),
]);

/** The options that a group may have. */
const groupOptions = ["fileRegex", "description"];

/** A mode as Roo Code documents it: https://docs.roocode.com/features/custom-modes */
const customMode = z.looseObject({
  slug: z
    .string()
    .regex(/^[a-zA-Z0-9-]+$/, translatable("may hold letters, digits and hyphens only")),
  name: z.string().min(1),
  roleDefinition: z.string().min(1),
  whenToUse: z.string().nullish(),
  customInstructions: z.string().nullish(),
  groups: z.array(groupEntry),
});

/** The most characters of a mode file: more than any that is in use has. */
const longest = 2_000_000;

/**
 * Reads a `.roomodes` file, YAML or JSON, with what {@link parseModeFileText} allows. A mode that cannot be used is a problem at its line; the
 * others still load. A mode whose edit group is not clear loads, but may write nothing of the project.
 * Never throws.
 *
 * @param patterns runs the file's own expressions, which must not hold the process up
 */
export function parseModeFile(text: string, path: string, patterns: Patterns): ModeFile {
  const tooMuch = unsafeYaml(text, longest);
  if (tooMuch !== undefined) {
    return { modes: [], unclear: [], problems: [{ path, column: 1, ...tooMuch }] };
  }
  const { document, placeOf } = parseModeFileText(text);
  const problems: ModeProblem[] = [];
  const refuse = (offset: number, message: Said): void => {
    problems.push({ path, ...placeOf(offset), message });
  };
  // Further errors are most often the same fault once more.
  for (const error of document.errors.slice(0, 1)) {
    const problem = yamlFault(error);
    refuse(error.pos[0], words("This is not valid YAML or JSON: {problem}.", { problem }));
  }
  const unclear: string[] = [];
  if (problems.length > 0 || document.contents === null) return { modes: [], unclear, problems };

  const list = isMap(document.contents) ? document.get("customModes", true) : undefined;
  if (!isSeq<Node>(list)) {
    const message = words('A mode file holds a list called "customModes"; there is none.');
    refuse(document.contents.range?.[0] ?? 0, message);
    return { modes: [], unclear, problems };
  }
  const modes = new Map<string, Mode>();
  for (const node of list.items) {
    const { mode, slug, faults } = readMode(node, document, patterns);
    for (const fault of faults) refuse(offsetAt(node, fault.at), fault.message);
    if (mode === undefined) {
      const isUnclear = faults.some(({ at }) => at[0] === "groups");
      if (slug !== undefined && isUnclear) unclear.push(slug);
      continue;
    }
    if (isNoExpert(mode.slug)) {
      const given = { slug: mode.slug };
      refuse(
        offsetAt(node, ["slug"]),
        words("{slug} is an agent of Rooroo's own and no expert, so this mode is not used.", given),
      );
      continue;
    }
    const first = modes.get(mode.slug);
    if (first === undefined) modes.set(mode.slug, mode);
    else {
      const twice = words("There are two modes with the slug {slug}.", { slug: mode.slug });
      refuse(offsetAt(node, ["slug"]), twice);
      // It is unknown which of the two the user relies on, so the mode may write only its task's folder.
      modes.set(mode.slug, { ...first, writes: "ownTaskFolder" });
    }
  }
  return { modes: [...modes.values()], unclear, problems };
}

/** A problem with a mode, and the keys that lead to it. */
interface Fault {
  readonly at: readonly PropertyKey[];
  readonly message: Said;
}

/** A mode as read from the file; `mode` is absent when it cannot be used. */
interface ReadMode {
  readonly mode?: Mode;
  readonly slug?: string;
  readonly faults: readonly Fault[];
}

function readMode(node: Node, document: Document, patterns: Patterns): ReadMode {
  let value: unknown;
  try {
    value = node.toJS(document);
  } catch {
    value = undefined;
  }
  const parsed = customMode.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => {
      const { path } = issue;
      const place = path.length === 0 ? words("The mode") : path.join(".");
      return { at: path, message: joined(place, ": ", faultWords(issue)) };
    });
    const slug = customMode.shape.slug.safeParse((value as { slug?: unknown } | null)?.slug);
    return slug.success ? { slug: slug.data, faults } : { faults };
  }
  const given = parsed.data;
  const writes = writeScope(given.groups, patterns);
  if ("message" in writes) return { slug: given.slug, faults: [writes] };
  const names = given.groups.flatMap((entry) => {
    const name = nameOf(entry);
    return name === "mcp" || name === "modes" ? [] : toolsOf(name);
  });
  const custom = given.customInstructions?.trim() ?? "";
  const whenToUse = given.whenToUse?.trim() ?? "";
  const mode: Mode = {
    slug: given.slug,
    name: given.name,
    instructions: [given.roleDefinition.trim(), custom].filter((text) => text !== "").join("\n\n"),
    // A mode that does not say it can still be chosen, by what it says that it is.
    whenToUse: whenToUse === "" ? firstSentence(given.roleDefinition) : whenToUse,
    tools: [...new Set([...names, "update_todo_list", "ask_followup_question"])],
    ...(given.groups.some((entry) => entry === "mcp" || entry[0] === "mcp")
      ? { hostTools: true as const }
      : {}),
    writes: writes.scope,
    onPlainText: "invalid",
  };
  return { mode, slug: given.slug, faults: writes.faults };
}

/** Returns what is wrong with a value, after its place. */
function faultWords(issue: z.core.$ZodIssue): Said {
  const [field, index] = issue.path;
  if (field === "groups" && index !== undefined) {
    return words("must be one of {groups}, or a list of one and its options, as {example}", {
      groups: group.options.join(", "),
      example: String.raw`[edit, {fileRegex: "\.md$"}]`,
    });
  }
  return issueWords(issue);
}

function firstSentence(text: string): string {
  const [first = ""] = /^.*?[.!?](?=\s|$)|^.*/.exec(text.trim()) ?? [];
  return first.slice(0, 200);
}

type Groups = readonly z.infer<typeof groupEntry>[];

/** Returns where a mode may write, or just a fault when the mode cannot be used. */
function writeScope(
  groups: Groups,
  patterns: Patterns,
): { readonly scope: WriteScope; readonly faults: readonly Fault[] } | Fault {
  const faults = groupFaults(groups);
  const edits = groups.filter((entry) => nameOf(entry) === "edit");
  const [edit] = edits;
  if (edit === undefined) return { scope: "ownTaskFolder", faults };
  const index = groups.indexOf(edit);
  if (faults.some(({ at }) => nameOf(groups[Number(at[1])] ?? "read") === "edit")) {
    return { scope: "ownTaskFolder", faults };
  }
  const options = typeof edit === "string" ? undefined : edit[1];
  if (!options?.fileRegex) return { scope: "project", faults };
  const source = options.fileRegex;
  try {
    new RegExp(source);
  } catch {
    return {
      at: ["groups", index, 1, "fileRegex"],
      message: words("fileRegex: {source} is not a regular expression", { source }),
    };
  }
  const description = options.description ?? `files that match ${source}`;
  return { scope: { fits: fileTest(source, patterns), description }, faults };
}

function nameOf(entry: Groups[number]): z.infer<typeof group> {
  return typeof entry === "string" ? entry : entry[0];
}

/** Returns the problems of groups that fit the schema: unknown options, and groups that come twice. */
function groupFaults(groups: Groups): Fault[] {
  return groups.flatMap((entry, index): Fault[] => {
    const name = nameOf(entry);
    const narrowed =
      name === "edit"
        ? joined(" ", words("Until it is, the mode may write nothing of the project."))
        : "";
    const options = typeof entry === "string" ? {} : entry[1];
    const unknown = Object.keys(options).filter((key) => !groupOptions.includes(key));
    const faults = unknown.map((key) => ({
      at: ["groups", index, 1, key],
      message: joined(
        `groups.${index}: `,
        words("{name} has no option {key}; its options are {options}. Correct it.", {
          name,
          key,
          options: groupOptions.join(", "),
        }),
        narrowed,
      ),
    }));
    const isAgain = groups.findIndex((other) => nameOf(other) === name) < index;
    if (!isAgain) return faults;
    const twice = joined(
      `groups.${index}: `,
      words("the group {name} is there twice. Remove one.", { name }),
      narrowed,
    );
    return [...faults, { at: ["groups", index], message: twice }];
  });
}

/**
 * Returns a test of paths with one of the file's expressions. When one test fails, as by taking too
 * long, all later ones throw the same error.
 */
function fileTest(source: string, patterns: Patterns): (path: string) => boolean {
  let failure: UserError | undefined;
  return (path) => {
    if (failure !== undefined) throw failure;
    try {
      return patterns.find({ source, flags: "" }, [path], 1).length > 0;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failure = new UserError(
        "fileRegexInvalid",
        "The fileRegex of this mode is invalid, so the mode may not write any file of the project. Correct the fileRegex. {problem}",
        { problem: error.message },
      );
      throw failure;
    }
  };
}

/** Returns the offset of the value that the keys lead to, or of the last node that exists on the way. */
function offsetAt(node: Node, keys: readonly PropertyKey[]): number {
  let at: unknown = node;
  for (const key of keys) {
    const next: unknown = isCollection(at) ? at.get(key, true) : undefined;
    if (!isNode(next)) break;
    at = next;
  }
  return (isNode(at) ? at.range : node.range)?.[0] ?? 0;
}
