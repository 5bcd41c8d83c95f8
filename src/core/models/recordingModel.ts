import type { ToolCall } from "../agent/messages.js";
import type { Clock, FileSystem, Ids, LanguageModel, ModelEvent, ModelRequest } from "../ports.js";
import { Redactor } from "../redactor.js";
import { redacted } from "./redacted.js";

/** What recordings lie in, a folder a process. */
const recordings = ".rooroo/logs/recordings";

/**
 * Writes every exchange with a model as a fixture of aimock (https://aimock.copilotkit.dev/fixtures), one
 * file each, so that a server which is given the folder answers as the model did. What looks like a
 * secret is left out. Recording never gets into the work's way.
 */
export class RecordingModel implements LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    /** Asked at each request; `undefined`: nothing is recorded. */
    private readonly recorder: () => Recorder | undefined,
  ) {}

  get name(): string {
    return this.model.name;
  }

  get contextTokens(): number | undefined {
    return this.model.contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const recorder = this.recorder();
    if (recorder === undefined) {
      yield* this.model.respond(request, signal);
      return;
    }
    const take = recorder.begin(this.model.name, request);
    let text = "";
    const toolCalls: ToolCall[] = [];
    let finish = "stop";
    try {
      for await (const event of this.model.respond(request, signal)) {
        if (event.type === "text") text += event.text;
        else if (event.type === "toolCall") toolCalls.push(event.call);
        else if (event.type === "finish" && event.reason === "length") finish = "length";
        yield event;
      }
      await take({
        content: text,
        toolCalls,
        finishReason: toolCalls.length > 0 ? "tool_calls" : finish,
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await take({ error: { message, type: "server_error" }, status: 500 });
      throw error;
    }
  }
}

type Taken =
  | { content: string; toolCalls: readonly ToolCall[]; finishReason: string }
  | { error: { message: string; type: string }; status: number };

/** Numbers the exchanges of one process, whichever model they are with. */
export class Recorder {
  private count = 0;
  private folder: string | undefined;

  constructor(
    private readonly files: Pick<FileSystem, "createFile">,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly onError: (error: unknown) => void,
    /** Knows the keys that are in use, whatever they look like. */
    private readonly redactor: Redactor = new Redactor(),
  ) {}

  /** An exchange begins; it is written when the returned function is told how it ended. */
  begin(model: string, { messages, tools }: ModelRequest): (taken: Taken) => Promise<void> {
    const number = this.count++;
    const folder = (this.folder ??= this.newFolder());
    const request = { model, messages: [...messages], tools: tools.map(({ name }) => name) };
    return async (taken) => {
      // In the order of the requests, which is all that a replay has to go by.
      const match = { endpoint: "chat", sequenceIndex: number };
      const file = { fixtures: [{ match, response: responseOf(taken) }], request };
      const name = `${String(number + 1).padStart(4, "0")}.json`;
      try {
        await this.files.createFile(`${folder}/${name}`, clean(this.redactor.each(file)));
      } catch (error) {
        this.onError(error);
      }
    };
  }

  private newFolder(): string {
    const time = this.clock.now().toISOString().replace(/\D/g, "").slice(0, 14);
    return `${recordings}/${time}-${this.ids.hex(4)}`;
  }
}

function responseOf(taken: Taken): object {
  if ("error" in taken) return taken;
  const { content, toolCalls, finishReason } = taken;
  return {
    ...(content === "" && toolCalls.length > 0 ? {} : { content }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    finishReason,
  };
}

/** Secrets are looked for in each text by itself: JSON's own signs are none of theirs. */
function clean(value: unknown): string {
  const each = (_key: string, one: unknown) => (typeof one === "string" ? redacted(one) : one);
  return `${JSON.stringify(value, each, 2)}\n`;
}
