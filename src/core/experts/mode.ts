/** Where a mode may write; paths are canonical. Reading is open to every mode. */
export type WriteScope =
  /** The project and the task's own folder, nothing else below `.rooroo/`. */
  "project" | "ownTaskFolder" | "plans" | "brainstorming";

/** What an expert is, before it is given a task. */
export interface Mode {
  readonly slug: string;
  /** For people, as in `Developer`. */
  readonly name: string;
  /** The part of the system prompt that is this mode's own. */
  readonly instructions: string;
  /** Names of tools; `attempt_completion` is every mode's. */
  readonly tools: readonly string[];
  readonly writes: WriteScope;
  /** See `Agent.plainText`. */
  readonly plainText: "question" | "slip";
}

/** R-ROO-30. */
export function mayWrite(scope: WriteScope, path: string, taskFolder: string): boolean {
  switch (scope) {
    case "project":
      return !path.toLowerCase().startsWith(".rooroo/") || path.startsWith(`${taskFolder}/`);
    case "ownTaskFolder":
      return path.startsWith(`${taskFolder}/`);
    case "plans":
      return /^\.rooroo\/(plans\/[^/]+\.md|tasks\/[^/]+\/context\.md)$/.test(path);
    case "brainstorming":
      return /^\.rooroo\/brainstorming\/[^/]+\.md$/.test(path);
  }
}

/** The scope in words, for the model that went beyond it. */
export function describeScope(scope: WriteScope, taskFolder: string): string {
  switch (scope) {
    case "project":
      return `project files and ${taskFolder}/`;
    case "ownTaskFolder":
      return `files below ${taskFolder}/`;
    case "plans":
      return ".rooroo/plans/*.md and .rooroo/tasks/*/context.md";
    case "brainstorming":
      return ".rooroo/brainstorming/*.md";
  }
}
