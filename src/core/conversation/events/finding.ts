import * as z from "zod";

export const findingSeverities = ["error", "warning", "information"] as const;

/** A finding of a review, as it is kept and shown. */
export const findingSchema = z.object({
  /** Relative to the workspace. */
  path: z.string(),
  /** 1-based; `null`: it is about no line, or its file cannot be shown. */
  line: z.int().positive().nullable(),
  /** 1-based, the last of its lines. */
  endLine: z.int().positive().nullable(),
  severity: z.enum(findingSeverities),
  message: z.string(),
  suggestion: z.string().nullable(),
});
export type Finding = z.infer<typeof findingSchema>;
