import { translatable } from "./translator.js";

/** What lists say of a job or a run that nobody has taken over here. */
export const foreignWords = translatable(
  "It may have come with the folder, and nobody has run it here. Read it first; running it by its name takes it over.",
);
