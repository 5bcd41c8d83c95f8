/** Of the two versions of the protocol: 1 has `*.task.md` files, 2 has `*.job.md` files. */
export type Version = 1 | 2;

export const taskStatuses = ["Pending", "Locked", "Completed", "Failed", "Cancelled"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** What may become of a task (R-JIXO-26). A new one is Pending; Completed and Cancelled are ends. */
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

/** What the task may become now, of that version. */
export function nextStatuses(status: TaskStatus, version: Version): readonly TaskStatus[] {
  return transitions[version][status];
}

/** Nothing is left to do of it. */
export function isOver(status: TaskStatus | undefined): boolean {
  return status === "Completed" || status === "Cancelled";
}

/** As people write it: in any case. */
export function readStatus(text: string): TaskStatus | undefined {
  return taskStatuses.find((status) => status.toLowerCase() === text.toLowerCase());
}
