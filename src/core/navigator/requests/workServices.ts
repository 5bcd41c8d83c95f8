import type { ConversationId, LongWork } from "../../ids.js";
import type { Beginning, RequestedWork } from "../../work/requestedWork.js";
import type { Work, WorkAnswer } from "../../work/work.js";
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
  /** What long work asks a person. Absent: nothing is read of it here. */
  readonly asked?: AskedByWork;
}

interface AskedByWork {
  /**
   * Returns the long work that waits for a person.
   *
   * @param conversation what belongs to another conversation is left out
   */
  list(conversation: ConversationId | undefined): Promise<readonly Work[]>;
  /**
   * Answers what is asked; may resolve when the work has only gone on. Throws a `UserError` if it is not asked any more.
   *
   * @param id the question's or the proposal's
   * @param begun ended when the answer is written down, if that is before this resolves
   */
  answer(
    work: LongWork,
    id: string,
    answer: WorkAnswer,
    signal: AbortSignal,
    begun: Beginning | undefined,
  ): Promise<Outcome>;
}
