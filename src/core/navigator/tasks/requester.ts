import type { TaskId } from "../../ids.js";

/** Somebody who follows one request on its own, such as VS Code's chat. */
export interface Requester {
  /** Ends what was asked for, and nothing beside it. */
  readonly signal: AbortSignal;
  /** Called with the id of each task that begins for the request. */
  began(taskId: TaskId): void;
}
