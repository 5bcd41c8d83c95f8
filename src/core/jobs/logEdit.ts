import type { PlanItem } from "./planItem.js";
import type { TaskStatus } from "./taskStatus.js";
import type { Result, Role } from "./workLog.js";

/** A lifecycle's record. */
export interface NewEntry {
  readonly jobName: string;
  /** When the lifecycle began, as it is to stand there. */
  readonly time: string;
  readonly role: Role;
  /** A runner's names its task: `Task 1.2. Move the parser`. */
  readonly objective: string;
  readonly result: Result;
  /** May have several lines. */
  readonly summary: string;
}

/**
 * `planned_for`: the goal that the roadmap was made for, or found to serve, as a digest of its words.
 * `next_cycle`: when a periodic job begins anew, ISO 8601.
 */
export const logNotes = ["planned_for", "next_cycle"] as const;
export type LogNote = (typeof logNotes)[number];

/** Everything that is ever done to a log. Tasks and phases are named by their ids. */
export type LogEdit =
  | {
      readonly type: "setStatus";
      readonly task: string;
      readonly status: Exclude<TaskStatus, "Locked">;
    }
  | { readonly type: "lock"; readonly task: string; readonly runner: string }
  | { readonly type: "setTitle"; readonly title: string }
  /** What code keeps in the front matter beside the protocol's own keys. */
  | { readonly type: "note"; readonly key: LogNote; readonly value: string }
  /** To what the tasks say: nobody but code counts. */
  | { readonly type: "updateProgress" }
  | { readonly type: "addEntry"; readonly entry: NewEntry }
  /** To the end of a phase, or of the roadmap. */
  | { readonly type: "addItems"; readonly phase?: string; readonly items: readonly PlanItem[] }
  /** Takes an item out of the plan, and puts others, or none, in its place. */
  | { readonly type: "replaceItem"; readonly item: string; readonly items: readonly PlanItem[] };
