import * as z from "zod";
import { translatable } from "../text/translator.js";

const planStatuses = ["pending", "running", "completed"] as const;

/** A step of an agent's plan, with its progress. */
export interface PlanStep {
  /** The step's number, as in `1` or `1.2`. */
  readonly step: string;
  readonly title: string;
  readonly status: (typeof planStatuses)[number];
  readonly substeps?: readonly PlanStep[] | undefined;
}

/** An integer as JSON Schema defines it: `1.0` is one, too. */
const whole = z.number().refine(Number.isInteger, translatable("must be a whole number"));
const positive = whole.min(1, translatable("must be 1 or more"));
const offset = whole.min(0, translatable("must be 0 or more"));

const planStep: z.ZodType<PlanStep> = z.strictObject({
  step: z.string(),
  title: z.string(),
  status: z.enum(planStatuses),
  get substeps() {
    return z.array(planStep).optional();
  },
});

const readPayload = z.strictObject({
  path: z.string(),
  paths: z.array(z.string()).optional(),
  encoding: z.string().optional(),
  max_bytes: positive.optional(),
  max_lines: positive.optional(),
});

const textEdit = z.strictObject({ start: offset, end: offset, newText: z.string() });
/** R-ENV-12: 0-based offsets in UTF-16 units of the text as it was, the end exclusive. */
export type TextEdit = z.infer<typeof textEdit>;

const editPayload = z.strictObject({
  path: z.string(),
  encoding: z.string().optional(),
  edits: z.array(textEdit),
});

const replacePayload = z.strictObject({
  files: z.array(z.string()),
  regex: z.string().optional(),
  raw: z.string().optional(),
  replacement: z.string(),
  flags: z.string().optional(),
});

/** The command of an envelope: exactly one tool (R-ENV-3), with its description and options. */
const command = z.strictObject({
  description: z.string().optional(),
  shell: z.string().optional(),
  run: z.string().optional(),
  cwd: z.string().optional(),
  timeout_sec: positive.optional(),
  filter_regex: z.string().optional(),
  tail_lines: positive.optional(),
  read: readPayload.optional(),
  edit: editPayload.optional(),
  replace: replacePayload.optional(),
  escape_string: z.strictObject({ text: z.string() }).optional(),
  unescape_string: z.strictObject({ text: z.string(), path: z.string() }).optional(),
});
export type EnvelopeCommand = z.infer<typeof command>;

/** The schema of an envelope; `commandProblems` and `decisionProblems` check the rest. */
export const envelope = z.strictObject({
  message: z.string(),
  plan: z
    .array(planStep)
    .max(3, translatable("has more than three steps at its top; make some substeps"))
    .optional(),
  command: command.optional(),
});
export type Envelope = z.infer<typeof envelope>;

/** The tools' parameters, as the loop parses them again when it carries a call out. */
export const payloads = {
  read: readPayload,
  edit: editPayload,
  replace: replacePayload,
} as const;

const commandKinds = [
  "shell",
  "browse",
  "read",
  "edit",
  "replace",
  "escape_string",
  "unescape_string",
] as const;
export type CommandKind = (typeof commandKinds)[number];

/** Returns the tools that a command names; a valid command names exactly one (R-ENV-3). */
export function kindsOf(command: EnvelopeCommand): CommandKind[] {
  const { shell, run, cwd } = command;
  return commandKinds.filter((kind) => {
    if (kind === "browse") return run !== undefined && isBrowse(run);
    if (kind !== "shell") return command[kind] !== undefined;
    return shell !== undefined && run !== undefined && cwd !== undefined && !isBrowse(run);
  });
}

/** R-ENV-10: The schema has no field for browsing, so the command line tells. */
function isBrowse(run: string): boolean {
  return /^\s*browse\s/.test(run);
}

/**
 * Returns the address that a browse command names; `undefined` unless it is one `http:` or `https:`
 * address.
 */
export function browsedAddress(run: string): string | undefined {
  return /^\s*browse\s+(https?:\/\/\S+)\s*$/i.exec(run)?.[1];
}
