import { ModelError, saidBy } from "../../errors.js";
import type { LanguageModel } from "../../ports/model.js";

/** Returns the model that a job file asks for, which says so where the server does not know it. */
export function modelOfJobFile(model: LanguageModel, path: string): LanguageModel {
  return {
    get name() {
      return model.name;
    },
    get contextTokens() {
      return model.contextTokens;
    },
    async *respond(request, signal) {
      try {
        yield* model.respond(request, signal);
      } catch (error) {
        if (!(error instanceof ModelError) || error.code !== "notFound") throw error;
        throw new ModelError(
          "notFound",
          "{why} It is {path} that asks for this model: take “model” out of it, or name one that the server has.",
          { why: saidBy(error), path },
        );
      }
    },
  };
}
