import type { EventPublisher } from "../conversation/eventPublisher.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { FileSystem, Lock } from "../ports.js";

/** `Helper`: the executor of a single command, outside any run. */
export type Role = "Planner" | "Executor" | "Helper" | "Communicator";

/** The dependencies of runs. */
export interface RunWorld {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertWorld;
  readonly publisher: EventPublisher;
  /** Shows a message of the Communicator to the user, in Markdown. */
  say(text: string): void;
}
