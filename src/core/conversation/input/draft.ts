import * as z from "zod/mini";
import { shownAttachmentSchema } from "./attachment.js";
import { mostAnswers } from "./mostAnswers.js";
import { mostAttachments } from "./mostAttachments.js";

const typed = z.object({
  text: z.string().check(z.maxLength(200_000)),
  attachments: z.readonly(z.array(shownAttachmentSchema).check(z.maxLength(mostAttachments))),
});

/** The text and attachments that a person has typed in a conversation and not sent. */
export const draftSchema = z.extend(typed, {
  /** Words about an approval, such as why it is denied. Absent: none. */
  words: z.optional(z.object({ approvalId: z.string(), text: z.string() })),
  /** Answers to questions and to proposals, each with the id of its item. Absent: none. */
  answers: z.optional(
    z.readonly(
      z
        .array(
          z.object({
            id: z.string().check(z.maxLength(200)),
            text: z.string().check(z.maxLength(200_000)),
          }),
        )
        .check(z.maxLength(mostAnswers)),
    ),
  ),
  /**
   * The message of the user that is edited, to be sent in place of what it was; `aside`: what was typed before, which
   * comes back then. Absent: this is a new one.
   */
  edits: z.optional(z.object({ id: z.string().check(z.maxLength(200)), aside: typed })),
});
export type Draft = z.infer<typeof draftSchema>;
