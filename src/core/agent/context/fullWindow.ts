/** The fraction of the context window above which it is compacted; the rest is kept for the answer. */
export const fullWindow = 0.8;
