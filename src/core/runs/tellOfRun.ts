import type { Narrator } from "../conversation/narrator.js";
import type { Role, RunEvent } from "./runWorld.js";

/** Publishes a run's event in a conversation. */
export function tellOfRun(event: RunEvent, narrator: Narrator): void {
  // The Communicator's message is shown itself, and needs no announcement.
  if ("role" in event && event.role === "Communicator") return;
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
      const { taskId, role, end, message } = event;
      narrator.ended({ taskId, mode: modeOf(role) }, end, message);
      return;
    }
    case "said":
      narrator.notice("info", event.text);
      return;
    case "notice":
      narrator.notice(event.level, event.text);
      return;
  }
}

function modeOf(role: Role): string {
  return `rooroo-run-${role.toLowerCase()}`;
}
