/** Workspace path of the file, in the syntax of `.gitignore`, that says which files experts must not see. */
export const hiddenFilesPath = ".rooignore";
