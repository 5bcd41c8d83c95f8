import { filesText, leftByAttempt } from "../../agent/attempt.js";
import { Transcript } from "../../agent/transcript.js";
import { ChangeStore } from "../../changes/changeStore.js";
import { findingsMarkdown } from "../../conversation/events/findingsText.js";
import { UserError } from "../../errors.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { Report } from "../../experts/report.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { english } from "../../text/translator.js";
import { visibleLine } from "../../text/visibleText.js";
import { type TaskStore, taskFolder } from "./taskStore.js";

/** The most characters of a report's message that others are told. */
const maxMessage = 400;
/** The most characters of what a review has found. */
const maxFindings = 4_000;

/** What tells how a task ended. */
interface OutcomeSources {
  readonly store: TaskStore;
  readonly files: FileSystem;
  readonly experts: Pick<ExpertServices, "clock" | "signer">;
}

/**
 * Returns what became of a task, for whoever comes after it: its status and message, its artifacts and the files
 * that it changed; of one that ended without a report, its last messages.
 */
export async function taskOutcomeText(taskId: TaskId, sources: OutcomeSources): Promise<string> {
  const { store } = sources;
  const report = await orUnreadable(() => store.readReport(taskId), undefined);
  const changed = await changedFiles(taskId, sources);
  const answers = await answersText(taskId, sources);
  if (report !== undefined)
    return `${reported(taskId, report, changed, store.reportPath(taskId))}${answers}`;
  const left = leftByAttempt(changed, await messagesOf(taskId, sources));
  return left === "" ? "not begun." : `ended without a report.\n${left}${answers}`;
}

/** Returns what the user answered in a task, a line each, with line ends before them; empty if nothing. */
export async function answersText(
  taskId: TaskId,
  { store }: Pick<OutcomeSources, "store">,
): Promise<string> {
  const answers = await orUnreadable(() => store.answersIn(taskId), []);
  return answers
    .map(({ question, answer }) => {
      const asked = visibleLine(question, maxMessage);
      return `\nThe user was asked: ${asked} Their answer: ${answer.trim()}`;
    })
    .join("");
}

/** Returns the files of the project that a task has changed; none where that cannot be told. */
async function changedFiles(
  taskId: TaskId,
  { files, experts }: Pick<OutcomeSources, "files" | "experts">,
): Promise<string[]> {
  const store = new ChangeStore(files, experts.clock, experts.signer, taskFolder(taskId));
  const changed = await orUnreadable(() => store.read(), undefined);
  return [...(changed?.keys() ?? [])].filter((path) => !path.startsWith(".rooroo/"));
}

function reported(taskId: TaskId, report: Report, changed: readonly string[], path: string) {
  const { status, message, error_details: details, findings } = report;
  const { output_artifact_paths: artifacts } = report;
  const words = visibleLine(message, maxMessage);
  const rest = message.trim().length > maxMessage ? ` (whole in ${path})` : "";
  return [
    `${status}: ${words}${rest}`,
    ...(details?.trim() ? [details.trim().slice(0, 2 * maxMessage)] : []),
    ...(findings === undefined ? [] : [findingsMarkdown(findings, english).slice(0, maxFindings)]),
    ...(artifacts.length === 0 ? [] : [`Artifacts: ${filesText(artifacts)}`]),
    ...(changed.length === 0 ? [] : [`Changed: ${filesText(changed)}`]),
  ].join("\n");
}

async function messagesOf(taskId: TaskId, { store, files, experts }: OutcomeSources) {
  const place = { files, signer: experts.signer, taskId, path: store.transcriptPath(taskId) };
  return (await orUnreadable(() => Transcript.open(place), undefined))?.messages ?? [];
}

/** Files that cannot be read, or are not this installation's, tell nothing. */
async function orUnreadable<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return otherwise;
  }
}
