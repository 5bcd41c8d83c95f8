import type { RunId } from "../ids.js";
import { words } from "../text/words.js";
import type { Beginning } from "../work/requestedWork.js";
import { takeOver } from "../work/takenOver.js";
import { decideRun, type RunDecision } from "./decideRun.js";
import type { RunStore } from "./documents/runStore.js";
import { takeableRun } from "./documents/takenOver.js";
import { modeOf, newRun, simpleTask } from "./startRun.js";
import { driveRun, type RunEnd } from "./work/driveRun.js";
import type { RunServices } from "./work/runServices.js";
import { isRunUnit } from "./work/runUnit.js";

/** An action of the user on runs. */
export type RunAction =
  | {
      readonly type: "start";
      readonly request: string;
      /** Whether the user says that it is a single command; `undefined`: a model judges. */
      readonly isSimple: boolean | undefined;
    }
  | { readonly type: "resume"; readonly runId: RunId }
  | { readonly type: "decide"; readonly runId: RunId; readonly decision: RunDecision };

export interface RunActionEnd extends RunEnd {
  /** `undefined` for a single command, which has no run. */
  readonly runId: RunId | undefined;
}

/**
 * Carries out a user's action, which takes the run over, then drives the run until it can go no further.
 *
 * @param begun the request as it was written down; ended when the run, or the decision, is
 */
export async function carryOutRunAction(
  action: RunAction,
  store: RunStore,
  services: RunServices,
  signal: AbortSignal,
  begun?: Beginning,
): Promise<RunActionEnd> {
  const { experts } = services;
  if (action.type === "start") {
    const { request } = action;
    const became = begun?.became;
    const isSimple = became === undefined ? action.isSimple : isRunUnit(became);
    const mode = await modeOf(request, isSimple, store, services, signal);
    if (mode === "SIMPLE_TASK") {
      const { status, message } = await simpleTask(request, store, services, signal, begun);
      if (status !== "stopped") services.say(message);
      return { status, reason: message, runId: undefined };
    }
    const runId = await newRun(request, store, experts, begun);
    services.publisher.notice("info", words("{runId} begins ({mode}).", { runId, mode }));
    return { ...(await driveRun(runId, store, services, signal)), runId };
  }
  const { runId } = action;
  await takeOver(takeableRun(runId, store.layout), experts);
  if (action.type === "decide") {
    await decideRun(runId, action.decision, store, services.lock);
    await begun?.end();
  }
  return { ...(await driveRun(runId, store, services, signal)), runId };
}
