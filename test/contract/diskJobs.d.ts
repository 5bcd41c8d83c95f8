import type { ConversationEvent } from "../../src/core/conversation/events.js";
import type { JobServices } from "../../src/core/jobs/work/jobServices.js";
import type { Clock } from "../../src/core/ports/system.js";
import type { LanguageModel } from "../../src/core/ports/model.js";
interface DiskJobsOptions {
  readonly model: LanguageModel;
  readonly clock: Clock;
  readonly onEvent?: (event: ConversationEvent) => void;
}
/** What jobs work with on a real disk, with real locks, processes and git; the model and the clock are the caller's. */
export declare function diskJobs(
  root: string,
  { model, clock, onEvent }: DiskJobsOptions,
): JobServices;
export {};
