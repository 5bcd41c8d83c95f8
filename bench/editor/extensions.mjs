/** An extension that is installed in the bench's editor: its id, and its view with a panel. */
export const rooroo = { id: "rooroo.rooroo-navigator", view: "rooroo.chat" };
/** The extension of `empty/extension.cjs`. */
export const empty = { id: "rooroo-bench.bench-empty", view: "benchEmpty.page" };
