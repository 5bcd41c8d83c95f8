/** Kinds of repairs that are made in a reply when its meaning is certain. */
export const repairs = [
  /** A call that was written into the text. */
  "textCall",
  "toolName",
  /** Arguments that were not quite valid JSON, or did not quite fit the tool. */
  "arguments",
] as const;
export type Repair = (typeof repairs)[number];
