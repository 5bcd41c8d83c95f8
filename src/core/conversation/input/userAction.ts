import * as z from "zod";
import { attachmentsSchema } from "./attachment.js";
import { reviewedChangesSchema } from "./reviewedChanges.js";

/** The most characters of a goal or a request, as in the panel's input. */
const text = z.string().min(1).max(200_000);
const id = z.string().min(1).max(200);
/** What the person attached to the request. Absent: nothing. */
const attachments = z.optional(attachmentsSchema);
/** Whether the work is done in a worktree. Absent: the settings say. */
const isolated = z.optional(z.boolean());
const slug = z.string().regex(/^[A-Za-z0-9-]{1,200}$/);

/**
 * Everything that a person can tell the Navigator to do, whether by a button, a command or typed input. It
 * is parsed where it enters: from the panel's page, from the conversation's file, and from typed text by
 * `parseInput`.
 */
export const userActionSchema = z.discriminatedUnion("action", [
  /**
   * What a person says in their own words: a request, or about what waits for them. Triage decides which, unless the
   * person has chosen an expert by its slug. `isNew`: it is about nothing that waits.
   */
  z.object({
    action: z.literal("request"),
    text,
    attachments,
    isolated,
    expert: slug.optional(),
    isNew: z.literal(true).optional(),
  }),
  /** Answers a question. `about`: the id of the task that asks, or of the question of a job or run. */
  z.object({ action: z.literal("answer"), about: id, text, attachments }),
  /**
   * Works off the queue. `one`: only its first task; `done`: what becomes of tasks that seem to be done already, absent:
   * the person is asked.
   */
  z.object({
    action: z.literal("proceed"),
    one: z.boolean(),
    done: z.enum(["again", "drop"]).optional(),
  }),
  /** Resumes a task that was interrupted or failed. */
  z.object({ action: z.literal("resume"), taskId: id }),
  /** Adopts what this installation did not write. `null`: all of it. */
  z.object({ action: z.literal("adopt"), taskId: id.nullable() }),
  /** `from`: the id of an earlier task whose request this goes on with, and of whose end the planner is told. */
  z.object({
    action: z.literal("plan"),
    goal: text,
    from: id.optional(),
    /** The plan is made, and waits until the user starts it. Absent: the settings decide. */
    waits: z.literal(true).optional(),
    attachments,
    isolated,
  }),
  z.object({ action: z.literal("brainstorm"), goal: text, attachments, isolated }),
  /**
   * Compacts what the experts at work have in their context windows, before their next steps; without any, that of the
   * task that can be resumed. `keep`: what the summary must keep.
   */
  z.object({ action: z.literal("compact"), keep: text.optional() }),
  /** Ends a brainstorm; answering its question resumes it. */
  z.object({ action: z.literal("leaveBrainstorm") }),
  /** Has the analyzer review changes that are not committed, or those of the branch. */
  z.object({ action: z.literal("review"), changes: reviewedChangesSchema }),
  /** Has one expert do a task at once. `expert`: its slug; `from`: as for `plan`. */
  z.object({
    action: z.literal("doTask"),
    expert: slug,
    goal: text,
    from: id.optional(),
    attachments,
    isolated,
  }),
  /** Puts a task for the developer at the head of the queue, and works off the queue. */
  z.object({ action: z.literal("queueTask"), goal: text, attachments, isolated }),
  z.object({ action: z.literal("createJob"), name: id, goal: text, attachments }),
  z.object({ action: z.literal("runJob"), name: id }),
  /** Starts a run: document work in phases. */
  z.object({ action: z.literal("startRun"), request: text, attachments }),
]);
export type UserAction = z.infer<typeof userActionSchema>;
