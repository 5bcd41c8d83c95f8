import type { AgentEvent } from "../agent/events.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { FileSystem, Lock } from "../ports.js";
import type { Result, Role } from "./documents/workLog.js";

/** An event of a running job; `job` is its name. */
export type JobEvent = { readonly job: string } & (
  | {
      readonly type: "began";
      readonly taskId: string;
      readonly role: Role;
      readonly objective: string;
    }
  | { readonly type: "agent"; readonly taskId: string; readonly event: AgentEvent }
  | {
      readonly type: "ended";
      readonly taskId: string;
      readonly role: Role;
      readonly result: Result;
      readonly summary: string;
      /** The number of changed files that can be reviewed. */
      readonly changedFiles: number;
    }
  /** A question in the job file, asked in this lifecycle or answered by the user. */
  | {
      readonly type: "asked";
      readonly taskId: string;
      readonly role: Role;
      readonly id: string;
      readonly text: string;
    }
  | { readonly type: "answered"; readonly id: string; readonly text: string }
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly text: string }
);

type WithoutJob<E> = E extends unknown ? Omit<E, "job"> : never;

/** Tells what happens in one job. */
export type Tell = (event: WithoutJob<JobEvent>) => void;

/** The dependencies of jobs. */
export interface JobWorld {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertWorld;
  tell(event: JobEvent): void;
}
