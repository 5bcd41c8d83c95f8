import type { ConversationId } from "../../ids.js";
import type { Beginning, RequestedWork } from "../../work/requestedWork.js";
import type { Outcome } from "../tasks/outcome.js";

/**
 * Begins long work; may resolve when it has only begun, but not before it is written down. Throws a `UserError` when that
 * cannot be.
 *
 * @param conversation where the user wants it, and where it is shown
 * @param begun told what the work becomes, and ended when that is written down, if that is before this resolves
 */
type BeginWork<W extends RequestedWork> = (
  work: W,
  signal: AbortSignal,
  conversation: ConversationId | undefined,
  begun: Beginning | undefined,
) => Promise<Outcome>;

type Asked<Kind extends RequestedWork["kind"]> = Extract<RequestedWork, { kind: Kind }>;

/** The services to which the Navigator hands work that is too long for one session. Absent: there is none of that kind here. */
export interface WorkServices {
  readonly job?: {
    /** Creates a job's file and returns its path. Throws a `UserError` when there is such a job already. */
    create(job: { readonly name: string; readonly goal: string }): Promise<string>;
    readonly begin: BeginWork<Asked<"job">>;
  };
  readonly run?: { readonly begin: BeginWork<Asked<"run">> };
}
