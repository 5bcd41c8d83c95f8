/** The version of the protocol: 1 has `*.task.md` files, 2 has `*.job.md` files. */
export type Version = 1 | 2;

export const taskStatuses = ["Pending", "Locked", "Completed", "Failed", "Cancelled"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/**
 * The possible next statuses of a task (R-JIXO-26). A new task is Pending; Completed and Cancelled are final.
 */
const transitions: Readonly<Record<Version, Readonly<Record<TaskStatus, readonly TaskStatus[]>>>> =
  {
    1: {
      Pending: ["Locked", "Cancelled"],
      Locked: ["Completed", "Failed", "Pending", "Cancelled"],
      Failed: [],
      Completed: [],
      Cancelled: [],
    },
    2: {
      Pending: ["Locked", "Cancelled"],
      Locked: ["Completed", "Failed", "Pending"],
      Failed: ["Pending", "Cancelled"],
      Completed: [],
      Cancelled: [],
    },
  };

/** Returns the statuses that a task may change to, in this version. */
export function nextStatuses(status: TaskStatus, version: Version): readonly TaskStatus[] {
  return transitions[version][status];
}

/** Returns whether nothing is left to do of a task with this status. */
export function isOver(status: TaskStatus | undefined): boolean {
  return status === "Completed" || status === "Cancelled";
}

/** Reads a status in upper or lower case. */
export function readStatus(text: string): TaskStatus | undefined {
  return taskStatuses.find((status) => status.toLowerCase() === text.toLowerCase());
}
