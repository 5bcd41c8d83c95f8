import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { NewJob } from "../../core/jobs/documents/jobFolder.js";
import { isJobName } from "../../core/jobs/documents/jobNames.js";
import type { JobOverview, JobQuestion } from "../../core/jobs/facts/jobOverview.js";
import type { JobOrder } from "../../core/jobs/work/outerLoop.js";
import { parseMoment } from "../../core/text/parseMoment.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { askText, choose } from "../work/choose.js";

const [mostRunners, mostTurns] = [8, 1000];

/** Asks for a new job's name, goal and folders; returns `undefined` if the user cancels. */
export async function askForJob(
  folder: vscode.Uri,
  jobs: readonly JobOverview[],
): Promise<NewJob | undefined> {
  const taken = new Set(jobs.flatMap(({ name: one, stem }) => [one, stem]));
  const name = await askText({
    title: t("New Job (1/3)"),
    prompt: t("A short name, used for the job's files"),
    placeHolder: t("translate-docs"),
    validateInput: (typed) => {
      if (taken.has(typed.trim())) return t("A job named {0} already exists.", typed.trim());
      return typed === "" || isJobName(typed.trim())
        ? undefined
        : t("A job name can contain letters, digits, spaces, ., - and _, and up to 80 characters.");
    },
  });
  if (name === undefined) return undefined;
  const goal = await askText({
    title: t("New Job (2/3)"),
    prompt: t(
      "What should the job achieve? You can add details in the job file, which opens next.",
    ),
    placeHolder: t("Translate docs/ into French, page by page, and check every link."),
  });
  if (goal === undefined) return undefined;
  const dirs = await askFolders(folder);
  return dirs && { name: name.trim(), goal: goal.trim(), dirs };
}

async function askFolders(folder: vscode.Uri): Promise<string[] | undefined> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const names = entries
    .filter(([name, type]) => type === vscode.FileType.Directory && !name.startsWith("."))
    .map(([name]) => name)
    .filter((name) => name !== "node_modules")
    .sort();
  if (names.length === 0) return [];
  const chosen = await vscode.window.showQuickPick(
    names.map((label) => ({ label, iconPath: new vscode.ThemeIcon("folder") })),
    {
      title: t("New Job (3/3)"),
      placeHolder: t("Select the folders to work in, or none for the whole workspace"),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  return chosen?.map(({ label }) => label);
}

type Limit = Pick<JobOrder, "most" | "until" | "waits">;
type Choice = vscode.QuickPickItem & { choose(): Promise<Limit | undefined> | Limit };

/** Asks how to run a job. Pressing Enter runs it until it is done, with the values of the settings. */
export async function askHowToRun(
  { name, isPeriodic }: JobOverview,
  given: Pick<JobOrder, "runners" | "quota">,
): Promise<JobOrder | undefined> {
  let { runners, quota } = given;
  for (;;) {
    const until: Choice[] = [
      {
        label: `$(run-all) ${t("Run Until Done")}`,
        description: t("{0, plural, one {# runner} other {# runners}}", runners),
        choose: () => ({}),
      },
      ...(isPeriodic
        ? [
            {
              label: `$(sync) ${t("Run Every Cycle Until Stopped")}`,
              choose: () => ({ waits: true }),
            },
          ]
        : []),
      { label: `$(debug-step-over) ${t("Run One Unit of Work")}`, choose: () => ({ most: 1 }) },
      { label: `$(symbol-number) ${t("Run a Number of Units…")}`, choose: askUnits },
      { label: `$(clock) ${t("Run Until a Time…")}`, choose: askTime },
    ];
    const runnerCount: vscode.QuickPickItem = {
      label: `$(organization) ${t("Runners: {0}", runners)}`,
      description: t("work in parallel, each on a task of its own"),
    };
    const turns: vscode.QuickPickItem = {
      label: `$(debug-restart-frame) ${t("Turns: {0}", quota)}`,
      description: t("model calls per unit of work, at most"),
    };
    const separator = { label: t("Options"), kind: vscode.QuickPickItemKind.Separator };
    const picked = await vscode.window.showQuickPick<Choice | vscode.QuickPickItem>(
      [...until, separator, runnerCount, turns],
      { title: t("Run {0}", name), placeHolder: t("Press Enter to run the job until it is done") },
    );
    if (picked === runnerCount)
      runners =
        (await askNumber(t("Number of runners that work in parallel"), runners, mostRunners)) ??
        runners;
    else if (picked === turns)
      quota =
        (await askNumber(
          t("Maximum number of turns (model calls) per unit of work"),
          quota,
          mostTurns,
        )) ?? quota;
    else {
      const limit = picked && "choose" in picked ? await picked.choose() : undefined;
      return limit && { name, runners, quota, ...limit };
    }
  }
}

async function askUnits(): Promise<Limit | undefined> {
  const most = await askNumber(t("Number of units of work"), 5, 10_000);
  return most === undefined ? undefined : { most };
}

async function askTime(): Promise<Limit | undefined> {
  const now = () => new Date();
  const text = await vscode.window.showInputBox({
    prompt: t("Run until (for example 07:00 or 2027-01-31T07:00)"),
    value: "07:00",
    validateInput: (typed) => {
      const moment = parseMoment(typed, now());
      return moment instanceof Date
        ? { message: moment.toLocaleString(), severity: vscode.InputBoxValidationSeverity.Info }
        : t("Enter a time in the future, such as 07:00 or 2027-01-31T07:00.");
    },
  });
  const until = text === undefined ? undefined : parseMoment(text, now());
  return until && { until };
}

async function askNumber(prompt: string, given: number, most: number): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    prompt,
    value: String(given),
    validateInput: (typed) =>
      /^\s*\d+\s*$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most
        ? undefined
        : t("Enter a number from 1 to {0}.", most),
  });
  return text === undefined ? undefined : Number(text);
}

/** Returns the open question with this id, or one that the user chooses. Throws a {@link UserError} if there is none. */
export async function chooseQuestion(
  { name, questions }: JobOverview,
  id: string | undefined,
): Promise<JobQuestion | undefined> {
  const none = () => new UserError("noJobQuestion", "{job} has no open question.", { job: name });
  const open = questions.filter(
    (one) => one.answer === null && (id === undefined || one.id === id),
  );
  return choose(open, undefined, {
    names: () => [],
    show: ({ text, id: detail }) => ({ label: shorten(text, 100), detail }),
    placeHolder: t("Select a question"),
    unknown: none,
    none,
    takesOnly: () => true,
  });
}
