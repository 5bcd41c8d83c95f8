import type { Outcome } from "./outcome.js";

/** The service to which the Navigator hands runs, which produce documents in phases. */
export interface RunService {
  /** Starts a new run; may resolve when it has only begun. */
  start(request: string, signal: AbortSignal): Promise<Outcome>;
}
