import type { ReviewedChanges } from "../../conversation/input/reviewedChanges.js";
import type { VisibleChanges } from "../../experts/visibleChanges.js";
import { cutDiff } from "../../text/cutDiff.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { visibleLine } from "../../text/visibleText.js";

/** The most characters of a diff in a task's context, of which the first 40,000 are sent along. */
const maxDiff = 30_000;
/** The most changed files that are named. */
const mostNamed = 200;

/** Returns the goal of a task that reviews changes. */
export function reviewGoal(what: ReviewedChanges): string {
  switch (what.of) {
    case "workTree":
      return "Review what has changed since the last commit.";
    case "staged":
      return "Review what is staged.";
    case "branch":
      return `Review what has changed since this branch left ${what.base}.`;
  }
}

/** Returns the context of a task that reviews changes: what is asked of it, and the changes as data. */
export function reviewContext({ files, diff }: Pick<VisibleChanges, "files" | "diff">): string {
  const { text, cut } = cutDiff(diff, maxDiff);
  const named = files.slice(0, mostNamed).map((path) => visibleLine(path, 300));
  const more = files.length > named.length ? `\n(and ${files.length - named.length} more)` : "";
  const rest =
    cut.length === 0
      ? ""
      : " Parts of some files are left out: read these files, and ask git for their difference.";
  return [
    `Look for what is wrong with the changes: what does not work, breaks what worked, is unsafe, loses data, or is not tested though it should be. Read what surrounds them and what uses them before you judge. Report only what you are sure of and what the changes have caused; matters of taste are no findings.`,
    `Submit each finding in findings of attempt_completion, none if there is nothing wrong: the file and its lines as they are now, in the file and not in the diff; "error" for what must not stay, "warning" for what should be looked at, "information" for the rest. message of the report sums up in one to three sentences. Change nothing.`,
    `The changes, without files that are hidden or may hold secrets.${rest} Files that are not in the diff are new: read them.`,
    quoteUntrusted("changes", `All changed files:\n${named.join("\n")}${more}\n\n${text}`.trim()),
  ].join("\n\n");
}
