import type { Repair } from "../agent/repair.js";
import type { ModelErrorCode } from "../errors.js";

/** What befell a model's reply. */
export interface ReplyTrouble {
  /** The attempt that gave the reply, or is to give it, and why it is not the first. */
  readonly again?: {
    readonly attempt: number;
    readonly attempts: number;
    readonly code: ModelErrorCode;
  };
  readonly repairs?: readonly Repair[];
}

const repairWords: Readonly<Record<Repair, string>> = {
  textCall: "a tool call written as text",
  toolName: "a tool's name",
  arguments: "a call's arguments",
};

/** All of it in one calm line for a person; empty when there was no trouble. */
export function replyRemark({ again, repairs = [] }: ReplyTrouble): string {
  const parts: string[] = [];
  if (again) {
    const { attempt, attempts, code } = again;
    parts.push(`${reason(code)}; asking again (${attempt} of ${attempts}).`);
  }
  if (repairs.length > 0) {
    parts.push(`Put right in the reply: ${repairs.map((one) => repairWords[one]).join(", ")}.`);
  }
  return parts.join(" ");
}

function reason(code: ModelErrorCode): string {
  if (code === "rateLimited") return "The server takes no more requests for now";
  if (code === "unreachable") return "The server did not answer";
  return code === "server" ? "The server failed" : "The answer broke off";
}
