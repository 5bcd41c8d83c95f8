import { changeDiff } from "../../core/changes/hunks.js";
import type { MayWrite } from "../../core/changes/taskChanges.js";
import { isUserError } from "../../core/errors.js";
import type { TaskId } from "../../core/ids.js";
import { landingId } from "../../core/navigator/worktrees/landingId.js";
import { leftLines } from "../../core/navigator/worktrees/leftBehindText.js";
import { notCarriedText } from "../../core/navigator/worktrees/notCarriedText.js";
import type { PlanWorktree } from "../../core/navigator/worktrees/planWorktree.js";
import type { PlanWorktrees } from "../../core/navigator/worktrees/planWorktrees.js";
import type { FileNotCarried } from "../../core/ports/worktrees.js";
import { spoken } from "../../core/text/words.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { localWorktrees } from "../../runtime/localWorktrees.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { commandWords } from "../terminal/followUps.js";
import { coloredDiff } from "../terminal/style.js";
import { terminalText } from "../terminal/terminalText.js";
import { askToWrite } from "./changes.js";
import type { Cli, Result } from "./command.js";
import { awayPlans } from "./team.js";

interface Services {
  readonly local: LocalServices;
  readonly plans: PlanWorktrees;
}

/** Lists the plans in worktrees, and worktrees that no plan knows. */
export async function listPlans(cli: Cli): Promise<Result<never>> {
  const { plans } = await servicesOf(cli, "rooroo plan list");
  const away = await awayPlans(cli);
  const open = (await plans.open()).filter(({ planId }) => !away.includes(planId));
  const orphans = await plans.orphans();
  const conflicts = new Map(
    await Promise.all(
      open.map(async ({ planId, made }) => {
        const found = made === undefined ? new Map() : await plans.conflicts(planId);
        return [planId, found as ReadonlyMap<string, readonly string[]>] as const;
      }),
    ),
  );
  const left = new Map(
    await Promise.all(
      open.map(async ({ planId }) => [planId, await plans.leftBehind(planId)] as const),
    ),
  );
  const text = () => {
    const elsewhere =
      away.length === 0
        ? ""
        : `${t("{0, plural, one {# plan} other {# plans}} sent to other machines: rooroo plan sent", away.length)}\n`;
    if (open.length + orphans.length === 0) return `${t("No plan has a worktree.")}\n${elsewhere}`;
    const lines = open.flatMap((plan) => [
      `${plan.planId}  ${plan.about === undefined ? "" : `${terminalText(plan.about)}  `}${placeText(plan)}`,
      ...[...(conflicts.get(plan.planId) ?? [])].map(
        ([other, paths]) =>
          `  ${t("will conflict with {0} in {1}", other, paths.map((path) => terminalText(path)).join(", "))}`,
      ),
      ...leftLines(left.get(plan.planId) ?? new Map(), t).map((line) => `  ${terminalText(line)}`),
    ]);
    const leftOver = orphans.map((name) => `${name}  ${t("left over: no plan here knows it")}`);
    return `${[...lines, ...leftOver].join("\n")}\n${elsewhere}`;
  };
  const json = () => ({
    plans: open.map(({ planId, about, phase, made }) => ({
      planId,
      ...(about === undefined ? {} : { about }),
      phase,
      ...(made === undefined ? {} : { folder: made.root, bytes: made.bytes }),
      conflicts: Object.fromEntries(conflicts.get(planId) ?? []),
      left: Object.fromEntries(left.get(planId) ?? []),
    })),
    orphans,
  });
  return { end: "done", json, text };
}

/** Shows what landing a plan would change in the folder. */
export async function showPlanChanges(given: string, cli: Cli): Promise<Result<never>> {
  const { plans } = await servicesOf(cli, "rooroo plan diff");
  const planId = await planNamed(given, plans);
  const landing = await plans.preview(planId);
  if (landing.type === "conflicts") return conflictsResult(planId, landing.paths, cli);
  const { files, leftOut } = landing;
  const diffs = files.map((file) => ({
    path: file.path,
    diff: changeDiff(file.path, file.before, file.after),
  }));
  const json = () => ({ planId, files: diffs, leftOut });
  const text = () => {
    const { style } = cli.terminal;
    if (diffs.length === 0 && leftOut.length === 0)
      return `${t("Landing this plan changes nothing.")}\n`;
    const shown = diffs.map(
      ({ path, diff }) =>
        `${style.bold(terminalText(path))}\n${coloredDiff(terminalText(diff), style)}`,
    );
    return shown.join("") + leftOutText(leftOut);
  };
  return { end: "done", json, text };
}

/**
 * Lands a plan: puts what it has changed into the folder, as changes that can be undone. Asks at the terminal about
 * protected files.
 */
export async function landPlan(
  { plan: given, yes }: { readonly plan: string; readonly yes: boolean },
  cli: Cli,
): Promise<Result<"waiting">> {
  const { plans, local } = await servicesOf(cli, "rooroo plan land");
  const planId = await planNamed(given, plans);
  const id = landingId(planId);
  const asking = askToWrite(id, { local }, cli);
  const landed = await landedOrRefused(planId, { plans, mayWrite: asking.mayWrite, yes });
  if (landed.type === "conflicts") return conflictsResult(planId, landed.paths, cli);
  const { files, leftOut, type, unfinished } = landed;
  const stayed = await plans.leftBehind(planId);
  const json = () => ({
    planId,
    taskId: id,
    unfinished,
    files: files.map((file) =>
      file.type === "left"
        ? { path: file.path, type: file.type, words: file.problem.message, code: file.problem.code }
        : file,
    ),
    leftOut,
    left: Object.fromEntries(stayed),
  });
  const text = () => {
    const { style } = cli.terminal;
    const lines = files.map((file) => {
      const path = terminalText(file.path);
      return file.type === "landed"
        ? `${style.green("✓")} ${path}\n`
        : `${style.yellow("!")} ${t("{0} was not changed. {1}", path, terminalText(spoken(file.problem, t)))}\n`;
    });
    const left = unfinished.map(({ taskId, is }) => `  ${taskId}: ${is}\n`);
    const tasks =
      left.length === 0
        ? ""
        : `${t("These tasks have not ended, and can go on:")}\n${left.join("")}`;
    const end =
      type === "partly"
        ? `${t("The worktree stays, for what has not landed. Copy what you want from it by hand (rooroo plan list says where it is), then discard the plan.")}\n`
        : `${t(
            left.length === 0
              ? "The plan has landed, and its worktree is removed. {0} undoes it."
              : "The plan has landed, and its worktree stays for these tasks. {0} undoes it.",
            commandWords(cli.options, ["undo", id]),
          )}\n`;
    const staying = leftLines(stayed, t).map((line) => `${terminalText(line)}\n`);
    return lines.join("") + leftOutText(leftOut) + staying.join("") + tasks + end;
  };
  return {
    end: asking.waits() ? "waiting" : type === "landed" ? "done" : "failed",
    json,
    text,
  };
}

/**
 * Brings what is in the folder by now into a plan's worktree. Where both have changed the same lines, a task is queued
 * that resolves the conflicts.
 */
export async function updatePlan(given: string, cli: Cli): Promise<Result<never>> {
  const { plans } = await servicesOf(cli, "rooroo plan update");
  const planId = await planNamed(given, plans);
  const conflicts = await plans.update(planId);
  let taskId: TaskId | undefined;
  if (conflicts.length > 0) {
    const { openQueue } = await import("./changeQueue.js");
    taskId = await (await openQueue(cli)).navigator.queue.addConflictTask(planId, conflicts);
  }
  const text = () =>
    taskId === undefined
      ? `${t("The worktree has what is in your folder now.")}\n`
      : `${t("The worktree has what is in your folder now. These files have conflict markers there:")}\n${pathLines(conflicts)}${t("The task {0} is queued, which resolves them. Run it with: {1}", taskId, commandWords(cli.options, ["proceed"]))}\n`;
  const json = () => ({ planId, conflicts, ...(taskId === undefined ? {} : { taskId }) });
  return { end: "done", json, text };
}

/** Removes a plan's worktree, with all that was done in it, or one that no plan knows. */
export async function discardPlan(
  { plan: given, yes }: { readonly plan: string; readonly yes: boolean },
  cli: Cli,
): Promise<Result<never>> {
  const { plans } = await servicesOf(cli, "rooroo plan discard");
  const orphans = await plans.orphans();
  const isOrphan = orphans.includes(given);
  const planId = isOrphan ? given : await planNamed(given, plans);
  if (!yes) {
    throw new WrongUse(
      "discardUnconfirmed",
      "Discarding removes the worktree with all that was done in it, and cannot be undone. Add --yes.",
    );
  }
  if ((await awayPlans(cli)).includes(planId)) {
    throw new WrongUse(
      "planAway",
      "{planId} was sent to other machines. `rooroo plan cancel` ends the work on it.",
      { planId },
    );
  }
  if (isOrphan) await plans.removeOrphan(given);
  else await plans.discard(planId);
  const text = () =>
    `${t("The worktree of {0} is removed. Nothing of it was landed just now.", planId)}\n`;
  return { end: "done", json: () => ({ planId, discarded: true }), text };
}

async function servicesOf({ options, terminal }: Cli, label: string): Promise<Services> {
  const root = await workspaceRoot(options.workspace);
  const local = localServices(root, label);
  return { local, plans: localWorktrees({ root, local, redactor: terminal.redactor }) };
}

/** Returns the id of the open plan given by its id or a unique end of it. Throws {@link WrongUse}. */
async function planNamed(given: string, plans: PlanWorktrees): Promise<string> {
  const ids = (await plans.open()).map(({ planId }) => planId);
  if (ids.includes(given)) return given;
  const end = given.toUpperCase();
  const found = end === "" ? [] : ids.filter((id) => id.toUpperCase().endsWith(end));
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  if (found.length > 1) {
    throw new WrongUse("planAmbiguous", "{id} fits several plans: {plans}. Give more of the id.", {
      id: given,
      plans: found.join(", "),
    });
  }
  throw new WrongUse(
    "planNotListed",
    "No plan {id} has a worktree here. `rooroo plan list` lists those that do.",
    { id: given },
  );
}

/** Lands a plan. Throws {@link WrongUse}, with the option that does it anyway, where some tasks have not ended. */
async function landedOrRefused(
  planId: string,
  { plans, mayWrite, yes }: { plans: PlanWorktrees; mayWrite: MayWrite; yes: boolean },
) {
  try {
    return await plans.land(planId, { mayWrite, isConfirmed: yes });
  } catch (error) {
    if (!isUserError(error) || error.code !== "planNotEnded") throw error;
    throw new WrongUse("landUnconfirmed", "{problem} Add --yes to do so.", {
      problem: error.message,
    });
  }
}

function conflictsResult(
  planId: string,
  paths: readonly string[],
  { options }: Cli,
): Result<never> {
  const update = commandWords(options, ["plan", "update", planId]);
  const text = () =>
    `${t("You and the plan have changed the same lines, so nothing was landed:")}\n${pathLines(paths)}${t("{0} brings your lines into the worktree, and has the developer resolve the conflicts.", update)}\n`;
  return { end: "failed", json: () => ({ planId, conflicts: paths }), text };
}

function pathLines(paths: readonly string[]): string {
  return paths.map((path) => `  ${terminalText(path)}\n`).join("");
}

function placeText({ phase, made }: PlanWorktree): string {
  if (made === undefined) return t("its worktree is made when its first task begins");
  const size = `${Math.ceil(made.bytes / 1_000_000)} MB`;
  return `${phase === "landing" ? `${t("landing was interrupted")}  ` : ""}${terminalText(made.root)}  ${size}`;
}

function leftOutText(leftOut: readonly FileNotCarried[]): string {
  if (leftOut.length === 0) return "";
  const lines = leftOut.map((file) => `  ${terminalText(notCarriedText(file, t))}\n`);
  return `${t("{0, plural, one {# file} other {# files}} cannot land:", leftOut.length)}\n${lines.join("")}`;
}
