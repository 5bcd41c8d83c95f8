import type { AgentEvent } from "../agent/events.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { FileSystem, Lock } from "../ports.js";

/** `Helper`: the executor of a single command, outside any run. */
export type Role = "Planner" | "Executor" | "Helper" | "Communicator";

/** An event of a run; `taskId` is the name of the session's folder in `.rooroo/tasks`. */
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
      /** `Stopped`: the session is resumed from there when the run is. */
      readonly end: "Done" | "Failed" | "Stopped";
      readonly message: string;
    }
  /** A message of the Communicator to the user, in Markdown. */
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly text: string };

/** The dependencies of runs. */
export interface RunWorld {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertWorld;
  tell(event: RunEvent): void;
}
