import type { TaskId } from "../ids.js";
import type { OddRow, TeamPlanStatus } from "../ports/teamQueue.js";
import type { SentPlan } from "./sentPlans.js";
import type { Asked } from "./teamAsk.js";

/** A plan that was sent from here and is not received yet. */
export interface OpenPlan {
  readonly plan: SentPlan;
  /** `undefined`: the team does not know it, or what it knows cannot be read. */
  readonly status: TeamPlanStatus | undefined;
  /** What cannot be read of it, if anything. */
  readonly odd?: readonly OddRow[];
}

export type TeamTaskStatus = TeamPlanStatus["progress"][number];

/** The end of a task's session, by the state of the task. */
export const sessionEnds = { done: "Done", failed: "Failed" } as const;

/** A question or an approval that a task of a sent plan waits for. */
export interface OpenAsk {
  readonly planId: string;
  readonly taskId: TaskId;
  readonly asked: Asked;
}

/** What a person says to what is asked: words to a question; to an approval whether it may be done, or why not. */
export type TeamReply = string | boolean | { readonly deniedBecause: string };

/** Access to a team: what a person does with the plans that they have sent. */
export interface TeamLink {
  /** Sends a plan; see `TeamPlans.send`. */
  send(
    given: string,
    how: { repository: string; remote: string; labels: readonly string[] },
  ): Promise<SentPlan>;
  /** Returns the sent plans that are not received yet, with how far they are. */
  open(): Promise<readonly OpenPlan[]>;
  /** Calls `heard` when a plan may have changed; see `TeamQueue.onChanged`. */
  onChanged(heard: (planId?: string) => void): () => void;
  /** Returns what a task asks; `undefined`: nothing, or nothing that the team key has signed. */
  asked(plan: SentPlan, task: TeamTaskStatus): Promise<Asked | undefined>;
  /** Answers what a task asks. Returns `false` if somebody else has answered before. */
  answer(ask: OpenAsk, said: TeamReply): Promise<boolean>;
  /** Brings what came of a plan into a worktree here. */
  receive(planId: string): Promise<void>;
  /** Pushes what came of a plan as a branch, and returns its name. */
  pushBranch(planId: string): Promise<string>;
  /** Removes what is left of plans that have landed or were discarded; see `TeamPlans.tidy`. */
  tidy(): Promise<void>;
  /** Ends the work on a plan. Returns `false` if it had ended already. */
  cancel(planId: string): Promise<boolean>;
}
