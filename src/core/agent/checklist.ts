/** A step of an expert's list of steps, as the expert last wrote it. */
export interface ChecklistStep {
  /** The step's text without Markdown, as {@link plainStep} returns it. */
  readonly text: string;
  readonly state: "open" | "doing" | "done";
  /** Number of steps that contain this step. Absent: 0. */
  readonly depth?: number | undefined;
}

/** Removes Markdown's bold and code marks from a step, which a list of steps does not render. */
export function plainStep(words: string): string {
  return words.replace(/\*\*([^*]+)\*\*|`([^`]+)`/g, "$1$2");
}
