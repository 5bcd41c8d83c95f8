import type { AgentEvent } from "../agent/events.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { FileSystem, Lock } from "../ports.js";

/** `Helper`: an executor of one command that is no run. */
export type Role = "Planner" | "Executor" | "Helper" | "Communicator";

/** What is told of a run while it goes on; `taskId` names the unit's folder in `.rooroo/tasks`. */
export type RunEvent =
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
      /** `Stopped`: it goes on from there when the run does. */
      readonly end: "Done" | "Failed" | "Stopped";
      readonly message: string;
    }
  /** By the one who speaks with the person; Markdown. */
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly text: string };

/** What runs go over. */
export interface RunWorld {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertWorld;
  tell(event: RunEvent): void;
}
