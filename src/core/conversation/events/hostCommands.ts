/** The host's own commands that a button in the conversation can run. */
export const hostCommands = [
  "setApiKey",
  "selectModel",
  "openSettings",
  "openActivityLog",
  "openQueue",
  "openRunOutputs",
  "retryRun",
  "skipRun",
  "showEarlierMessages",
  "useSandbox",
  "openWalkthrough",
  "finishRestore",
  "undoRestore",
  "showPlanChanges",
  "landPlan",
  "discardPlan",
] as const;
