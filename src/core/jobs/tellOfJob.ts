import type { JobEvent } from "./jobWorld.js";
import type { Narrator } from "../conversation/narrator.js";
import type { Role } from "./workLog.js";

/** Publishes a job's event in a conversation. */
export function tellOfJob(event: JobEvent, narrator: Narrator): void {
  switch (event.type) {
    case "began": {
      const { taskId, role, objective } = event;
      narrator.tell({ type: "taskStarted", taskId, mode: modeOf(role), goal: objective });
      return;
    }
    case "agent":
      narrator.agent(event.taskId, event.event);
      return;
    case "ended": {
      const { taskId, role, result, summary, changedFiles } = event;
      const ends = {
        Succeeded: "Done",
        Failed: "Failed",
        Pending: "Stopped",
        Cancelled: "Stopped",
      } as const;
      narrator.ended({ taskId, mode: modeOf(role), changedFiles }, ends[result], summary);
      return;
    }
    case "asked": {
      const { taskId, role, id, text } = event;
      const question = { questionId: id, taskId: `${taskId}/${id}`, text, suggestions: [] };
      narrator.tell({ type: "question", mode: modeOf(role), ...question });
      return;
    }
    case "answered":
      narrator.tell({ type: "answered", questionId: event.id, text: event.text });
      return;
    case "notice":
      narrator.notice(event.level, event.text);
      return;
  }
}

function modeOf(role: Role): string {
  return `rooroo-job-${role.toLowerCase()}`;
}
