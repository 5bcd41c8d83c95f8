import type { RunId } from "../../ids.js";

/**
 * Returns the id of a run's unit. The same unit always has the same id, so that a resumed run finds its
 * session.
 */
export function runUnitId(runId: RunId, unit: string): string {
  return `ROO#RUN_${runId.replace(/^run-/, "")}_${unit}`;
}
