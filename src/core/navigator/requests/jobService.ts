import type { ConversationId } from "../../ids.js";
import type { Beginning, RequestedJob } from "../../work/requestedWork.js";
import type { Outcome } from "../tasks/outcome.js";

/** The service to which the Navigator hands jobs: work that is too long for one session. */
export interface JobService {
  /**
   * Creates a job's file and returns its path. Throws a `UserError` when there is such a job already.
   */
  create(job: { readonly name: string; readonly goal: string }): Promise<string>;
  /**
   * Runs a job; may resolve when it has only begun. Throws a `UserError` when there is no job of that
   * name.
   *
   * @param conversation where the user wants it, and where it is shown
   * @param begun ended when the job's own records show that it runs, if that is before `run` resolves
   */
  run(
    job: RequestedJob,
    signal: AbortSignal,
    conversation: ConversationId | undefined,
    begun: Beginning | undefined,
  ): Promise<Outcome>;
}
