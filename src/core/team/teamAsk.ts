import * as z from "zod";
import type { ApprovalRequest } from "../approvals/approver.js";
import { parseJson } from "../documents/parseJson.js";
import type { TaskId } from "../ids.js";
import type { Signer } from "../ports/system.js";
import type { TeamAnswer, TeamAsk, TeamClaim } from "../ports/teamQueue.js";
import { isSigned, signJson } from "../provenance/signedJson.js";
import { allSpoken } from "../text/allSpoken.js";
import { sha256 } from "../text/sha256.js";
import { type Drafted, type Said, spoken, words } from "../text/words.js";
import { wordsSchema } from "../text/wordsSchema.js";

const askedFile = z.object({
  schema: z.literal(1),
  id: z.string(),
  kind: z.enum(["question", "approval"]),
  subject: z.string(),
  /** The question, or the title of the action. */
  title: z.string(),
  /** The whole action, with nothing left out. */
  preview: z.string().optional(),
  /** The kind of action and of its preview. Absent: a question, or an earlier version asks. */
  action: z
    .object({
      access: z.enum(["read", "write", "command", "web", "tool", "spend"]),
      kind: z.enum(["diff", "command", "address", "text"]),
    })
    .optional(),
  /** The reason for asking. */
  why: z.string().optional(),
  suggestions: z.array(z.string()).optional(),
  /**
   * Of a call that does several things: the subjects of those that people have allowed before it came to this one. They count
   * once more with the answer to this one, for the same call.
   */
  allowed: z.array(z.string()).optional(),
  /** The words of these texts, by name. Absent: an earlier version asks, or they are no words of ours. */
  said: z.record(z.string(), wordsSchema).optional().catch(undefined),
});
/** What a person far from the worker is shown. */
export type Asked = Omit<z.infer<typeof askedFile>, "schema">;

/**
 * Returns a text of what is asked so that it can be said in the reader's language. A text stays as it is where its words do
 * not come to just that text in English: what is approved is what is shown.
 */
export function saidIn(asked: Asked, name: "title" | "preview" | "why"): Said {
  const text = asked[name] ?? "";
  const said = asked.said?.[name];
  return said !== undefined && spoken(said) === text ? said : text;
}

/** Returns the path of the file with what a task asks. */
export function askedPath(taskId: TaskId): string {
  return `.rooroo/tasks/${taskId}/asked.json`;
}

export function formatAsked(asked: Asked, taskId: TaskId, signer: Signer): string {
  const text = `${JSON.stringify({ schema: 1, ...asked }, undefined, 2)}\n`;
  return signJson(text, askedPath(taskId), signer);
}

/** Returns what a task asks; `undefined` if the team key has not signed it. */
export function readAsked(text: string, taskId: TaskId, signer: Signer): Asked | undefined {
  if (!isSigned(text, askedPath(taskId), signer)) return undefined;
  const json = parseJson(text);
  const parsed = askedFile.safeParse(json.ok ? json.value : undefined);
  return parsed.success ? parsed.data : undefined;
}

/**
 * Returns a hash of what would happen, as it is shown, so that an approval counts for nothing else. What a machine has
 * found out about the action beside that differs between machines, and is not part of it.
 */
export function approvalSubject(request: ApprovalRequest): Promise<string> {
  const { action, taskId } = allSpoken(request);
  const { access, title, preview } = action;
  const place = "path" in action ? [action.path, action.inside] : [];
  const command =
    access === "command"
      ? [action.command, action.outside === true, action.background === true]
      : [];
  const other =
    access === "web" ? [action.address] : access === "tool" ? [action.tool, action.bound] : [];
  const shown = [taskId, access, title, preview.kind, preview.text, place, command, other];
  return sha256(new TextEncoder().encode(JSON.stringify(shown)));
}

/** What a report says of a task that a person gives up. */
export const givenUp =
  "Attempts of this task have ended without a result at the same step, one after the other, and a person has given it up.";

/** The subject of each {@link retryAsk}: its answer counts by the ask's id alone, for the task that asks. */
export const retrySubject = "retry";

/** Returns what a person is asked about a task whose attempts end without a result, one after the other, at the same call. */
export function retryAsk(id: string, { deaths }: Pick<TeamClaim, "deaths">): Drafted<Asked> {
  const title = words(
    "Try again after {deaths, plural, one {# attempt} other {# attempts}} without a result",
    { deaths },
  );
  const text = words(
    "{deaths, plural, one {# attempt has} other {# attempts have}} ended at the same step, as when a machine goes down or is short of memory. If you allow it, the task goes on from its last commit. If not, it ends as failed.",
    { deaths },
  );
  return {
    id,
    kind: "approval",
    subject: retrySubject,
    title,
    preview: text,
    action: { access: "spend", kind: "text" },
    why: words("The workers cannot tell whether the task or a machine is at fault."),
  };
}

type Unsigned<A> = A extends unknown ? Omit<A, "signature"> : never;

/** Returns the signature of a person's answer to this very question. */
export function signAnswer(ask: TeamAsk, answer: Unsigned<TeamAnswer>, signer: Signer): string {
  const { commit } = answer;
  const parts = answer.kind === "approval" ? [answer.choice, commit] : [commit];
  const said = parts.filter((part) => part !== undefined).join("\n");
  return signer.sign(`answer\n${ask.kind}\n${ask.id}\n${ask.subject}`, said);
}

/** Returns whether the team key has signed the answer to this very question. */
export function isAnswerSigned(ask: TeamAsk, answer: TeamAnswer, signer: Signer): boolean {
  return answer.kind === ask.kind && signAnswer(ask, answer, signer) === answer.signature;
}
