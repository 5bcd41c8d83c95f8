import { foldedPath } from "../approvals/foldedPath.js";
import type { HiddenTest } from "../tools/hiddenFiles.js";

/**
 * Where a mode may write; paths are canonical. Workspace paths that are not below
 * `.rooroo/` are what `fits` is asked of.
 */
export type WriteScope =
  /** The project and the task's own folder, nothing else below `.rooroo/`. */
  | "project"
  /** As `project`, but for the files in `.jixo/`, which code keeps. */
  | "job"
  | "ownTaskFolder"
  | "plans"
  | "brainstorming"
  | {
      /** Whether this path may be written. Throws a {@link UserError} where that cannot be told. */
      fits(path: string): boolean;
      readonly description: string;
      /** These are places of the expert's own, as its task's folder is. */
      readonly isOwn?: true;
    };

/** What an expert is, before it is given a task. */
export interface Mode {
  readonly slug: string;
  /** For people, as in `Developer`. */
  readonly name: string;
  /** The part of the system prompt that is this mode's own. */
  readonly instructions: string;
  /** When a planner should give this mode a task; `undefined`: never. */
  readonly whenToUse?: string;
  /** Names of tools; `attempt_completion` is every mode's. */
  readonly tools: readonly string[];
  /** Tools that are not ours, as far as the person lets experts use them. */
  readonly hostTools?: true;
  readonly writes: WriteScope;
  /** What it may not read, whoever would allow it; all else is open to every mode. */
  readonly hides?: HiddenTest;
  /** What a reply without a tool call is: a question to the person, or a slip to be pointed out. */
  readonly plainText: "question" | "slip";
  /** `false`: it talks with the person, and ends with no report. */
  readonly reports?: false;
}

/** What code keeps about a task is not for experts to write, not even in their own folder. */
const keptByCode =
  /^\.rooroo\/tasks\/[^/]+\/(context\.md|transcript\.jsonl|(task|report|question|approval|plan-queued)\.json|changes(\/.*)?)$/i;

/** R-ROO-30. Throws a {@link UserError} where it cannot be told: that means no. */
export function mayWrite(scope: WriteScope, path: string, taskFolder: string): boolean {
  const name = foldedPath(path) ?? path.toLowerCase();
  const isProjectFile = !/^\.rooroo(\/|$)/.test(name);
  if (isProjectFile && scope === "project") return true;
  if (isProjectFile && scope === "job") return !/^\.jixo(\/|$)/.test(name);
  if (isProjectFile && typeof scope === "object") return scope.fits(path);
  return isOwn(scope, path, taskFolder);
}

/** True for the places that are this expert's own: below `.rooroo/`, or of a run. */
export function isOwn(scope: WriteScope, path: string, taskFolder: string): boolean {
  if (typeof scope === "object" && scope.isOwn === true && scope.fits(path)) return true;
  if (scope === "plans") {
    return /^\.rooroo\/(plans\/[^/]+\.md|tasks\/[^/]+\/context\.md)$/.test(path);
  }
  if (keptByCode.test(path)) return false;
  return scope === "brainstorming"
    ? /^\.rooroo\/brainstorming\/[^/]+\.md$/.test(path)
    : path.startsWith(`${taskFolder}/`);
}

/** The scope in words, for the model that went beyond it. */
export function describeScope(scope: WriteScope, taskFolder: string): string {
  switch (scope) {
    case "project":
      return `project files and ${taskFolder}/`;
    case "job":
      return `project files and ${taskFolder}/; what is in .jixo is written by code, from what you hand in`;
    case "ownTaskFolder":
      return `files below ${taskFolder}/`;
    case "plans":
      return ".rooroo/plans/*.md and .rooroo/tasks/*/context.md";
    case "brainstorming":
      return ".rooroo/brainstorming/*.md";
    default:
      return `${scope.description} and ${taskFolder}/`;
  }
}
