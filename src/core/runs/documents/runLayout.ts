import { UserError } from "../../errors.js";
import type { RunId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { isShared, type TableName } from "./runTables.js";

/** The phases of a run, in order (R-MV-13). */
export const phaseNames = [
  "ANALYZING",
  "STRATEGIZING",
  "REFINING_CONTENT",
  "GENERATING_OUTPUT",
] as const;
export type PhaseName = (typeof phaseNames)[number];

/** The places of the files of runs, below one root; paths are relative to the workspace (R-MV-1). */
export class RunLayout {
  /** @param root a folder's path, `""` for the workspace itself */
  constructor(readonly root: string) {}

  in(path: string): string {
    return this.root === "" ? path : `${this.root}/${path}`;
  }

  /** The folder of the user's files: all runs read it, only people write it. */
  get assets(): string {
    return this.in("assets");
  }

  /** The folder of the user's guidelines: all runs read it, only people write it. */
  get guidelines(): string {
    return this.in("guidelines");
  }

  /** A folder that runs below another root may read, too, if the user confirms it; `undefined` if it is their own. */
  get otherAssets(): string | undefined {
    return this.root === "" ? undefined : "assets";
  }

  /** The same as {@link otherAssets} for guidelines. */
  get otherGuidelines(): string | undefined {
    return this.root === "" ? undefined : "guidelines";
  }

  /**
   * Returns whether a file is the guidelines for operations of several steps, which only planners are told of
   * (R-MV-34).
   */
  isOperations(path: string): boolean {
    const folders = [this.guidelines, this.otherGuidelines];
    return folders.some((folder) => folder !== undefined && path === `${folder}/mcp_list.md`);
  }

  get phaseTemplate(): string {
    return this.in("db/templates/default_phases.md");
  }

  table(name: TableName, runId: RunId): string {
    return isShared(name) ? this.in(`db/${name}.md`) : `${this.run(runId)}/db/${name}.md`;
  }

  run(runId: RunId): string {
    return this.in(`runs/${runId}`);
  }

  /** Returns the document that the user is asked to confirm. */
  proposal(runId: RunId): string {
    return `${this.run(runId)}/feedback_for_user.md`;
  }

  /**
   * Returns a proposal that the user wanted changed, with their words.
   *
   * @param number 1-based
   */
  earlierProposal(runId: RunId, number: number): string {
    return `${this.run(runId)}/feedback_for_user.${number}.md`;
  }

  /** Returns the report of where and why a run has failed. */
  failure(runId: RunId): string {
    return `${this.run(runId)}/failure.md`;
  }

  /**
   * Returns the report of a failure after which the user had the run go on.
   *
   * @param number 1-based
   */
  earlierFailure(runId: RunId, number: number): string {
    return `${this.run(runId)}/failure.${number}.md`;
  }

  /** Returns the message to the user at the end of the run. */
  report(runId: RunId): string {
    return `${this.run(runId)}/report_for_user.md`;
  }

  workspace(runId: RunId, phase: PhaseName): string {
    return `${this.run(runId)}/workspace/${phase}`;
  }

  outputs(runId: RunId): string {
    return this.in(`outputs/${runId}`);
  }
}

/**
 * Finds the place of a workspace's runs: the folder that the user names, or else the workspace itself if it
 * has runs already, or else the folder `multiverse`.
 *
 * @throws {UserError} if the named folder lies outside the workspace, or its path begins with a dot
 */
export async function findLayout(files: FileSystem, given: string | undefined): Promise<RunLayout> {
  if (given === undefined) {
    const own = await files.stat(new RunLayout("").table("process_runs", ""));
    return new RunLayout(own === undefined ? "multiverse" : "");
  }
  const { path, inside } = await files.locate(given === "" ? "." : given);
  if (!inside || /^\.(?!$)/.test(path)) {
    throw new UserError(
      "runFolderInvalid",
      "{folder} cannot be a folder for runs. Name one in the workspace, as in docs/runs.",
      { folder: given },
    );
  }
  return new RunLayout(path === "." ? "" : path);
}
