import { isUserError } from "../errors.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../ports/model.js";
import type { Redactor } from "../text/redactor.js";

/** Removes the keys that are in use from a model's answers and errors. */
export class RedactedModel implements LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    private readonly redactor: Redactor,
  ) {}

  get name(): string {
    return this.model.name;
  }

  get contextTokens(): number | undefined {
    return this.model.contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const filters = { text: this.redactor.stream(), reasoning: this.redactor.stream() };
    try {
      for await (const event of this.model.respond(request, signal)) {
        if (event.type !== "text" && event.type !== "reasoning") {
          yield this.redactor.each(event);
          continue;
        }
        const text = filters[event.type].add(event.text);
        if (text !== "") yield { type: event.type, text };
      }
      for (const type of ["reasoning", "text"] as const) {
        const text = filters[type].finish();
        if (text !== "") yield { type, text };
      }
    } catch (error) {
      if (error instanceof Error) error.message = this.redactor.text(error.message);
      // An editor makes the words anew from template and parameters.
      if (isUserError(error)) error.params = this.redactor.each(error.params);
      throw error;
    }
  }
}
