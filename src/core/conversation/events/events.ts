import type * as z from "zod";
import type { eventSchema, nextStepSchema, proposalContentSchema } from "./eventSchema.js";

/** The same type, with all its fields and lists readonly. */
type Immutable<T> = T extends string
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

/** A button under a notice. */
export type NextStep = Immutable<z.infer<typeof nextStepSchema>>;
export type HostCommand = Extract<NextStep, { type: "command" }>["command"];

/** The proposal that the user is asked to confirm before a run begins its work. */
export type ProposalContent = Immutable<z.infer<typeof proposalContentSchema>>;

/**
 * An event of a task, a job or a run, for the panel, the lists, the status bar and the command line, which
 * receive events in order. The conversation's file stores all but the transient ones (`isPassing`). No event
 * is authoritative: the state of work is in its files.
 */
export type ConversationEvent = Immutable<z.infer<typeof eventSchema>>;

type EventOf<Type extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: Type }>;

/** The end of an agent session. */
export type TaskEnd = EventOf<"sessionEnded">["end"];
/** The user's answer to a proposal. */
export type ProposalAnswer = EventOf<"proposalAnswered">["answer"];
/** A place in a conversation to which files and conversation can be restored. */
export type Checkpoint = EventOf<"restored">["checkpoint"];
/** The extent of a restore. */
export type RestoreScope = EventOf<"restored">["scope"];

/** Returns whether a later reader does not need the event. */
export function isPassing(event: ConversationEvent): boolean {
  if (event.type === "tasksChanged" || event.type === "announced") return true;
  return (
    event.type === "agent" &&
    ["textDelta", "reasoningDelta", "toolOutput"].includes(event.event.type)
  );
}
