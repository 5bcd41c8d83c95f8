/** The result, for the model, of a call that was interrupted when the process ended. */
export const interruptedResult =
  "The program was closed while this call ran, so it may have happened in full, in part or not at all. It was not repeated. Look at what is there before you decide.";
