import type * as Markdown from "./markdown.js";

let loaded: typeof Markdown | undefined;
let trying: Promise<void> | undefined;

/** Once for a page. Resolves either way: without it, text is plain. */
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

/** Throws where it is not loaded. */
export function markdown(): typeof Markdown {
  if (loaded === undefined) throw new Error("Markdown has not been loaded.");
  return loaded;
}
