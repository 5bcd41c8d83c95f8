import type { JobEvent } from "./jobWorld.js";
import type { EventPublisher } from "../conversation/eventPublisher.js";
import type { Role } from "./documents/workLog.js";

/** Publishes a job's event in a conversation. */
export function tellOfJob(event: JobEvent, publisher: EventPublisher): void {
  switch (event.type) {
    case "began": {
      const { taskId, role, objective } = event;
      publisher.publish({ type: "taskStarted", taskId, mode: modeOf(role), goal: objective });
      return;
    }
    case "agent":
      publisher.agent(event.taskId, event.event);
      return;
    case "ended": {
      const { taskId, role, result, summary, changedFiles } = event;
      const ends = {
        Succeeded: "Done",
        Failed: "Failed",
        Pending: "Stopped",
        Cancelled: "Stopped",
      } as const;
      publisher.ended({ taskId, mode: modeOf(role), changedFiles }, ends[result], summary);
      return;
    }
    case "asked": {
      const { taskId, role, id, text } = event;
      const question = { questionId: id, taskId: `${taskId}/${id}`, text, suggestions: [] };
      publisher.publish({ type: "question", mode: modeOf(role), ...question });
      return;
    }
    case "answered":
      publisher.publish({ type: "answered", questionId: event.id, text: event.text });
      return;
    case "notice":
      publisher.notice(event.level, event.text);
      return;
  }
}

function modeOf(role: Role): string {
  return `rooroo-job-${role.toLowerCase()}`;
}
