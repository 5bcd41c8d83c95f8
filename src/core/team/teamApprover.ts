import type { ApprovalDecision, ApprovalRequest, Approver } from "../approvals/approver.js";
import type { Signer } from "../ports/system.js";
import type { TeamClaim, TeamQueue } from "../ports/teamQueue.js";
import { approvalSubject, isAnswerSigned } from "./teamAsk.js";

/**
 * Answers with what a person has said from afar, once for each answer, and for exactly the action that they were shown.
 * Otherwise the task waits, and {@link waiting} is what it waits for.
 */
export class TeamApprover implements Approver {
  /** The request that nobody has answered yet. */
  waiting: { readonly request: ApprovalRequest; readonly subject: string } | undefined;

  constructor(
    private readonly claim: TeamClaim,
    private readonly queue: Pick<TeamQueue, "useAnswer">,
    private readonly signer: Signer,
    /** Returns the words of an answer; `undefined` if there are none. */
    private readonly wordsOf: (askId: string, commit: string) => Promise<string | undefined>,
  ) {}

  async request(request: ApprovalRequest): Promise<ApprovalDecision> {
    const subject = await approvalSubject(request);
    for (const ask of this.claim.answers) {
      const { answer } = ask;
      if (answer.kind !== "approval" || ask.subject !== subject) continue;
      if (!isAnswerSigned(ask, answer, this.signer)) continue;
      const { choice, commit } = answer;
      // Read first: an answer whose words cannot be had now stays for the next attempt.
      const reason = commit === undefined ? undefined : await this.wordsOf(ask.id, commit);
      // Used up before it counts: a process that ends in between has it asked again.
      if (!(await this.queue.useAnswer(this.claim, ask.id))) continue;
      return choice === "allow"
        ? { type: "allowed", scope: "once" }
        : { type: "denied", ...(reason === undefined ? {} : { reason }) };
    }
    this.waiting = { request, subject };
    return { type: "unavailable" };
  }
}
