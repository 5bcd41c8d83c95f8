/** What was put right in a reply, because its meaning was certain. */
export const repairs = [
  /** A call that was written into the text. */
  "textCall",
  "toolName",
  /** Arguments that were not quite JSON, or not quite the tool's. */
  "arguments",
] as const;
export type Repair = (typeof repairs)[number];
