/** The queue's file, a workspace path. */
export const queuePath = ".rooroo/queue.jsonl";
