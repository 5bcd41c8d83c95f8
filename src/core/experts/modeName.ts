import { translatable } from "../text/translator.js";

/** The agents of jobs and runs, which are no modes that a person chooses. */
const agents: Readonly<Record<string, string>> = {
  "rooroo-job-planner": translatable("Job Planner"),
  "rooroo-job-reviewer": translatable("Job Reviewer"),
  "rooroo-job-runner": translatable("Job Runner"),
  "rooroo-run-communicator": translatable("Run Communicator"),
  "rooroo-run-executor": translatable("Run Executor"),
  "rooroo-run-helper": translatable("Run Helper"),
  "rooroo-run-planner": translatable("Run Planner"),
};

/** Returns a mode's display name: `rooroo-idea-sparker` is "Idea Sparker". */
export function modeName(mode: string): string {
  const agent = agents[mode];
  if (agent !== undefined) return agent;
  const words = mode.replace(/^rooroo-/, "").split(/[-_\s]+/);
  const name = words
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
  return name || mode;
}
