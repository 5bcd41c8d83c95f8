import type { LanguageModel, ModelRequest } from "../ports/model.js";

/** Returns the model, of which each request waits for what is to be done before. */
export function waitingModel(
  model: LanguageModel,
  before: (request: ModelRequest) => Promise<void>,
): LanguageModel {
  return {
    get name() {
      return model.name;
    },
    get contextTokens() {
      return model.contextTokens;
    },
    async *respond(request, signal) {
      await before(request);
      yield* model.respond(request, signal);
    },
  };
}
