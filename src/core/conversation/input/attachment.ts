import * as z from "zod/mini";
import { keptImagePattern } from "../../images/keptImagePath.js";
import { mostAttachments } from "./mostAttachments.js";

const path = z.string().check(z.minLength(1), z.maxLength(4_096));
/** 1-based. */
const line = z.int().check(z.positive());
const name = z.string().check(z.maxLength(500));
/** The most characters of an attached text, such as a selection. */
const text = z.string().check(z.maxLength(20_000));

/**
 * What a person attaches to a request. Except for the texts of a selection, a terminal and an input, which are as they were
 * when they were attached, it is read by code when the request is sent.
 */
export const attachmentSchema = z.discriminatedUnion("kind", [
  /** `from`, `to`: only these lines, both included. */
  z.object({ kind: z.literal("file"), path, from: z.optional(line), to: z.optional(line) }),
  z.object({ kind: z.literal("folder"), path }),
  z.object({ kind: z.literal("symbol"), name, path, from: line, to: line }),
  z.object({ kind: z.literal("selection"), path, from: line, to: line, text }),
  /** The problems of the workspace, of a file or below a folder, or of one line of a file. */
  z.object({ kind: z.literal("problems"), path: z.optional(path), line: z.optional(line) }),
  z.object({ kind: z.literal("terminal"), text }),
  /** What was piped into the command line. */
  z.object({ kind: z.literal("input"), text }),
  /** What has changed since the last commit. */
  z.object({ kind: z.literal("gitChanges") }),
  z.object({
    kind: z.literal("commit"),
    hash: z.string().check(z.regex(/^[0-9a-f]{4,64}$/)),
    /** The first line of its message. */
    subject: name,
  }),
  z.object({
    kind: z.literal("url"),
    url: z.string().check(z.maxLength(8_192), z.regex(/^https?:\/\/\S+$/i)),
  }),
  z.object({
    kind: z.literal("task"),
    taskId: z.string().check(z.minLength(1), z.maxLength(200)),
    goal: name,
  }),
  /** `path`: where the image is kept, as `KeptImages` returns it. */
  z.object({ kind: z.literal("image"), path: z.string().check(z.regex(keptImagePattern)), name }),
  /** Of an MCP server; `name`: a resource's address. `input`: the arguments of a prompt, as they were typed. */
  z.object({
    kind: z.enum(["resource", "prompt"]),
    server: name,
    name: path,
    input: z.optional(text),
  }),
]);
export type Attachment = z.infer<typeof attachmentSchema>;

/** The attachments of one request. */
export const attachmentsSchema = z.readonly(
  z.array(attachmentSchema).check(z.maxLength(mostAttachments)),
);

/** An attachment as the conversation shows it. */
export const shownAttachmentSchema = z.object({
  attachment: attachmentSchema,
  /** Why it is not read, as in `is hidden from experts by .rooignore`. Absent: it is. */
  problem: z.optional(z.string()),
});
export type ShownAttachment = z.infer<typeof shownAttachmentSchema>;
