import type { Outcome } from "../../core/navigator/outcome.js";
import type { RunLayout } from "../../core/runs/runLayout.js";
import type { RunAction } from "../../core/runs/takeUp.js";
import { placeholder } from "./commandWords.js";
import type { FollowUps } from "../terminal/followUps.js";
import type { Session } from "../session/session.js";

/** An action on runs, and where the runs are. */
export interface RunWork {
  readonly action: RunAction;
  readonly layout: RunLayout;
  /** The runs' directory as the user named it; `undefined`: the usual one. */
  readonly directory: string | undefined;
}

/** Carries out an action on runs, and offers the commands that can follow. */
export async function goOn(
  { action, layout, directory }: RunWork,
  session: Session,
  followUps: FollowUps,
): Promise<Outcome & { readonly runId?: string }> {
  const { status, runId } = await session.run(action, layout);
  const place = directory === undefined ? [] : ["--directory", directory];
  const run = (...words: string[]) => ["run", ...words, ...place];
  if (runId !== undefined && status === "waiting") {
    followUps.offer(run("confirm", runId), run("modify", runId, placeholder), run("cancel", runId));
  }
  const about = runId === undefined ? {} : { runId };
  if (status === "elsewhere") return { status: "waiting", ...about };
  if (status !== "stopped") return { status, ...about };
  if (runId !== undefined) followUps.offer(run("resume", runId));
  return { status: "failed", ...about };
}
