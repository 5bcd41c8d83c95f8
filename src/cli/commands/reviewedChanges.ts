import {
  type ReviewedChanges,
  reviewedChangesSchema,
} from "../../core/conversation/input/reviewedChanges.js";
import { WrongUse } from "../arguments/wrongUse.js";

/** Returns the changes that the options of a review name. Throws {@link WrongUse} if the base can be no revision. */
export function reviewedChanges(isStaged: boolean, base: string | undefined): ReviewedChanges {
  if (base === undefined) return { of: isStaged ? "staged" : "workTree" };
  const parsed = reviewedChangesSchema.safeParse({ of: "branch", base });
  if (parsed.success) return parsed.data;
  throw new WrongUse(
    "notARevision",
    "{given} is not a branch or commit. Name one that git knows.",
    { given: base },
  );
}
