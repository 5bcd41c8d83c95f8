import type { Repair, InvalidReply } from "../../agent/events.js";
import type { ModelErrorCode } from "../../errors.js";
import { durationWords } from "../../text/durationWords.js";
import { translatable, type Translate } from "../../text/translator.js";

/** Problems with a model's reply. */
export interface ReplyTrouble {
  /** The attempt that gave, or will give, the reply, and why the one before failed. */
  readonly retry?: {
    readonly attempt: number;
    readonly attempts?: number | undefined;
    readonly code: ModelErrorCode;
    /** The milliseconds until then. Absent: in a moment. */
    readonly waitMs?: number | undefined;
  };
  readonly repairs?: readonly Repair[];
  /** The reason why the reply was rejected. */
  readonly rejected?: InvalidReply;
}

const repairWords: Readonly<Record<Repair, string>> = {
  textCall: translatable("a tool call written as text"),
  toolName: translatable("a tool's name"),
  arguments: translatable("a call's arguments"),
};

const rejectionReasons: Readonly<Record<InvalidReply, string>> = {
  empty: translatable("The reply was empty; the model was asked to correct it."),
  noCall: translatable("The reply called no tool; the model was asked to correct it."),
  brokenEnvelope: translatable(
    "The reply broke the envelope's rules; the model was asked to correct it.",
  ),
  length: translatable(
    "The reply was cut at the output limit; the model was told to write less at once.",
  ),
  filtered: translatable("The server's content filter ended the reply; the model was told so."),
  overflowed: translatable(
    "The reply filled the context window and was cut; the model was told so.",
  ),
};

/** Describes the problems in one line for a person; empty if there were none. */
export function replyRemark({ retry, repairs = [], rejected }: ReplyTrouble, t: Translate): string {
  const parts: string[] = [];
  if (retry) {
    const { attempt, attempts, code, waitMs } = retry;
    const why = t(reason(code));
    if (waitMs !== undefined) {
      const wait = durationWords(waitMs, t);
      parts.push(t("{0}; retrying in {1} (attempt {2}).", why, wait, attempt));
    } else
      parts.push(
        attempts === undefined
          ? t("{0}; retrying (attempt {1}).", why, attempt)
          : t("{0}; retrying (attempt {1} of {2}).", why, attempt, attempts),
      );
  }
  if (repairs.length > 0) {
    parts.push(
      t("Corrected in the reply: {0}.", repairs.map((one) => t(repairWords[one])).join(", ")),
    );
  }
  if (rejected) parts.push(t(rejectionReasons[rejected]));
  return parts.join(" ");
}

function reason(code: ModelErrorCode): string {
  if (code === "rateLimited") return translatable("The server is limiting requests");
  if (code === "unreachable") return translatable("The server did not answer");
  return code === "server"
    ? translatable("The server failed")
    : translatable("The reply was incomplete");
}
