import * as vscode from "vscode";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import type { JobRun } from "../../core/jobs/work/outerLoop.js";
import { momentNamed } from "../../core/text/momentNamed.js";

type Limit = Pick<JobRun, "most" | "until" | "waits">;
type Choice = vscode.QuickPickItem & { choose(): Promise<Limit | undefined> | Limit };

const [mostRunners, mostTurns] = [8, 1000];

/** Asks how to run a job. Pressing Enter runs it until it is done, with the values of the settings. */
export async function chooseJobRun(
  { name, isPeriodic }: JobOverview,
  given: Pick<JobRun, "runners" | "quota">,
): Promise<JobRun | undefined> {
  let { runners, quota } = given;
  const { t } = vscode.l10n;
  for (;;) {
    const until: Choice[] = [
      {
        label: `$(run-all) ${t("Run Until Done")}`,
        description: runners === 1 ? t("1 runner") : t("{0} runners", runners),
        choose: () => ({}),
      },
      ...(isPeriodic
        ? [
            {
              label: `$(sync) ${t("Run Cycle After Cycle, Until Stopped")}`,
              choose: () => ({ waits: true }),
            },
          ]
        : []),
      { label: `$(debug-step-over) ${t("Run One Unit Only")}`, choose: () => ({ most: 1 }) },
      { label: `$(symbol-number) ${t("Run a Number of Units…")}`, choose: askUnits },
      { label: `$(clock) ${t("Run Until a Time…")}`, choose: askTime },
    ];
    const atATime: vscode.QuickPickItem = {
      label: `$(organization) ${t("Runners: {0}", runners)}`,
      description: t("at a time, each on a task of its own"),
    };
    const turns: vscode.QuickPickItem = {
      label: `$(debug-restart-frame) ${t("Turns: {0}", quota)}`,
      description: t("model calls of one unit of work"),
    };
    const separator = { label: t("how"), kind: vscode.QuickPickItemKind.Separator };
    const picked = await vscode.window.showQuickPick<Choice | vscode.QuickPickItem>(
      [...until, separator, atATime, turns],
      { title: t("Run {0}", name), placeHolder: t("Enter runs the job until it is done") },
    );
    if (picked === atATime)
      runners =
        (await askNumber(t("How many runners at a time?"), runners, mostRunners)) ?? runners;
    else if (picked === turns)
      quota = (await askNumber(t("How many turns for a unit of work?"), quota, mostTurns)) ?? quota;
    else {
      const limit = picked && "choose" in picked ? await picked.choose() : undefined;
      return limit && { name, runners, quota, ...limit };
    }
  }
}

async function askUnits(): Promise<Limit | undefined> {
  const most = await askNumber(vscode.l10n.t("How many units of work?"), 5, 10_000);
  return most === undefined ? undefined : { most };
}

async function askTime(): Promise<Limit | undefined> {
  const now = () => new Date();
  const text = await vscode.window.showInputBox({
    prompt: vscode.l10n.t("Until when? As in 07:00, or 2027-01-31T07:00."),
    value: "07:00",
    validateInput: (typed) => {
      const moment = momentNamed(typed, now());
      return moment instanceof Date
        ? { message: moment.toLocaleString(), severity: vscode.InputBoxValidationSeverity.Info }
        : vscode.l10n.t("A time to come is written like 07:00 or 2027-01-31T07:00.");
    },
  });
  const until = text === undefined ? undefined : momentNamed(text, now());
  return until && { until };
}

async function askNumber(prompt: string, given: number, most: number): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    prompt,
    value: String(given),
    validateInput: (typed) =>
      /^\s*\d+\s*$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most
        ? undefined
        : vscode.l10n.t("A number from 1 to {0}.", most),
  });
  return text === undefined ? undefined : Number(text);
}
