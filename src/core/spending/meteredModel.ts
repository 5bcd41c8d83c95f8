import type { Usage } from "../ports/messages.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../ports/model.js";
import type { Clock } from "../ports/system.js";
import type { UsageLog } from "./usageLog.js";

/** Records every request to a model in the usage log, including interrupted and retried ones. */
export class MeteredModel implements LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    private readonly log: UsageLog,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  get name(): string {
    return this.model.name;
  }

  get contextTokens(): number | undefined {
    return this.model.contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let requests = 1;
    let usage: Usage | undefined;
    try {
      for await (const event of this.model.respond(request, signal)) {
        if (event.type === "retry") requests++;
        if (event.type === "usage") ({ usage } = event);
        yield event;
      }
    } finally {
      const { inputTokens = 0, outputTokens = 0, costUsd: cost = 0 } = usage ?? {};
      const use = { requests, tokens: inputTokens + outputTokens, cost };
      // The work continues if the usage cannot be recorded; a limit that needs the log reports that itself.
      await this.log.record(use, this.clock.now()).catch(this.onError);
    }
  }
}
