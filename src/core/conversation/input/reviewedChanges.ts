import * as z from "zod";
import { revisionPattern } from "../../ports/git.js";

/** The changes that a person has reviewed; a `Comparison` of git. */
export const reviewedChangesSchema = z.discriminatedUnion("of", [
  z.object({ of: z.literal("workTree") }),
  z.object({ of: z.literal("staged") }),
  z.object({ of: z.literal("branch"), base: z.string().regex(revisionPattern) }),
]);
export type ReviewedChanges = z.infer<typeof reviewedChangesSchema>;
