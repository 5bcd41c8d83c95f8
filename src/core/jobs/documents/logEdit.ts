import type { PlanItem } from "./planItem.js";
import type { TaskStatus } from "./taskStatus.js";
import type { Result, Role } from "./workLog.js";

/** A lifecycle's record. */
export interface NewEntry {
  readonly jobName: string;
  /** When the lifecycle began, as the entry has it. */
  readonly time: string;
  readonly role: Role;
  /** A runner's objective names its task: `Task 1.2. Move the parser`. */
  readonly objective: string;
  readonly result: Result;
  /** May have several lines. */
  readonly summary: string;
}

/**
 * `planned_for`: a digest of the goal that the roadmap was made for, or found to serve. `next_cycle`: when a
 * periodic job begins anew, ISO 8601.
 */
export const logNotes = ["planned_for", "next_cycle"] as const;
export type LogNote = (typeof logNotes)[number];

/** All possible edits of a log. Tasks and phases are named by their ids. */
export type LogEdit =
  | {
      readonly type: "setStatus";
      readonly task: string;
      readonly status: Exclude<TaskStatus, "Locked">;
    }
  | { readonly type: "lock"; readonly task: string; readonly runner: string }
  | { readonly type: "setTitle"; readonly title: string }
  /** Sets a note that code keeps in the front matter besides the protocol's own keys. */
  | { readonly type: "note"; readonly key: LogNote; readonly value: string }
  /** Sets the progress to what the tasks say: only code counts it. */
  | { readonly type: "updateProgress" }
  | { readonly type: "addEntry"; readonly entry: NewEntry }
  /** Adds items to the end of a phase, or of the roadmap. */
  | { readonly type: "addItems"; readonly phase?: string; readonly items: readonly PlanItem[] }
  /** Takes an item out of the plan, and puts others, or none, in its place. */
  | { readonly type: "replaceItem"; readonly item: string; readonly items: readonly PlanItem[] };
