import type * as Markdown from "./markdown.js";

let loaded: typeof Markdown | undefined;
let trying: Promise<void> | undefined;

/** Loads Markdown rendering, once per page. Never rejects: if loading fails, text is shown as it is. */
export function loadMarkdown(): Promise<void> {
  return (trying ??= import("./markdown.js").then(
    (module) => {
      loaded = module;
    },
    (error: unknown) => {
      reportError(error);
    },
  ));
}

/** Returns the module for Markdown. Throws if it has not been loaded. */
export function markdown(): typeof Markdown {
  if (loaded === undefined) throw new Error("Markdown has not been loaded.");
  return loaded;
}
