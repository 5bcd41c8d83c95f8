import type { AgentEvent } from "../agent/events.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { FileSystem, Lock } from "../ports.js";
import type { Result, Role } from "./workLog.js";

/** What is told of a job while it runs. */
export type JobEvent =
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
    }
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly text: string };

/** What jobs run over. */
export interface JobWorld {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertWorld;
  tell(event: JobEvent): void;
}
