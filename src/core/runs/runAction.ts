import type { RunId } from "../ids.js";
import { words } from "../text/words.js";
import { decideRun, type RunDecision } from "./decideRun.js";
import type { RunStore } from "./documents/runStore.js";
import { modeOf, newRun, simpleTask } from "./startRun.js";
import { driveRun, type RunEnd } from "./work/driveRun.js";
import type { RunServices } from "./work/runServices.js";

/** An action of the user on runs. */
export type RunAction =
  | {
      readonly type: "start";
      readonly request: string;
      /** Whether the user says that it is a single command; `undefined`: a model judges. */
      readonly isSimple: boolean | undefined;
      /** Called when the run is written down. */
      readonly onRecorded?: () => Promise<void>;
    }
  | { readonly type: "resume"; readonly runId: RunId }
  | { readonly type: "decide"; readonly runId: RunId; readonly decision: RunDecision };

export interface RunActionEnd extends RunEnd {
  /** `undefined` for a single command, which has no run. */
  readonly runId: RunId | undefined;
}

/** Carries out a user's action, then drives the run until it can go no further. */
export async function carryOutRunAction(
  action: RunAction,
  store: RunStore,
  services: RunServices,
  signal: AbortSignal,
): Promise<RunActionEnd> {
  if (action.type === "start") {
    const { request, isSimple, onRecorded } = action;
    const mode = await modeOf(request, isSimple, store, services, signal);
    if (mode === "SIMPLE_TASK") {
      const { status, message } = await simpleTask(request, store, services, signal);
      if (status !== "stopped") services.say(message);
      return { status, reason: message, runId: undefined };
    }
    const runId = await newRun(request, store, services.experts.clock.now());
    await onRecorded?.();
    services.publisher.notice("info", words("{runId} begins ({mode}).", { runId, mode }));
    return { ...(await driveRun(runId, store, services, signal)), runId };
  }
  const { runId } = action;
  if (action.type === "decide") await decideRun(runId, action.decision, store, services.lock);
  return { ...(await driveRun(runId, store, services, signal)), runId };
}
