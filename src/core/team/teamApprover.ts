import type { ApprovalDecision, ApprovalRequest, Approver } from "../approvals/approver.js";
import type { StandingAsk } from "./standingAsk.js";
import { approvalSubject } from "./teamAsk.js";

/**
 * Answers with what a person has said from afar to what the attempt's commit asks, once, and for exactly the action that they
 * were shown. Otherwise the task waits, and {@link waiting} is what it waits for.
 */
export class TeamApprover implements Approver {
  /** The request that nobody has answered yet. */
  waiting:
    | {
        readonly request: ApprovalRequest;
        readonly subject: string;
        /** What people have allowed of the same call. */
        readonly allowed: readonly string[];
      }
    | undefined;
  /** What was allowed in this attempt, by the call. */
  readonly #allowed = new Map<string, string[]>();

  constructor(
    private readonly ask: StandingAsk,
    /** Returns the words of an answer; `undefined` if there are none. */
    private readonly wordsOf: (commit: string) => Promise<string | undefined>,
  ) {}

  async request(request: ApprovalRequest): Promise<ApprovalDecision> {
    const { callId } = request;
    const subject = await approvalSubject(request);
    const allowed = this.#allowed.get(callId) ?? [];
    const answer = this.ask.answerTo("approval", subject);
    if (answer !== undefined) {
      const { choice, commit } = answer;
      // Read first: an answer whose words cannot be had now stays for the next attempt.
      const reason = commit === undefined ? undefined : await this.wordsOf(commit);
      // Closed before it counts: a process that ends in between has it asked again.
      if (await this.ask.use(subject, callId)) {
        if (choice === "deny") {
          return { type: "denied", ...(reason === undefined ? {} : { reason }) };
        }
        this.#allowed.set(callId, [...allowed, subject]);
        return { type: "allowed", scope: "once" };
      }
    }
    this.waiting = { request, subject, allowed };
    return { type: "unavailable" };
  }
}
