import json5 from "json5";
import { parseDocument } from "yaml";
import * as z from "zod";
import { parseJson } from "../documents/parseJson.js";
import { unsafeYaml } from "../documents/unsafeYaml.js";
import { yamlFault } from "../documents/yamlFault.js";
import { UserError } from "../errors.js";
import { visibleLine } from "../text/visibleText.js";
import { type Words, words } from "../text/words.js";

/** The most things of one kind that are read of one file. */
const most = 300;

/** What a file with settings of another tool says, as far as it can be imported or has to be named. */
export interface ForeignSettings {
  /** The settings of model profiles by their names. */
  readonly profiles: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The name of the profile that is in use. */
  readonly profileInUse: string | undefined;
  readonly modes: readonly unknown[];
  /** Instructions for a mode by its slug; those for all modes come first, without one. */
  readonly instructions: readonly { readonly slug?: string; readonly text: string }[];
  /** MCP servers by their names. */
  readonly servers: ReadonlyMap<string, unknown>;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Notes on its other settings, none of which is imported. */
  readonly notes: readonly Words[];
  /** Names of parts that do not have the form that they should have. */
  readonly invalid: readonly string[];
}

/**
 * The parts of a settings file; each is parsed on its own, so that one that is damaged leaves the others. The forms are
 * those that Roo Code and Kilo Code export (`providerProfiles`, `globalSettings`), keep their modes in (`customModes`),
 * and keep their MCP servers in, as Cline does (`mcpServers`); newer versions of Kilo Code have `mcp`. Sources:
 * RooCodeInc/Roo-Code, `src/core/config/importExport.ts`, `packages/types/src/global-settings.ts` and
 * `packages/types/src/mode.ts`; cline/cline, `src/core/storage/disk.ts`; https://kilo.ai/docs/automate/mcp/using-in-kilo-code.
 */
const file = z.looseObject({
  providerProfiles: z.unknown().optional(),
  globalSettings: z.unknown().optional(),
  customModes: z.unknown().optional(),
  mcpServers: z.unknown().optional(),
  mcp: z.unknown().optional(),
});

const profiles = z.looseObject({
  apiConfigs: z.record(z.string(), z.record(z.string(), z.unknown())),
  currentApiConfigName: z.string().optional(),
  modeApiConfigs: z.record(z.string(), z.unknown()).optional(),
});
const texts = z.array(z.string().max(500)).max(most);
const instructions = z.string().max(64_000);
const modeTexts = z.record(
  z.string(),
  z.looseObject({ customInstructions: instructions.optional() }).nullish(),
);
const list = z.array(z.unknown()).max(most);
const record = z.record(z.string(), z.unknown());
type Unread = z.output<typeof record>;

/**
 * The keys of `globalSettings`: a part of the import reads them, or they mean nothing alone, or a note tells of them.
 * A key that is not here means nothing to Rooroo.
 */
const globalKeys: readonly {
  readonly theirs: RegExp;
  readonly note?: Words;
  /** Which values the note is about; all if absent. */
  readonly about?: (value: unknown) => boolean;
}[] = [
  {
    theirs: /^(?:autoApprovalEnabled|always(?:Allow|Approve)|commandTimeoutAllowlist|yolo)/i,
    note: words("What may be done unasked is not imported: choose it below the input."),
  },
  {
    theirs: /^allowedMax(?:Requests|Cost)$/,
    note: words("What a task may use is not imported: set it in “rooroo.limits.task”."),
    about: (value) => typeof value === "number",
  },
  {
    theirs:
      /^(?:customModes|customInstructions|customModePrompts|allowedCommands|deniedCommands|currentApiConfigName|listApiConfigMeta|modeApiConfigs|pinnedApiConfigs|mode|taskHistory|last\w+|hasOpened\w+)$/,
  },
];

/**
 * Reads a file of settings, in JSON with or without comments, or YAML.
 *
 * @param shown the file's name in messages
 * @throws {UserError} if it is not such a file; the message says what to do
 */
export function readForeignSettings(text: string, shown: string): ForeignSettings {
  const parsed = file.safeParse(valueOf(text, shown));
  const given = parsed.success ? parsed.data : undefined;
  const hasSettings =
    given !== undefined && Object.keys(file.shape).some((key) => Object.hasOwn(given, key));
  if (!hasSettings) {
    throw new UserError(
      "importNothingFound",
      "{path} has no settings that can be imported. Choose a file that Roo Code or Kilo Code has exported (Settings, About, Export), a list of modes, or a list of MCP servers.",
      { path: shown },
    );
  }
  const invalid: string[] = [];
  const part = <T>(name: string, form: z.ZodType<T>, value: unknown): T | undefined => {
    if (value === undefined || value === null) return undefined;
    const read = form.safeParse(value);
    if (!read.success) invalid.push(name);
    return read.data;
  };
  const ofProfiles = part("providerProfiles", profiles, given.providerProfiles);
  const global = part("globalSettings", record, given.globalSettings) ?? {};
  const forAll = part("customInstructions", instructions, global["customInstructions"]);
  const prompts = part("customModePrompts", modeTexts, global["customModePrompts"]) ?? {};
  return {
    profiles: bounded(ofProfiles?.apiConfigs ?? {}),
    profileInUse: ofProfiles?.currentApiConfigName,
    modes: [
      ...(part("customModes", list, given.customModes) ?? []),
      ...(part("globalSettings.customModes", list, global["customModes"]) ?? []),
    ],
    instructions: [
      { text: forAll?.trim() ?? "" },
      ...Object.entries(prompts)
        .map(([slug, prompt]) => ({ slug, text: prompt?.customInstructions?.trim() ?? "" }))
        .filter(({ text: own }) => own !== "")
        .slice(0, most),
    ].filter(({ text: own }) => own !== ""),
    servers: bounded({
      ...part("mcp", record, given.mcp),
      ...part("mcpServers", record, given.mcpServers),
    }),
    allow: part("allowedCommands", texts, global["allowedCommands"]) ?? [],
    deny: part("deniedCommands", texts, global["deniedCommands"]) ?? [],
    notes: notesOf(global, ofProfiles?.modeApiConfigs),
    invalid,
  };
}

/** Returns what is said of settings that are not imported. */
function notesOf(global: Unread, modeProfiles: Unread = {}): Words[] {
  const entries = Object.entries(global);
  const notes = globalKeys.flatMap(({ theirs, note, about }) =>
    note !== undefined &&
    entries.some(([key, value]) => theirs.test(key) && about?.(value) !== false)
      ? [note]
      : [],
  );
  if (Object.keys(modeProfiles).length > 0) {
    notes.push(words("Which mode uses which profile is not imported: set it in “rooroo.modes”."));
  }
  const others = entries.flatMap(([key]) =>
    globalKeys.some(({ theirs }) => theirs.test(key)) ? [] : [visibleLine(key, 60)],
  );
  const names = others.slice(0, 12).join(", ");
  const more = others.length - 12;
  if (more > 0) {
    notes.push(
      words("These settings mean nothing here: {names}, and {more} more.", { names, more }),
    );
  } else if (others.length > 0) {
    notes.push(words("These settings mean nothing here: {names}.", { names }));
  }
  return notes;
}

function bounded<T>(values: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(values).slice(0, most));
}

/** Throws a {@link UserError} if the text cannot be read. */
function valueOf(text: string, shown: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  const json = parseJson(plain);
  if (json.ok) return json.value;
  let problem: Words;
  try {
    if (/^\s*(?:\{|\/[/*])/.test(plain)) return json5.parse(plain);
    const tooMuch = unsafeYaml(plain);
    if (tooMuch === undefined) {
      const document = parseDocument(plain, { logLevel: "silent" });
      const [failure] = document.errors;
      if (failure === undefined) return document.toJS({ maxAliasCount: 20 });
      const line = failure.linePos?.[0].line ?? 1;
      problem = words("It is not YAML in line {line}: {problem}.", {
        line,
        problem: yamlFault(failure),
      });
    } else problem = tooMuch.message;
  } catch (error) {
    const { lineNumber: line, columnNumber: column } = error as Partial<Record<string, number>>;
    // The YAML library throws without a place where a value refers to none, or to others too often.
    problem =
      line === undefined || column === undefined
        ? words("Its references cannot be followed: one leads nowhere, or there are too many.")
        : words("It is not JSON from line {line}, column {column} on.", { line, column });
  }
  throw new UserError(
    "importUnreadable",
    "{path} cannot be read. {problem} Export it again, or choose another file.",
    { path: shown, problem },
  );
}
