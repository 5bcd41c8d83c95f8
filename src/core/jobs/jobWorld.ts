import type { AgentEvent } from "../agent/events.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { FileSystem, Lock } from "../ports.js";
import type { Result, Role } from "./workLog.js";

/** What is told of a job while it runs; `job` is its name. */
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
      /** That can be reviewed. */
      readonly changedFiles: number;
    }
  /** A question stands in the job file, and has an answer or has none yet. */
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

/** What jobs run over. */
export interface JobWorld {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertWorld;
  tell(event: JobEvent): void;
}
