import type { RunController } from "./runController.js";

export type RunCommand = keyof RunController["commands"];

/** The ids of all commands about runs. Their code is loaded with the first one that is called. */
export const runCommandIds: readonly RunCommand[] = [
  "rooroo.startRun",
  "rooroo.showRun",
  "rooroo.confirmRun",
  "rooroo.changeProposal",
  "rooroo.cancelRun",
  "rooroo.resumeRun",
  "rooroo.retryRun",
  "rooroo.skipRun",
  "rooroo.stopRun",
  "rooroo.openRunOutputs",
  "rooroo.openProposal",
  "rooroo.openRunReport",
  "rooroo.openRunTable",
];
