import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { AwayPlan, Overview } from "../../core/navigator/overview/overview.js";
import { teamName } from "../../core/ports/teamQueue.js";
import { type TeamAddress, isTeamKey } from "../../core/team/teamAddress.js";
import { errorText } from "../errors/errorText.js";
import type { Keys } from "../model/createKeys.js";
import { setTeamRepository } from "../settings/changeSettings.js";
import type { Settings } from "../settings/settings.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { choose, idIn } from "../work/choose.js";
import { bound, type CommandTable, type ContextHandler } from "../work/commandHandlers.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { SessionRuntime } from "../workspace/workspaceSession.js";

interface Dependencies {
  readonly workspace: CurrentWorkspace;
  readonly settings: Settings;
  readonly keys: () => Promise<Pick<Keys, "team">>;
  /** Rejects with why a team's database cannot be used. */
  readonly tryTeam: (address: TeamAddress) => Promise<void>;
}

/** A plan, or a single task, that can be sent. */
interface Sendable {
  readonly id: string;
  readonly goal: string;
}

type TeamHandler = ContextHandler<Dependencies>;

const sendPlan: TeamHandler = async ({ workspace, settings }, argument) => {
  const team = await teamOf(workspace);
  const plan = await chooseQueued(argument, await workspace.require().overview());
  if (plan === undefined) return;
  // Before anything is asked: whether there is somebody to send to.
  const link = await during(t("Connecting to the team"), () => team.link());
  const repository = await repositoryName(settings, workspace.require().folder);
  if (repository === undefined) return;
  const remote = settings.get("team.remote");
  const labels = [...new Set(settings.get("team.labels"))].sort();
  await during(t("Sending the plan"), () => link.send(plan.id, { repository, remote, labels }));
  await team.refresh();
  void vscode.window.showInformationMessage(
    t("“{0}” is sent. The Tasks view shows how far it is.", plan.goal),
  );
};

const pushPlan: TeamHandler = async ({ workspace, settings }, argument) => {
  const plan = await chooseAway(argument, await workspace.require().overview(), hasEnded);
  if (plan === undefined) return;
  const branch = await during(t("Pushing the branch"), async () =>
    (await (await teamOf(workspace)).link()).pushBranch(plan.planId),
  );
  void vscode.window.showInformationMessage(
    t(
      "What came of the plan is the branch {0} of the remote {1}.",
      branch,
      settings.get("team.remote"),
    ),
  );
};

const cancelSentPlan: TeamHandler = async ({ workspace }, argument) => {
  const plan = await chooseAway(argument, await workspace.require().overview(), () => true);
  if (plan === undefined) return;
  const answer = t("Cancel Plan");
  const given = await vscode.window.showWarningMessage(
    t("Cancel the plan “{0}”?", shorten(plan.goal, 80)),
    {
      modal: true,
      detail: t("Nobody works on it any more, and what was done cannot be landed."),
    },
    answer,
  );
  if (given !== answer) return;
  await during(t("Cancelling the plan"), async () =>
    (await (await teamOf(workspace)).link()).cancel(plan.planId),
  );
  await (await teamOf(workspace)).refresh();
};

const setTeamDatabase: TeamHandler = async ({ keys, tryTeam }) => {
  const address = await askAddress();
  if (address === undefined) return;
  const secrets = (await keys()).team;
  try {
    await during(t("Connecting to the team"), () => tryTeam(address));
  } catch (error) {
    const store = t("Store Anyway");
    const given = await vscode.window.showWarningMessage(
      t("The database cannot be used. {0}", errorText(error)),
      store,
    );
    if (given === store) await secrets.store(address);
    return;
  }
  await secrets.store(address);
  void vscode.window.showInformationMessage(
    t("The team's database is set. Send a plan to its workers from the Tasks view."),
  );
};

const table = {
  "rooroo.sendPlan": sendPlan,
  "rooroo.pushPlan": pushPlan,
  "rooroo.cancelSentPlan": cancelSentPlan,
  "rooroo.refreshSentPlans": async ({ workspace }) => (await teamOf(workspace)).refresh(),
  "rooroo.setTeamDatabase": setTeamDatabase,
  "rooroo.forgetTeamDatabase": async ({ keys }) => {
    const isInEnvironment = await (await keys()).team.forget();
    void vscode.window.showInformationMessage(
      isInEnvironment
        ? t("What was stored is forgotten. The environment names a database, which is used now.")
        : t("The team's database and key are forgotten."),
    );
  },
} satisfies CommandTable<Dependencies>;

/** Returns the commands for plans on other machines. Each takes a tree row, the id of a plan or task, or nothing. */
export function teamCommands(dependencies: Dependencies) {
  return bound(table, dependencies);
}

/**
 * Brings what came of a plan here if the argument names one that is away, or the user chooses one. Returns its id, else
 * the argument.
 */
export async function receiveIfAway(
  argument: unknown,
  workspace: CurrentWorkspace,
): Promise<unknown> {
  const { away = [] } = await workspace.require().overview();
  const plan = away.find(({ planId }) => planId === idIn(argument));
  if (plan === undefined) return argument;
  const { team } = await workspace.require().runtime();
  await during(t("Fetching what came of the plan"), async () =>
    (await team.link()).receive(plan.planId),
  );
  return plan.planId;
}

/** Has the team forget plans that have landed or were discarded, if it can be reached; otherwise the next one is time. */
export async function forgetSettled(workspace: CurrentWorkspace): Promise<void> {
  const { team } = await workspace.require().runtime();
  await team.tidy();
}

async function teamOf(workspace: CurrentWorkspace): Promise<SessionRuntime["team"]> {
  return (await workspace.require().runtime()).team;
}

/** Returns whether something came of a plan that can be landed. */
function hasEnded({ state }: AwayPlan): boolean {
  return state === "done" || state === "failed";
}

async function chooseQueued(argument: unknown, overview: Overview): Promise<Sendable | undefined> {
  const { tasks, plans } = overview;
  const queued = tasks.filter(({ state }) => state === "queued");
  const goals = new Map(plans.map(({ planId, goal }) => [planId, goal]));
  const found = new Map<string, Sendable & { readonly names: string[] }>();
  for (const { taskId, planId, goal } of queued) {
    const id = planId ?? taskId;
    const before = found.get(id);
    const shown = shorten(goals.get(id) ?? goal, 80);
    found.set(id, { id, goal: shown, names: [id, taskId, ...(before?.names ?? [])] });
  }
  const none = () =>
    new UserError("nothingQueued", "No plan is queued here, so there is nothing to send.");
  return choose([...found.values()], idIn(argument), {
    names: ({ names }) => names,
    show: ({ id, goal }) => ({ label: goal, detail: id }),
    placeHolder: t("Select a plan"),
    unknown: none,
    none,
  });
}

async function chooseAway(
  argument: unknown,
  { away = [] }: Overview,
  fits: (plan: AwayPlan) => boolean,
): Promise<AwayPlan | undefined> {
  const none = () =>
    new UserError("nothingAway", "There is no such plan on other machines. Refresh the list.");
  return choose(away, idIn(argument), {
    fits,
    names: ({ planId }) => [planId],
    show: ({ planId, goal }) => ({ label: shorten(goal, 80), detail: planId }),
    placeHolder: t("Select a plan"),
    unknown: none,
    none,
  });
}

/** Returns the repository's name in the team: as it is set, or as the user types it, which is then set for the folder. */
async function repositoryName(settings: Settings, folder: vscode.Uri): Promise<string | undefined> {
  const repository = settings.get("team.repository");
  const isName = (text: string): boolean => teamName.test(text);
  if (isName(repository)) return repository;
  const problem = t("A name has small letters, digits and -, as the workers' lists have it.");
  const typed = await vscode.window.showInputBox({
    title: t("Name of This Repository for the Workers"),
    value: (folder.path.split("/").at(-1) ?? "").toLowerCase().replaceAll(/[^a-z0-9-]+/g, "-"),
    prompt: problem,
    ignoreFocusOut: true,
    validateInput: (text) => (isName(text) ? undefined : problem),
  });
  if (typed === undefined) return undefined;
  await setTeamRepository(typed);
  return typed;
}

async function askAddress(): Promise<TeamAddress | undefined> {
  const kept = t("Stored in VS Code's secret storage, never in a file.");
  const url = await vscode.window.showInputBox({
    title: t("Address of the Team's Database"),
    prompt: kept,
    placeHolder: "postgresql://rooroo:…@db.example.test/team?sslmode=verify-full",
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^postgres(ql)?:\/\/\S+$/.test(text.trim())
        ? undefined
        : t("The address begins with postgresql://."),
  });
  if (url === undefined) return undefined;
  const key = await vscode.window.showInputBox({
    title: t("Team Key"),
    prompt: t("The key that all machines of the team share. {0}", kept),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      isTeamKey(text.trim()) ? undefined : t("The team key has 32 characters or more."),
  });
  return key === undefined ? undefined : { url: url.trim(), key: key.trim() };
}

async function during<T>(title: string, work: () => Promise<T>): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title }, work);
}
