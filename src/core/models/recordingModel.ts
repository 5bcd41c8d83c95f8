import type { FileSystem } from "../ports/files.js";
import type { ToolCall } from "../ports/messages.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../ports/model.js";
import type { Clock, Ids } from "../ports/system.js";
import { Redactor } from "../text/redactor.js";
import { redacted } from "./redacted.js";

/** Workspace path of the folder of recordings, in which each process has a folder. */
const recordings = ".rooroo/logs/recordings";

/**
 * Writes every exchange with a model as a fixture of aimock (https://aimock.copilotkit.dev/fixtures), one
 * file each, so that a server which is given the folder answers as the model did. What looks like a secret is
 * left out. A failed recording does not disturb the work.
 */
export class RecordingModel implements LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    /** Called at each request; `undefined`: it is not recorded. */
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

/** Numbers and records the exchanges of one process, whichever model they are with. */
export class Recorder {
  private count = 0;
  private folder: string | undefined;

  constructor(
    private readonly files: Pick<FileSystem, "createFile">,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly onError: (error: unknown) => void,
    /** Removes the keys that are in use, whatever they look like. */
    private readonly redactor: Redactor = new Redactor(),
  ) {}

  /** Begins an exchange, which is written when the returned function is called with its outcome. */
  begin(model: string, { messages, tools }: ModelRequest): (taken: Taken) => Promise<void> {
    const number = this.count++;
    const folder = (this.folder ??= this.newFolder());
    const request = { model, messages: [...messages], tools: tools.map(({ name }) => name) };
    return async (taken) => {
      // A replay can only go by the order of the requests.
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

/** Redacts each string by itself, because JSON's own punctuation is no part of a secret. */
function clean(value: unknown): string {
  const each = (_key: string, one: unknown) => (typeof one === "string" ? redacted(one) : one);
  return `${JSON.stringify(value, each, 2)}\n`;
}
