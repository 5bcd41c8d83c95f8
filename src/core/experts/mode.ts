import { foldedPath } from "../access/foldedPath.js";
import type { IgnoreTest } from "../access/ignoredFiles.js";

/**
 * The places where a mode may write. Paths are canonical; `fits` is called with workspace paths that are
 * not below `.rooroo/`.
 */
export type WriteScope =
  /** The project and the task's own folder, nothing else below `.rooroo/`. */
  | "project"
  /** The same as `project`, except the files in `.jixo/`, which only code writes. */
  | "job"
  | "ownTaskFolder"
  | "plans"
  | "brainstorming"
  | {
      /**
       * Returns whether this path may be written. Throws a {@link UserError} when that cannot be
       * determined.
       */
      fits(path: string): boolean;
      readonly description: string;
      /** Whether the paths count as the expert's own place, like its task's folder. */
      readonly isOwn?: true;
    };

/** The definition of an expert, without a task. */
export interface Mode {
  readonly slug: string;
  /** The display name, as in `Developer`. */
  readonly name: string;
  /** The part of the system prompt that is this mode's own. */
  readonly instructions: string;
  /** The cases in which a planner should give this mode a task; `undefined`: never. */
  readonly whenToUse?: string;
  /** Names of the mode's tools; every mode also has `attempt_completion`. */
  readonly tools: readonly string[];
  /** The mode also has the host's tools, as far as the user lets experts use them. */
  readonly hostTools?: true;
  readonly writes: WriteScope;
  /** The paths that the mode may not read, even with approval. Absent: every path is open to it. */
  readonly ignores?: IgnoreTest;
  /**
   * The meaning of a reply without a tool call: a question to the user, or an invalid reply.
   */
  readonly onPlainText: "question" | "invalid";
  /** `false`: the mode talks with the user and ends without a report. */
  readonly reports?: false;
}

const keptByCode =
  /^\.rooroo\/tasks\/[^/]+\/(context\.md|transcript\.jsonl|(task|report|question|approval|plan-queued|undone|compact|asked|message-[^/]*)\.json|changes(\/.*)?)$/i;

/** Returns whether code keeps the file about a task. Experts may not write it, not even in their own folder. */
export function isKeptByCode(path: string): boolean {
  return keptByCode.test(path);
}

/**
 * R-ROO-30: Returns whether the mode may write the path. Throws a {@link UserError} when that cannot be
 * determined, which means no.
 */
export function mayWrite(scope: WriteScope, path: string, taskFolder: string): boolean {
  const name = foldedPath(path) ?? path.toLowerCase();
  const isProjectFile = !/^\.rooroo(\/|$)/.test(name);
  if (isProjectFile && scope === "project") return true;
  if (isProjectFile && scope === "job") return !/^\.jixo(\/|$)/.test(name);
  if (isProjectFile && typeof scope === "object") return scope.fits(path);
  return isOwn(scope, path, taskFolder);
}

/** Returns whether the path is a place of the expert's own: below `.rooroo/`, or in a run. */
export function isOwn(scope: WriteScope, path: string, taskFolder: string): boolean {
  if (typeof scope === "object" && scope.isOwn === true && scope.fits(path)) return true;
  if (scope === "plans") {
    return /^\.rooroo\/(plans\/[^/]+\.md|tasks\/[^/]+\/context\.md)$/.test(path);
  }
  if (isKeptByCode(path)) return false;
  return scope === "brainstorming"
    ? /^\.rooroo\/brainstorming\/[^/]+\.md$/.test(path)
    : path.startsWith(`${taskFolder}/`);
}

/**
 * Returns the id of the other task whose artefact a path is; `undefined` if it is none, or code keeps it.
 *
 * @param path canonical
 */
export function otherTaskOf(path: string, taskFolder: string): string | undefined {
  const [, id] = /^\.rooroo\/tasks\/([^/]+)\/./.exec(path) ?? [];
  return path.startsWith(`${taskFolder}/`) || isKeptByCode(path) ? undefined : id;
}

/** Returns the scope in words, for a model that tried to write beyond it. */
export function describeScope(scope: WriteScope, taskFolder: string): string {
  switch (scope) {
    case "project":
      return `project files and ${taskFolder}/`;
    case "job":
      return `project files and ${taskFolder}/; what is in .jixo is written by code, from what you submit`;
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

/** Returns whether a slug is of what is no expert: the Navigator, or an agent of jobs, runs and plain sessions. */
export function isNoExpert(slug: string): boolean {
  return /^rooroo-(navigator|agent|job-.*|run-.*)$/.test(slug);
}
