import type { ActivityLog } from "../../activity/activityLog.js";
import type { EventPublisher } from "../../conversation/events/eventPublisher.js";
import type { Report } from "../../experts/report.js";
import type { TaskId } from "../../ids.js";

/** Something that the Navigator announces, in the words that the protocol fixes for it (R-ROO-4). */
interface Announcement {
  readonly code: string;
  readonly text: string;
  /** The task that it is about. Absent: it is about none. */
  readonly taskId?: TaskId;
}

interface AnnouncePorts {
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
}

/** A task that an announcement names, with the slug of its expert. */
interface Named {
  readonly taskId: TaskId;
  readonly expert: string;
}

/**
 * The announcements. The texts are for programs, so they are never translated: people are told the same by notices, cards
 * and lists, as the protocol's page says for each.
 */
export const announcements = {
  brainstormBegins: (): Announcement => ({
    code: "brainstorm_begins",
    text: "Switching to rooroo-idea-sparker...",
  }),
  queueProceeds: (): Announcement => ({
    code: "queue_proceeds",
    text: "Proceeding to process next task from queue...",
  }),
  queueEmpty: (): Announcement => ({ code: "queue_empty", text: "Task queue is empty." }),
  planRequested: (taskId: TaskId): Announcement => ({
    code: "plan_requested",
    text: `Request requires planning. ID: \`${taskId}\`. Consulting \`rooroo-planner\`...`,
    taskId,
  }),
  planAdded: (taskId: TaskId, tasks: number): Announcement => ({
    code: "plan_added",
    text: `Adding ${tasks} planned tasks to queue...`,
    taskId,
  }),
  plannerAdvises: (taskId: TaskId, message: string): Announcement => ({
    code: "planner_advises",
    text: `Planner advises: ${message}`,
    taskId,
  }),
  plannerUnclear: (taskId: TaskId, question: string): Announcement => ({
    code: "planner_unclear",
    text: `The planner needs clarification to proceed: ${question}`,
    taskId,
  }),
  plannerAsks: (taskId: TaskId, question: string): Announcement => ({
    code: "planner_asks",
    text: `The planner requires clarification: ${question}`,
    taskId,
  }),
  directTaskBegins: ({ taskId, expert }: Named): Announcement => ({
    code: "direct_task_begins",
    text: `Understood. Initiating task \`${taskId}\` directly with \`${expert}\`...`,
    taskId,
  }),
  taskToBeQueued: ({ taskId, expert }: Named): Announcement => ({
    code: "task_to_be_queued",
    text: `Task \`${taskId}\` for \`${expert}\` will be added to the queue.`,
    taskId,
  }),
  taskAdded: (taskId: TaskId): Announcement => ({
    code: "task_added",
    text: `Adding task ${taskId} to queue...`,
    taskId,
  }),
  acknowledged: (): Announcement => ({
    code: "acknowledged",
    text: "Acknowledged. Ready for your next command.",
  }),
  requestUnclear: (question: string): Announcement => ({
    code: "request_unclear",
    text: `I need more information to proceed. ${question}...`,
  }),
  queuedTaskBegins: ({ taskId, expert }: Named): Announcement => ({
    code: "queued_task_begins",
    text: `Processing queued task: ${taskId}. Delegating to ${expert}...`,
    taskId,
  }),
  taskUnclear: ({ taskId, expert }: Named, question: string): Announcement => ({
    code: "task_unclear",
    text: `Task ${taskId} requires clarification from ${expert}: ${question}`,
    taskId,
  }),
  taskAsks: ({ taskId, expert }: Named, question: string): Announcement => ({
    code: "task_asks",
    text: `Please provide clarification for task ${taskId} (${expert}): ${question}`,
    taskId,
  }),
  queueUpdated: (taskId: TaskId): Announcement => ({
    code: "queue_updated",
    text: "Finalizing queued task... Updating queue...",
    taskId,
  }),
  taskEnded: ({ taskId, expert }: Named, status: string, message: string): Announcement => ({
    code: "task_ended",
    text: `Task \`${taskId}\` (${expert}) status: \`${status}\`. ${message}`,
    taskId,
  }),
  chainContinues: (): Announcement => ({
    code: "chain_continues",
    text: "Continuing with next task...",
  }),
  statusUnexpected: ({ taskId, expert }: Named, status: string, message: string): Announcement => ({
    code: "status_unexpected",
    text: `Task \`${taskId}\` (${expert}) returned an unexpected status: \`${status}\`. ${message}`,
    taskId,
  }),
};

/** Announces how a task has ended; of a planner only that it has failed, because what it plans or advises is announced. */
export async function announceEnd(
  task: Named,
  { status, message }: Pick<Report, "status" | "message">,
  ports: AnnouncePorts,
): Promise<void> {
  const isPlanner = task.expert === "rooroo-planner";
  if (status !== "Failed" && (isPlanner || status !== "Done")) return;
  await announce(ports, announcements.taskEnded(task, status, message));
}

/** Makes announcements events, and lines of the activity log. */
export async function announce(
  { publisher, activity }: AnnouncePorts,
  ...given: readonly Announcement[]
): Promise<void> {
  for (const { code, text, taskId } of given) {
    const about = taskId === undefined ? {} : { taskId };
    publisher.publish({ type: "announced", code, text, ...about });
    await activity.record({ type: "ANNOUNCED", ...about, details: { code, text } });
  }
}
