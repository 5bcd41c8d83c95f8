import type { SessionMode } from "@agentclientprotocol/sdk";

/** What a request becomes, as in the panel's picker. Without an expert, triage decides. */
export const requestModes: readonly (SessionMode & { readonly expert?: string })[] = [
  { id: "auto", name: "Auto", description: "The Navigator decides what to do" },
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
