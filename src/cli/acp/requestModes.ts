import type { SessionMode } from "@agentclientprotocol/sdk";

/** A mode of the panel's picker. Without an expert, triage decides what a request becomes. */
export type RequestMode = Pick<SessionMode, "id" | "name"> & {
  readonly description: string;
  readonly expert?: string;
};

export const autoMode: RequestMode = {
  id: "auto",
  name: "Auto",
  description: "The Navigator decides what to do",
};

/** The modes that a client can choose from, in the order of the panel's picker. */
export const requestModes: readonly RequestMode[] = [
  autoMode,
  {
    id: "ask",
    name: "Ask",
    description: "Investigates and answers, changes nothing in the project",
    expert: "rooroo-analyzer",
  },
  {
    id: "plan",
    name: "Plan",
    description: "Breaks the goal down into tasks, which wait until you start them",
    expert: "rooroo-planner",
  },
  {
    id: "do",
    name: "Do",
    description: "Changes code and runs commands, without a plan",
    expert: "rooroo-developer",
  },
];
