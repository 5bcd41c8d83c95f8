import * as z from "zod";
import { planStatuses, type PlanStep } from "./plan.js";

/** An integer as JSON Schema defines it: `1.0` is one, too. */
const whole = z.number().refine(Number.isInteger, "must be a whole number");
const positive = whole.min(1, "must be 1 or more");
const offset = whole.min(0, "must be 0 or more");

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
    .max(3, "has more than three steps at its top; make some substeps")
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
