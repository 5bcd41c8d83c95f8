import type { Repair, InvalidReply } from "../agent/events.js";
import type { ModelErrorCode } from "../errors.js";

/** Problems with a model's reply. */
export interface ReplyTrouble {
  /** The attempt that gave, or will give, the reply, and why the one before failed. */
  readonly retry?: {
    readonly attempt: number;
    readonly attempts?: number | undefined;
    readonly code: ModelErrorCode;
  };
  readonly repairs?: readonly Repair[];
  /** The reason why the reply was rejected. */
  readonly rejected?: InvalidReply;
}

const repairWords: Readonly<Record<Repair, string>> = {
  textCall: "a tool call written as text",
  toolName: "a tool's name",
  arguments: "a call's arguments",
};

const rejectionReasons: Readonly<Record<InvalidReply, string>> = {
  empty: "The reply was empty",
  noCall: "The reply called no tool",
  brokenEnvelope: "The reply broke the envelope's rules",
};

/** Describes the problems in one line for a person; empty if there were none. */
export function replyRemark({ retry, repairs = [], rejected }: ReplyTrouble): string {
  const parts: string[] = [];
  if (retry) {
    const { attempt, attempts, code } = retry;
    const most = attempts === undefined ? "" : ` of ${attempts}`;
    parts.push(`${reason(code)}; retrying (attempt ${attempt}${most}).`);
  }
  if (repairs.length > 0) {
    parts.push(`Corrected in the reply: ${repairs.map((one) => repairWords[one]).join(", ")}.`);
  }
  if (rejected) parts.push(`${rejectionReasons[rejected]}; the model was asked to correct it.`);
  return parts.join(" ");
}

function reason(code: ModelErrorCode): string {
  if (code === "rateLimited") return "The server is limiting requests";
  if (code === "unreachable") return "The server did not answer";
  return code === "server" ? "The server failed" : "The reply was incomplete";
}
