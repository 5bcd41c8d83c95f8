import { call, failed } from "./script.mjs";

/** @type {import("./script.mjs").Script} */
export const notScripted = [
  {
    say: "Let me see what is here.",
    calls: [call("list_files", { path: ".", recursive: true })],
  },
  ({ goal }) =>
    failed(
      "I am the scripted demo model, and there is no script for this. Nothing was changed. " +
        'Try "Fix the failing test" or "Plan a CSV export"; for real work choose a real model.',
      `No script for the goal: ${goal}. Choose a model with "Rooroo: Select Model", or set ` +
        "rooroo.model.baseUrl and rooroo.model.name.",
    ),
];
