import type { EventPublisher } from "../conversation/eventPublisher.js";
import type { Role, RunEvent } from "./runWorld.js";

/** Publishes a run's event in a conversation. */
export function tellOfRun(event: RunEvent, publisher: EventPublisher): void {
  // The Communicator's message is shown itself, and needs no announcement.
  if ("role" in event && event.role === "Communicator") return;
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
      const { taskId, role, end, message } = event;
      publisher.ended({ taskId, mode: modeOf(role) }, end, message);
      return;
    }
    case "said":
      publisher.notice("info", event.text);
      return;
    case "notice":
      publisher.notice(event.level, event.text);
      return;
  }
}

function modeOf(role: Role): string {
  return `rooroo-run-${role.toLowerCase()}`;
}
