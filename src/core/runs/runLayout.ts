import { UserError } from "../errors.js";
import type { FileSystem } from "../ports.js";
import { isShared, type TableName } from "./runTables.js";

/** In the order in which a run goes through them (R-MV-13). */
export const phaseNames = [
  "ANALYZING",
  "STRATEGIZING",
  "REFINING_CONTENT",
  "GENERATING_OUTPUT",
] as const;
export type PhaseName = (typeof phaseNames)[number];

/** Where the files of runs are, below one root; paths are the workspace's (R-MV-1). */
export class RunLayout {
  /** @param root a folder's path, `""` for the workspace itself */
  constructor(readonly root: string) {}

  in(path: string): string {
    return this.root === "" ? path : `${this.root}/${path}`;
  }

  /** Read by all, written by nobody but people. */
  get assets(): string {
    return this.in("assets");
  }

  /** As {@link assets}. */
  get guidelines(): string {
    return this.in("guidelines");
  }

  get phaseTemplate(): string {
    return this.in("db/templates/default_phases.md");
  }

  table(name: TableName, runId: string): string {
    return isShared(name) ? this.in(`db/${name}.md`) : `${this.run(runId)}/db/${name}.md`;
  }

  run(runId: string): string {
    return this.in(`runs/${runId}`);
  }

  /** What the person is asked to confirm. */
  proposal(runId: string): string {
    return `${this.run(runId)}/feedback_for_user.md`;
  }

  /** One that the person wanted changed, with what they said. `number`: 1-based. */
  earlierProposal(runId: string, number: number): string {
    return `${this.run(runId)}/feedback_for_user.${number}.md`;
  }

  /** Where, and of what, a run has failed. */
  failure(runId: string): string {
    return `${this.run(runId)}/failure.md`;
  }

  /** What the person was told when the run was over. */
  report(runId: string): string {
    return `${this.run(runId)}/report_for_user.md`;
  }

  workspace(runId: string, phase: PhaseName): string {
    return `${this.run(runId)}/workspace/${phase}`;
  }

  outputs(runId: string): string {
    return this.in(`outputs/${runId}`);
  }
}

/**
 * Where the runs of a workspace are: where the person says, else in the workspace itself if it has runs
 * already, else in a folder of their own.
 */
export async function findLayout(files: FileSystem, given: string | undefined): Promise<RunLayout> {
  if (given === undefined) {
    const own = await files.stat(new RunLayout("").table("process_runs", ""));
    return new RunLayout(own === undefined ? "multiverse" : "");
  }
  const { path, inside } = await files.locate(given === "" ? "." : given);
  if (!inside || /^\.(?!$)/.test(path)) {
    throw new UserError(
      `${given} is no folder for runs: name one in the workspace, as in docs/runs.`,
    );
  }
  return new RunLayout(path === "." ? "" : path);
}
