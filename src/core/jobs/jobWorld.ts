import type { EventPublisher } from "../conversation/eventPublisher.js";
import type { ExpertWorld } from "../experts/expertWorld.js";
import type { FileSystem, Lock } from "../ports.js";

/** The dependencies of jobs. */
export interface JobWorld {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly experts: ExpertWorld;
  /** Publishes the events of all jobs. */
  readonly publisher: EventPublisher;
}
