import * as z from "zod";
import { shownAttachmentSchema } from "./attachment.js";
import { mostAttachments } from "./mostAttachments.js";

const typed = z.object({
  text: z.string().max(200_000),
  attachments: z.array(shownAttachmentSchema).max(mostAttachments).readonly(),
});

/** The text and attachments that a person has typed in a conversation and not sent. */
export const draftSchema = typed.extend({
  /** Words about an approval, such as why it is denied. Absent: none. */
  words: z.object({ approvalId: z.string(), text: z.string() }).optional(),
  /**
   * The message of the user that is edited, to be sent in place of what it was; `aside`: what was typed before, which
   * comes back then. Absent: this is a new one.
   */
  edits: z.object({ id: z.string().max(200), aside: typed }).optional(),
});
export type Draft = z.infer<typeof draftSchema>;
