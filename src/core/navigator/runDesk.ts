import type { Outcome } from "./outcome.js";

/** What the Navigator hands documents on to that come to be in phases; how is not its own. */
export interface RunDesk {
  /** Works on a new run, or has begun to. */
  start(request: string, signal: AbortSignal): Promise<Outcome>;
}
