import type * as real from "vscode";
import { LanguageModelChatMessageRole } from "./enums.js";
import { CancellationTokenSource, Disposable, EventEmitter } from "./events.js";

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}
export class LanguageModelDataPart {
  static image(data: Uint8Array, mimeType: string): LanguageModelDataPart {
    return new LanguageModelDataPart(data, mimeType);
  }

  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {}
}
export class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}
export class LanguageModelToolResultPart {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}
export class LanguageModelPromptTsxPart {
  constructor(readonly value: unknown) {}
}
export class LanguageModelToolResult {
  constructor(readonly content: unknown[]) {}
}

export class LanguageModelError extends Error {
  private static make(code: string) {
    return (message?: string): LanguageModelError => new LanguageModelError(message, code);
  }
  static readonly NoPermissions = LanguageModelError.make("NoPermissions");
  static readonly Blocked = LanguageModelError.make("Blocked");
  static readonly NotFound = LanguageModelError.make("NotFound");

  constructor(
    message?: string,
    readonly code = "Unknown",
  ) {
    super(message);
  }
}

export class LanguageModelChatMessage {
  static User(content: string | unknown[], name?: string): LanguageModelChatMessage {
    return new LanguageModelChatMessage(LanguageModelChatMessageRole.User, content, name);
  }
  static Assistant(content: string | unknown[], name?: string): LanguageModelChatMessage {
    return new LanguageModelChatMessage(LanguageModelChatMessageRole.Assistant, content, name);
  }

  content: unknown[];

  constructor(
    readonly role: number,
    content: string | unknown[],
    readonly name?: string,
  ) {
    this.content = typeof content === "string" ? [new LanguageModelTextPart(content)] : content;
  }
}

/** A language model that another extension offers, with the answers that a test scripts. */
export interface OfferedModel {
  readonly vendor: string;
  readonly id: string;
  readonly name: string;
  readonly family?: string;
  readonly version?: string;
  readonly maxInputTokens?: number;
  readonly capabilities?: { readonly toolCalling?: boolean; readonly imageInput?: boolean };
  /** Answers a request with the parts of a reply, which need not end. */
  readonly answer?: (
    messages: readonly unknown[],
    options: real.LanguageModelChatRequestOptions,
    token: real.CancellationToken,
  ) => Promise<Iterable<unknown>> | Iterable<unknown>;
}

/** The models and tools that VS Code has from other extensions. */
export class LanguageModels {
  private offered: readonly OfferedModel[] = [];
  private readonly changed = new EventEmitter<void>();
  private readonly registered = new Map<string, real.LanguageModelTool<never>>();
  /** The tools of other extensions, as a test gives them. */
  readonly others: (real.LanguageModelToolInformation & {
    readonly invoke?: (input: unknown) => Promise<unknown>;
  })[] = [];

  /** Offers these models from now on, in place of others. */
  offer(...models: readonly OfferedModel[]): void {
    this.offered = models;
    this.changed.fire();
  }

  get toolNames(): string[] {
    return [...this.registered.keys()];
  }

  /** Calls a tool of the extension under test, as another extension does. */
  async call(name: string, input: unknown, token = new CancellationTokenSource().token) {
    const tool = this.registered.get(name);
    if (tool === undefined) throw new Error(`No tool ${name} is registered.`);
    return tool.invoke({ input, toolInvocationToken: undefined } as never, token);
  }

  get api() {
    const tools = () => this.others;
    return {
      onDidChangeChatModels: this.changed.event,
      selectChatModels: (selector: real.LanguageModelChatSelector = {}) => {
        const fits = (one: OfferedModel) =>
          (["vendor", "id", "family", "version"] as const).every(
            (key) => selector[key] === undefined || selector[key] === one[key],
          );
        return Promise.resolve(this.offered.filter(fits).map(chatModel));
      },
      registerTool: (name: string, tool: real.LanguageModelTool<never>) => {
        this.registered.set(name, tool);
        return new Disposable(() => this.registered.delete(name));
      },
      invokeTool: async (name: string, { input }: { input: object }) => {
        const tool = this.others.find((one) => one.name === name);
        if (tool?.invoke === undefined) throw new Error(`There is no tool ${name}.`);
        return (await tool.invoke(input)) as real.LanguageModelToolResult;
      },
      get tools() {
        return tools();
      },
    } satisfies Partial<typeof real.lm>;
  }
}

function chatModel(one: OfferedModel): real.LanguageModelChat {
  const { vendor, id, name, family = "", version = "", maxInputTokens = 50_000 } = one;
  return {
    vendor,
    id,
    name,
    family,
    version,
    maxInputTokens,
    capabilities: {
      supportsToolCalling: one.capabilities?.toolCalling ?? false,
      supportsImageToText: one.capabilities?.imageInput ?? false,
    },
    countTokens: (text: unknown) => Promise.resolve(Math.ceil(JSON.stringify(text).length / 4)),
    sendRequest: async (
      messages: readonly unknown[],
      options: real.LanguageModelChatRequestOptions = {},
      token: real.CancellationToken = new CancellationTokenSource().token,
    ) => {
      if (one.answer === undefined) throw LanguageModelError.NotFound(`${name} has no answers.`);
      const parts = await one.answer(messages, options, token);
      const stream = (async function* () {
        await Promise.resolve();
        yield* parts;
      })();
      const text = (async function* () {
        await Promise.resolve();
        for (const part of parts) if (part instanceof LanguageModelTextPart) yield part.value;
      })();
      return { stream, text };
    },
  } as unknown as real.LanguageModelChat;
}
