import type { SessionMode } from "@agentclientprotocol/sdk";
import { translatable } from "../../core/text/translator.js";

/** A mode of the panel's picker; its texts are messages. Without an expert, triage decides what a request becomes. */
export type RequestMode = Pick<SessionMode, "id" | "name"> & {
  readonly description: string;
  readonly expert?: string;
};

export const autoMode: RequestMode = {
  id: "auto",
  name: translatable("Auto"),
  description: translatable("The Navigator decides what to do"),
};

/** The modes that a client can choose from, in the order of the panel's picker. */
export const requestModes: readonly RequestMode[] = [
  autoMode,
  {
    id: "ask",
    name: translatable("Ask"),
    description: translatable("Investigates and answers, changes nothing in the project"),
    expert: "rooroo-analyzer",
  },
  {
    id: "plan",
    name: translatable("Plan"),
    description: translatable("Breaks the goal down into tasks, which wait until you start them"),
    expert: "rooroo-planner",
  },
  {
    id: "do",
    name: translatable("Do"),
    description: translatable("Changes code and runs commands, without a plan"),
    expert: "rooroo-developer",
  },
];
