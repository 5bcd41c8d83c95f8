import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import { UserError } from "../../core/errors.js";
import type { Overview } from "../../core/navigator/overview/overview.js";
import { planIdOf } from "../../core/navigator/tasks/taskIds.js";
import { landingId } from "../../core/navigator/worktrees/landingId.js";
import { leftLines } from "../../core/navigator/worktrees/leftBehindText.js";
import { notCarriedText } from "../../core/navigator/worktrees/notCarriedText.js";
import type { PlanPlace } from "../../core/navigator/worktrees/planPlace.js";
import type { LandedPlan, PlanWorktrees } from "../../core/navigator/worktrees/planWorktrees.js";
import type { FileNotCarried, Landing } from "../../core/ports/worktrees.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { errorText } from "../errors/errorText.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { choose, type Choosing, idIn } from "../work/choose.js";
import { bound, type CommandTable, type ContextHandler } from "../work/commandHandlers.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { ChangeReview } from "./changeReview.js";
import { listed } from "./listed.js";

interface Dependencies {
  readonly workspace: CurrentWorkspace;
  readonly review: Pick<ChangeReview, "open">;
  /** Called when files have changed. */
  readonly onSettled: () => void;
  /** Brings what came of a plan here if the argument means one that is away. Returns its id, else the argument. */
  readonly receive: (argument: unknown) => Promise<unknown>;
  /** Called when a plan has landed or was discarded. */
  readonly onOver: () => void;
}

/** A plan in a worktree. */
interface Chosen {
  readonly planId: string;
  /** The plan's goal, shortened. */
  readonly goal: string;
  readonly made?: PlanPlace["made"];
}

type PlanHandler = ContextHandler<Dependencies>;

const showPlanChanges: PlanHandler = async ({ workspace }, argument) => {
  const plan = await choosePlan(workspace, argument, true);
  if (plan === undefined) return;
  const landing = await (await worktreesOf(workspace)).preview(plan.planId);
  if (landing.type === "conflicts") return resolve(workspace, plan, landing.paths);
  if (landing.leftOut.length > 0) {
    void vscode.window.showWarningMessage(leftOutText(landing.leftOut));
  }
  if (landing.files.length > 0) await showLanding(workspace.require().folder, plan, landing);
  else void vscode.window.showInformationMessage(t("Landing this plan changes nothing."));
};

const landPlan: PlanHandler = async (context, argument) => {
  const { workspace, receive, review, onSettled, onOver } = context;
  const received = await receive(await landable(workspace, argument));
  const plan = await choosePlan(workspace, received, true);
  if (plan === undefined) return;
  const { planId, goal } = plan;
  const found = await worktreesOf(workspace);
  const landing = await found.preview(planId);
  if (landing.type === "conflicts") return resolve(workspace, plan, landing.paths);
  const unfinished = await found.unfinished(planId);
  const detail = [
    listed(
      landing.files.map(({ path }) => path),
      t,
    ),
    leftOutText(landing.leftOut),
    leftLines(await found.leftBehind(planId), t).join("\n"),
    unfinished.length === 0
      ? ""
      : t(
          "These tasks have not ended: {0}. What there is by now lands, and the worktree stays for them.",
          unfinished.map(({ taskId }) => taskId).join(", "),
        ),
    t("You review the changes afterwards, and can revert or undo them."),
  ];
  const answer = t("Land Plan");
  const given = await vscode.window.showInformationMessage(
    t("Land the plan “{0}”?", goal),
    { modal: true, detail: detail.filter((text) => text !== "").join("\n\n") },
    answer,
  );
  if (given !== answer) return;
  const { mayWrite } = await import("./mayWrite.js");
  const isConfirmed = unfinished.length > 0;
  const landed = await found.land(planId, { mayWrite, isConfirmed });
  if (landed.type === "conflicts") return resolve(workspace, plan, landed.paths);
  onSettled();
  onOver();
  tell(landed);
  if (landed.files.some(({ type }) => type === "landed")) await review.open(landingId(planId));
};

const discardPlan: PlanHandler = async ({ workspace, onSettled, onOver }, argument) => {
  const found = await worktreesOf(workspace);
  const orphans = await found.orphans();
  const orphan = orphans.find((name) => name === argument);
  const plan =
    orphan === undefined
      ? await choosePlan(workspace, argument, false)
      : { planId: orphan, goal: orphan };
  if (plan === undefined) return;
  const answer = t("Discard Plan");
  const given = await vscode.window.showWarningMessage(
    t("Discard the worktree of “{0}”?", plan.goal),
    { modal: true, detail: t("All that was done in it is lost. This cannot be undone.") },
    answer,
  );
  if (given !== answer) return;
  if (orphan === undefined) await found.discard(plan.planId);
  else await found.removeOrphan(orphan);
  onSettled();
  onOver();
};

/** Shows what a task in a worktree has changed with all of its plan, or with its landing. */
const reviewChanges: PlanHandler = async (context, argument) => {
  const { workspace, review } = context;
  const overview = await workspace.require().overview();
  const { places = [], tasks } = overview;
  const planId = named(argument, overview);
  const own = tasks.find(({ taskId }) => taskId === idIn(argument));
  if (planId === undefined || own?.hasChanges === true) return review.open(argument);
  if (places.some((place) => place.planId === planId && place.made !== undefined)) {
    return showPlanChanges(context, planId);
  }
  const landing = landingId(planId);
  const hasLanded = tasks.some(({ taskId, hasChanges }) => taskId === landing && hasChanges);
  return review.open(hasLanded ? landing : argument);
};

const table = {
  "rooroo.reviewChanges": reviewChanges,
  "rooroo.showPlanChanges": showPlanChanges,
  "rooroo.landPlan": landPlan,
  "rooroo.discardPlan": discardPlan,
  "rooroo.updatePlan": async ({ workspace }, argument) => {
    const plan = await choosePlan(workspace, argument, true);
    if (plan !== undefined) await update(workspace, plan);
  },
  "rooroo.openWorktree": async ({ workspace }, argument) => {
    const made = (await choosePlan(workspace, argument, true))?.made;
    if (made === undefined) return;
    const uri = vscode.Uri.file(made.root);
    await vscode.commands.executeCommand("vscode.openFolder", uri, { forceNewWindow: true });
  },
} satisfies CommandTable<Dependencies>;

/** Returns the commands for plans in worktrees. Each takes a tree row, the id of a plan or task, or nothing. */
export function planPlaceCommands(dependencies: Dependencies) {
  return bound(table, dependencies);
}

async function worktreesOf(workspace: CurrentWorkspace): Promise<PlanWorktrees> {
  const found = await (await workspace.require().navigator()).plans();
  if (found === undefined) throw noPlan();
  return found;
}

async function choosePlan(
  workspace: CurrentWorkspace,
  argument: unknown,
  isMade: boolean,
): Promise<Chosen | undefined> {
  const overview = await workspace.require().overview();
  const place = await choose(overview.places ?? [], named(argument, overview), {
    ...choosing(overview),
    fits: ({ made }) => !isMade || made !== undefined,
  });
  if (place === undefined) return undefined;
  const { planId, made } = place;
  return { planId, goal: shorten(goalOf(planId, overview), 80), ...(made && { made }) };
}

/** Lets the user choose a plan to land if some have come to an end on other machines; else returns the argument. */
async function landable(workspace: CurrentWorkspace, argument: unknown): Promise<unknown> {
  const overview = await workspace.require().overview();
  const { away = [], places = [] } = overview;
  const ended = away.filter(({ state }) => state === "done" || state === "failed");
  if (argument !== undefined || ended.length === 0) return argument;
  const plans = [...places.filter(({ made }) => made !== undefined), ...ended];
  const plan = await choose(plans, undefined, choosing(overview));
  return plan?.planId ?? "";
}

/** Returns how a plan is chosen among some. */
function choosing(overview: Overview): Choosing<{ readonly planId: string }> {
  return {
    names: ({ planId }) => [planId],
    show: ({ planId }) => ({ label: shorten(goalOf(planId, overview), 80), detail: planId }),
    placeHolder: t("Select a plan"),
    unknown: noPlan,
    none: noPlan,
  };
}

/** Says what conflicts, and offers to have that resolved. */
async function resolve(
  workspace: CurrentWorkspace,
  plan: Chosen,
  paths: readonly string[],
): Promise<void> {
  const answer = t("Have It Resolved");
  const given = await vscode.window.showWarningMessage(
    t(
      "You and the plan have changed the same lines, so nothing lands: {0}.",
      visibleLine(paths.join(", "), 300),
    ),
    answer,
  );
  if (given === answer) await update(workspace, plan);
}

/** Brings what is in the folder by now into the worktree, where a task resolves what conflicts. */
async function update(workspace: CurrentWorkspace, { planId }: Chosen): Promise<void> {
  const conflicts = await (await worktreesOf(workspace)).update(planId);
  if (conflicts.length === 0) {
    void vscode.window.showInformationMessage(t("The worktree has what is in your folder now."));
    return;
  }
  await (await workspace.require().navigator()).queue.addConflictTask(planId, conflicts);
  const proceed = t("Proceed");
  const chosenStep = await vscode.window.showInformationMessage(
    t(
      "The worktree has what is in your folder now. A task is queued that resolves the conflicts in {0}.",
      visibleLine(conflicts.join(", "), 300),
    ),
    proceed,
  );
  if (chosenStep === proceed)
    await vscode.commands.executeCommand("rooroo.proceed" satisfies CommandId);
}

/** Returns the id of the plan that an argument means, which may be one of its tasks; `undefined`: it means none. */
function named(argument: unknown, { tasks }: Overview): string | undefined {
  const id = idIn(argument);
  if (id === undefined) return undefined;
  return tasks.find(({ taskId }) => taskId === id)?.planId ?? planIdOf(id);
}

function goalOf(planId: string, { plans, tasks, places = [], away = [] }: Overview): string {
  const plan = plans.find((one) => one.planId === planId);
  const task = tasks.find(({ taskId }) => planIdOf(taskId) === planId);
  const place = places.find((one) => one.planId === planId);
  const sent = away.find((one) => one.planId === planId);
  return plan?.goal ?? task?.goal ?? place?.about ?? sent?.goal ?? planId;
}

/** Shows what landing a plan would change, beside the user's files. */
async function showLanding(
  folder: vscode.Uri,
  { planId, goal }: Chosen,
  { files }: Extract<Landing, { type: "clean" }>,
): Promise<void> {
  const { planText } = await import("./planTexts.js");
  const resources = files.map(({ path, before, after }) => {
    const uri = vscode.Uri.joinPath(folder, path);
    return [uri, before && uri, after && planText(uri, planId, after)];
  });
  const end = planId.replace(/^.*_\d{14}_/, "");
  const title = t("Plan in its worktree: {0}", `${shorten(goal, 40)} · ${end}`);
  await vscode.commands.executeCommand("vscode.changes", title, resources);
}

function tell({ files, leftOut, type, unfinished }: Exclude<LandedPlan, { type: "conflicts" }>) {
  if (type === "landed") {
    const words =
      unfinished.length === 0
        ? t("The plan has landed, and its worktree is removed.")
        : t("What the plan has so far has landed. Its worktree stays for its tasks.");
    void vscode.window.showInformationMessage(words);
    return;
  }
  const left = files.flatMap((file) => (file.type === "left" ? [errorText(file.problem)] : []));
  const lines = [...left, ...leftOut.map((file) => notCarriedText(file, t))];
  void vscode.window.showWarningMessage(
    t("Not all of the plan has landed, so its worktree stays. {0}", listed(lines, t)),
  );
}

function leftOutText(leftOut: readonly FileNotCarried[]): string {
  if (leftOut.length === 0) return "";
  return t(
    "Some files cannot land: {0}",
    listed(
      leftOut.map((file) => notCarriedText(file, t)),
      t,
    ),
  );
}

function noPlan(): UserError {
  return new UserError("noPlanInWorktree", "There is no such plan in a worktree here.");
}
