import type { Outcome } from "./outcome.js";

/** What the Navigator hands work on to that is too long for one sitting; how it is done is not its own. */
export interface JobDesk {
  /** Makes a job's file; answers with its path. Throws a `UserError` where there is such a job already. */
  create(job: { readonly name: string; readonly goal: string }): Promise<string>;
  /** Works on a job, or has begun to. Throws a `UserError` where there is none of that name. */
  run(name: string, signal: AbortSignal): Promise<Outcome>;
}
