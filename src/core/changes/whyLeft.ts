/** Why a task's file is not restored. */
export type LeftAlone =
  "changed" | "later" | "mixed" | "unknown" | "unkept" | "outside" | "elsewhere" | "protected";

/**
 * Says, in words for people, why a file is not restored and what they can do.
 *
 * @param later the task that changed the file after this one
 */
export function whyLeft(path: string, why: LeftAlone, later?: string): string {
  switch (why) {
    case "changed":
      return `${path} was changed after the task. Take back what you want by hand, or in its review.`;
    case "later":
      return `${path} was changed by a later task, ${later ?? ""}. Undo that one first.`;
    case "mixed":
      return `${path} was changed by somebody else, too, while the task worked. Take back what you want in its review.`;
    case "unknown":
      return `A command that may have changed ${path} was cut off, so nobody can tell what is the task's. Take back what you want in its review.`;
    case "unkept":
      return `What ${path} was before was too big to keep.`;
    case "outside":
      return `${path} is outside the workspace.`;
    case "elsewhere":
      return `${path} is no file of its own any more, but a folder or a link.`;
    case "protected":
      return `${path} steers tools, editors or agents, and nobody allowed to write it.`;
  }
}
