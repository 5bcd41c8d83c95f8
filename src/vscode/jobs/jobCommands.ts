import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { JobOverview, JobQuestion } from "../../core/jobs/jobOverview.js";
import { answerQuestion } from "../tasks/answerQuestion.js";
import { chooseJob } from "./chooseJob.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { jobStemOf } from "./jobStemOf.js";
import type { JobRuns } from "./jobRuns.js";
import type { JobNode } from "./jobRows.js";
import type { JobsView } from "./jobsView.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import type { Settings } from "../settings/settings.js";
import { shorten } from "../shorten.js";

export interface JobCommandParts {
  readonly workspace: CurrentWorkspace;
  readonly runs: JobRuns;
  readonly view: JobsView;
  readonly settings: Settings;
}

/** Returns the commands for jobs. Each takes a tree row, a file's URI, a job's name or stem, or nothing. */
export function jobCommands({ workspace, runs, view, settings }: JobCommandParts) {
  const documents = () => {
    const session = workspace.require();
    return new OpenDocuments(session.folder, session.files);
  };
  const rowOf = (argument: unknown): JobNode | undefined =>
    typeof argument === "string" ? view.tree.node(argument) : undefined;
  const choose = async (
    argument: unknown,
    fits: (job: JobOverview) => boolean = () => true,
  ): Promise<JobOverview | undefined> => {
    const session = workspace.require();
    const jobs = await session.jobOverviews();
    const active = vscode.window.activeTextEditor?.document.uri;
    const shown = active && jobStemOf(active, session.folder);
    const inEditor = jobs.find((job) => job.stem === shown && fits(job))?.stem;
    const named =
      argument instanceof vscode.Uri
        ? jobStemOf(argument, session.folder)
        : (rowOf(argument)?.stem ?? (typeof argument === "string" ? argument : inEditor));
    return chooseJob(jobs, named, fits);
  };

  return {
    "rooroo.newJob": async () => {
      const session = workspace.require();
      const { askForJob } = await import("./askForJob.js");
      const asked = await askForJob(session.folder, await session.jobOverviews());
      if (asked === undefined) return;
      await documents().file(await runs.create(asked));
    },
    "rooroo.runJob": async (argument: unknown) => {
      const job = await choose(argument, ({ state }) => state !== "running");
      if (job === undefined) return;
      const { chooseJobRun } = await import("./chooseJobRun.js");
      const run = await chooseJobRun(job, settings.read().jobs);
      if (run === undefined) return;
      await view.reveal(job.stem);
      await runs.run(run);
    },
    "rooroo.stopJob": async (argument: unknown) => {
      const job = await choose(argument, ({ state }) => state === "running");
      if (job) await runs.stop(job.name);
    },
    "rooroo.answerJob": async (argument: unknown, questionId: unknown) => {
      const row = rowOf(argument);
      const job = await choose(argument, ({ questions }) =>
        questions.some(({ answer }) => answer === null),
      );
      if (job === undefined) return;
      const id = row?.kind === "question" ? row.question.id : questionId;
      const asked = job.questions.filter((one) => {
        return one.answer === null && (typeof id !== "string" || one.id === id);
      });
      if (asked.length === 0) {
        throw new UserError(vscode.l10n.t("No question of {0} waits for an answer.", job.name));
      }
      const question = asked.length === 1 ? asked[0] : await chooseQuestion(asked);
      if (question === undefined) return;
      const { text } = question;
      const answer = await answerQuestion({ questionId: question.id, text, suggestions: [] });
      if (answer === undefined) return;
      const session = workspace.require();
      await session.start();
      await (await session.jobs()).answer(question.id, answer);
    },
    "rooroo.openJobFile": async (argument: unknown) => {
      const row = rowOf(argument);
      const job = await choose(argument);
      if (!job) return;
      await documents().file(job.jobPath, row?.kind === "question" ? row.question.line : undefined);
    },
    "rooroo.openJobLog": async (argument: unknown) => {
      const row = rowOf(argument);
      if (row?.kind === "problem") {
        await documents().file(row.problem.path, row.problem.line);
        return;
      }
      const job = await choose(argument, ({ logPath }) => logPath !== null);
      if (!job) return;
      if (job.logPath === null) {
        throw new UserError(vscode.l10n.t("{0} has no log yet: nobody has run it.", job.name));
      }
      await documents().file(job.logPath, lineOf(row));
    },
  };
}

async function chooseQuestion(asked: readonly JobQuestion[]): Promise<JobQuestion | undefined> {
  const picked = await vscode.window.showQuickPick(
    asked.map((one) => ({ label: shorten(one.text, 100), detail: one.id, one })),
    { placeHolder: vscode.l10n.t("Which question?") },
  );
  return picked?.one;
}

function lineOf(row: JobNode | undefined): number | undefined {
  if (row?.kind === "task") return row.task.line;
  if (row?.kind === "phase") return row.phase.line;
  return row?.kind === "entry" ? row.entry.line : undefined;
}
