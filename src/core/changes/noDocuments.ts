import type { EditorDocuments } from "../ports.js";

/** Where no editor is: nothing is unsaved. */
export const noDocuments: EditorDocuments = {
  unsaved: () => Promise.resolve(undefined),
  replace: () => Promise.resolve(false),
};
