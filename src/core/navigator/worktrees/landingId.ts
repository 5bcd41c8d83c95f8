import type { TaskId } from "../../ids.js";

/** Returns the id of the work that lands a plan, whose changes are reviewed and undone as a task's. */
export function landingId(planId: string): TaskId {
  return planId.replace(/^ROO#[A-Z]+_/, "ROO#LAND_");
}
