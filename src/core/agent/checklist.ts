/** One step of what an expert means to do, as it last said. */
export interface ChecklistStep {
  /** As {@link plainStep} makes it. */
  readonly text: string;
  readonly state: "open" | "doing" | "done";
  /** How many steps it is a part of; absent: none. */
  readonly depth?: number | undefined;
}

/** A step's words without Markdown's signs, which a list of steps does not render. */
export function plainStep(words: string): string {
  return words.replace(/\*\*([^*]+)\*\*|`([^`]+)`/g, "$1$2");
}
