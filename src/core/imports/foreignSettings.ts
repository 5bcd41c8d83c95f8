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
  /** Instructions for all modes; empty if there are none. */
  readonly instructions: string;
  /** Instructions that were added to modes by their slugs. */
  readonly modeInstructions: ReadonlyMap<string, string>;
  /** MCP servers by their names. */
  readonly servers: ReadonlyMap<string, unknown>;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Whether it says what may be done unasked. */
  readonly hasApprovals: boolean;
  /** Whether it says how much a task may use. */
  readonly hasLimits: boolean;
  /** Whether it says which mode uses which profile. */
  readonly hasModeProfiles: boolean;
  /** Names of settings that mean nothing here. */
  readonly others: readonly string[];
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
const modeTexts = z.record(
  z.string(),
  z.looseObject({ customInstructions: z.string().max(64_000).optional() }).nullish(),
);
const servers = z.record(z.string(), z.unknown());

/** Settings of Roo Code that say what may be done unasked. */
const approvals = /^(?:autoApprovalEnabled|always(?:Allow|Approve)|commandTimeoutAllowlist|yolo)/i;

/** Settings of Roo Code that say how much a task may use before it asks. */
const limits = /^allowedMax(?:Requests|Cost)$/;

/** Settings that are read in another place, or say nothing by themselves. */
const known =
  /^(?:customModes|customInstructions|customModePrompts|allowedCommands|deniedCommands|currentApiConfigName|listApiConfigMeta|modeApiConfigs|pinnedApiConfigs|mode|taskHistory|last\w+|hasOpened\w+)$/;

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
  const part = <T>(name: string, schema: z.ZodType<T>, value: unknown, absent: T): T => {
    if (value === undefined || value === null) return absent;
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    invalid.push(name);
    return absent;
  };
  const ofProfiles = part("providerProfiles", profiles, given.providerProfiles, { apiConfigs: {} });
  const global = part(
    "globalSettings",
    z.record(z.string(), z.unknown()),
    given.globalSettings,
    {},
  );
  const instructions = part(
    "customInstructions",
    z.string().max(64_000),
    global["customInstructions"],
    "",
  );
  const prompts = part("customModePrompts", modeTexts, global["customModePrompts"], {});
  const list = z.array(z.unknown()).max(most);
  const keys = Object.keys(global);
  return {
    profiles: bounded(ofProfiles.apiConfigs),
    profileInUse: ofProfiles.currentApiConfigName,
    modes: [
      ...part("customModes", list, given.customModes, []),
      ...part("globalSettings.customModes", list, global["customModes"], []),
    ],
    instructions: instructions.trim(),
    modeInstructions: bounded(
      Object.fromEntries(
        Object.entries(prompts).flatMap(([slug, prompt]) => {
          const own = prompt?.customInstructions?.trim() ?? "";
          return own === "" ? [] : [[slug, own]];
        }),
      ),
    ),
    servers: bounded({
      ...part("mcp", servers, given.mcp, {}),
      ...part("mcpServers", servers, given.mcpServers, {}),
    }),
    allow: part("allowedCommands", texts, global["allowedCommands"], []),
    deny: part("deniedCommands", texts, global["deniedCommands"], []),
    hasApprovals: keys.some((key) => approvals.test(key)),
    hasLimits: keys.some((key) => limits.test(key) && typeof global[key] === "number"),
    hasModeProfiles: Object.keys(ofProfiles.modeApiConfigs ?? {}).length > 0,
    others: keys
      .filter((key) => ![approvals, limits, known].some((read) => read.test(key)))
      .map((key) => visibleLine(key, 60)),
    invalid,
  };
}

function bounded<T>(record: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(record).slice(0, most));
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
