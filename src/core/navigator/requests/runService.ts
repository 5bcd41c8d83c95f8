import type { ConversationId } from "../../ids.js";
import type { Beginning, RequestedRun } from "../../work/requestedWork.js";
import type { Outcome } from "../tasks/outcome.js";

/** The service to which the Navigator hands runs, which produce documents in phases. */
export interface RunService {
  /**
   * Starts a new run; may resolve when it has only begun, but not before it is written down.
   *
   * @param conversation where the user wants it, and where it is shown
   * @param begun told what the run becomes, and ended when that is written down, if that is before `start` resolves
   */
  start(
    run: RequestedRun,
    signal: AbortSignal,
    conversation: ConversationId | undefined,
    begun: Beginning | undefined,
  ): Promise<Outcome>;
}
