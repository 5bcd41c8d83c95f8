import type { EditorDocuments } from "../ports/editor.js";

/** The documents where there is no editor: nothing is unsaved. */
export const noDocuments: EditorDocuments = {
  unsaved: () => Promise.resolve(undefined),
  replace: () => Promise.resolve(false),
};
