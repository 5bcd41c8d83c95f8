import type { EventPublisher } from "../../conversation/events/eventPublisher.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";

/** `Helper`: the executor of a single command, outside any run. */
export type Role = "Planner" | "Executor" | "Helper" | "Communicator";

/** The slugs of the modes in which the agents of runs work. */
export const runModes: Readonly<Record<Role, string>> = {
  Planner: "rooroo-run-planner",
  Executor: "rooroo-run-executor",
  Helper: "rooroo-run-helper",
  Communicator: "rooroo-run-communicator",
};

/** The dependencies of runs. */
export interface RunServices {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertServices;
  readonly publisher: EventPublisher;
  /** Shows a message of the Communicator to the user, in Markdown. */
  say(text: string): void;
}
