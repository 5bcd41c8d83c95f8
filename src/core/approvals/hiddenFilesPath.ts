/** In the syntax of `.gitignore`: what a person hides from experts. A workspace path. */
export const hiddenFilesPath = ".rooignore";
