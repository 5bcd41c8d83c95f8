import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../../core/approvals/approver.js";
import { allSpoken } from "../../core/text/allSpoken.js";
import { visibleLine } from "../../core/text/visibleText.js";
import type { Spoken } from "../../core/text/words.js";
import { t } from "../language/language.js";
import { actionContent, actionKind, actionLocations } from "./toolCalls.js";

/** An option as the client shows it, and what choosing it means. */
interface Choice extends PermissionOption {
  readonly decision: ApprovalDecision;
}

/** Has the client's user decide on approval requests. What is no clear choice leaves the task waiting. */
export class ClientApprover implements Approver {
  /**
   * @param root the workspace folder's absolute path
   * @param ask asks the client; `signal` withdraws the question
   */
  constructor(
    private readonly root: string,
    private readonly ask: (
      request: Omit<RequestPermissionRequest, "sessionId">,
      signal: AbortSignal,
    ) => Promise<RequestPermissionResponse>,
  ) {}

  async request(asked: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    signal.throwIfAborted();
    const request = allSpoken(asked, t);
    const { action, why, callId } = request;
    const choices = choicesOf(request);
    const toolCall = {
      toolCallId: callId,
      title: visibleLine(action.title, 300),
      kind: actionKind(action),
      status: "pending",
      content: actionContent(action, why, this.root),
      locations: actionLocations(action, this.root),
    } as const;
    const options = choices.map(({ optionId, name, kind }) => ({ optionId, name, kind }));
    let answer: RequestPermissionResponse | undefined;
    try {
      answer = await this.ask({ toolCall, options }, signal);
    } catch {
      // The client has gone, or cannot ask.
    }
    signal.throwIfAborted();
    const outcome = answer?.outcome;
    const chosen = outcome?.outcome === "selected" ? outcome.optionId : undefined;
    const choice = choices.find(({ optionId }) => optionId === chosen);
    return choice?.decision ?? { type: "unavailable" };
  }
}

/** Returns what can be decided: once; the rest of the task, before for good; and not. */
function choicesOf({ action, options }: Spoken<ApprovalRequest>): Choice[] {
  const beyond = (scope: "task" | "always", begin: string) =>
    options.map((words, option): Choice => {
      return {
        optionId: `${scope}-${option}`,
        name: `${begin}: ${visibleLine(words, 200)}`,
        kind: "allow_always",
        decision: { type: "allowed", scope, option },
      };
    });
  const isSpend = action.access === "spend";
  return [
    {
      optionId: "once",
      name: isSpend ? t("Go on") : t("Allow once"),
      kind: "allow_once",
      decision: { type: "allowed", scope: "once" },
    },
    ...beyond("task", t("Allow in this task")),
    ...beyond("always", t("Always allow")),
    {
      optionId: "deny",
      name: isSpend ? t("Stop") : t("Deny"),
      kind: "reject_once",
      decision: { type: "denied" },
    },
  ];
}
