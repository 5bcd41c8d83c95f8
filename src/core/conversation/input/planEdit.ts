import * as z from "zod";

const taskId = z.string().min(1).max(200);
const goal = z.string().trim().min(1).max(200_000);
const mode = z.string().regex(/^[A-Za-z0-9-]{1,200}$/);

/** What a person can do with a plan, by the buttons of its card. Only tasks that have not begun can be changed. */
export const planEditSchema = z.discriminatedUnion("type", [
  /** Starts a plan that waits, or goes on with one that is paused or halted. */
  z.object({ type: z.literal("start") }),
  /** Stops the plan when the task that runs has ended. */
  z.object({ type: z.literal("pause") }),
  /** Removes all tasks that have not begun. */
  z.object({ type: z.literal("discard") }),
  /** `before`: the id of another task of the plan; `null`: to the plan's end. */
  z.object({ type: z.literal("move"), taskId, before: taskId.nullable() }),
  /** `was`: what the person saw when they began to edit; if the task is something else by now, it stays. */
  z.object({
    type: z.literal("change"),
    taskId,
    was: z.object({ mode: z.string(), goal: z.string() }),
    mode,
    goal,
  }),
  z.object({ type: z.literal("remove"), taskId }),
  /** Adds a task to the plan's end. */
  z.object({ type: z.literal("add"), mode, goal }),
]);
export type PlanEdit = z.infer<typeof planEditSchema>;
