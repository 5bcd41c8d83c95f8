import type { JobEvent } from "../core/jobs/jobWorld.js";
import type { Narrator } from "../core/navigator/narrator.js";

/** What happens in a job, as a conversation has it. */
export function tellOfJob(event: JobEvent, narrator: Narrator): void {
  switch (event.type) {
    case "began": {
      const { taskId, role, objective } = event;
      const mode = `rooroo-job-${role.toLowerCase()}`;
      narrator.tell({ type: "taskStarted", taskId, mode, goal: objective });
      return;
    }
    case "agent":
      narrator.agent(event.taskId, event.event);
      return;
    case "ended": {
      const level = event.result === "Succeeded" ? "info" : "warning";
      narrator.notice(level, `${event.role}, ${event.result}: ${event.summary}`);
      return;
    }
    case "notice":
      narrator.notice(event.level, event.text);
      return;
  }
}
