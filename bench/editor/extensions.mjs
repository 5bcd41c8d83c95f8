/** What is installed in the bench's editor: the id and the view with a panel. */
export const rooroo = { id: "rooroo.rooroo-navigator", view: "rooroo.chat" };
/** See `empty/extension.cjs`. */
export const empty = { id: "rooroo-bench.bench-empty", view: "benchEmpty.page" };
