import * as vscode from "vscode";
import { parseLooseJson } from "../../core/documents/looseJson.js";
import { messageOf, ModelError } from "../../core/errors.js";
import { imageNote } from "../../core/images/imageNote.js";
import { AnswerLimit } from "../../core/models/answerLimit.js";
import type {
  MessageImage,
  ModelMessage,
  ToolCall,
  ToolDefinition,
} from "../../core/ports/messages.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../core/ports/model.js";
import { fromBase64 } from "../../core/text/base64.js";
import { t } from "../text/words.js";
import { editorModelFacts } from "./editorModelFacts.js";
import { selectorOf } from "./editorModelName.js";

/**
 * A model that VS Code offers (`vscode.lm`), used with the user's account there. It does not report
 * what a call costs. On first use VS Code asks for the user's consent and remembers it.
 */
export class EditorModel implements LanguageModel {
  /** The size of the context window in tokens; known after the first call. */
  contextTokens: number | undefined;

  /** @param name as `editorModelName` makes it; empty: the first model that VS Code offers */
  constructor(readonly name: string) {}

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const model = await this.find();
    const { contextTokens, callsTools, seesImages } = editorModelFacts(model);
    this.contextTokens = contextTokens;
    if (callsTools === false && request.tools.length > 0) {
      throw new ModelError(
        "toolsUnsupported",
        'VS Code says that {model} cannot call tools. Choose another model, or set "rooroo.model.dialect" to "envelope".',
        { model: model.name },
      );
    }
    const cancelled = new vscode.CancellationTokenSource();
    const cancel = () => {
      cancelled.cancel();
    };
    signal.addEventListener("abort", cancel, { once: true });
    let calls = 0;
    const limit = new AnswerLimit(model.name);
    try {
      const { stream } = await model.sendRequest(
        request.messages.flatMap((message) => messagesOf(message, seesImages !== false)),
        optionsOf(request),
        cancelled.token,
      );
      for await (const part of stream) {
        signal.throwIfAborted();
        if (part instanceof vscode.LanguageModelTextPart) {
          limit.add(part.value.length);
          if (part.value !== "") yield { type: "text", text: part.value };
        } else if (part instanceof vscode.LanguageModelToolCallPart) {
          calls++;
          const call = callOf(part);
          limit.add(call.arguments.length);
          yield { type: "toolCall", call };
        }
      }
      signal.throwIfAborted();
      yield { type: "finish", reason: calls > 0 ? "toolCalls" : "stop" };
    } catch (error) {
      signal.throwIfAborted();
      throw modelError(error, model.name);
    } finally {
      signal.removeEventListener("abort", cancel);
      // Whoever does not read on needs no more of it.
      cancelled.cancel();
      cancelled.dispose();
    }
  }

  private async find(): Promise<vscode.LanguageModelChat> {
    const [model] = await vscode.lm.selectChatModels(selectorOf(this.name));
    if (model !== undefined) return model;
    throw this.name === ""
      ? new ModelError(
          "unconfigured",
          "No model is set, and VS Code offers none. Choose one with “Select Model”.",
          {},
        )
      : new ModelError(
          "notFound",
          "VS Code does not offer the model {model} (any more). Choose another with “Select Model”.",
          { model: this.name },
        );
  }
}

function optionsOf({ tools, forcedTool }: ModelRequest): vscode.LanguageModelChatRequestOptions {
  if (tools.length === 0) return {};
  const { Auto, Required } = vscode.LanguageModelChatToolMode;
  return {
    justification: t("Rooroo's experts use this model."),
    tools: tools.map(toolOf),
    toolMode: forcedTool === undefined ? Auto : Required,
  };
}

function toolOf({ name, description, parameters }: ToolDefinition): vscode.LanguageModelChatTool {
  return { name, description, inputSchema: parameters };
}

/** Converts a message. `vscode.lm` has no system messages, so a system message becomes a user message. */
function messagesOf(message: ModelMessage, sees: boolean): vscode.LanguageModelChatMessage[] {
  const { LanguageModelChatMessage: Message } = vscode;
  const text = (value: string) => new vscode.LanguageModelTextPart(value);
  switch (message.role) {
    case "system":
      return [Message.User(message.content)];
    case "user":
      return [Message.User(partsOf(message, sees))];
    case "tool": {
      const { callId } = message;
      return [
        Message.User([new vscode.LanguageModelToolResultPart(callId, partsOf(message, sees))]),
      ];
    }
    case "assistant": {
      const calls = message.toolCalls.map(
        ({ id, name, arguments: json }) =>
          new vscode.LanguageModelToolCallPart(id, name, inputOf(json)),
      );
      const parts = message.content === "" ? [] : [text(message.content)];
      return parts.length + calls.length === 0 ? [] : [Message.Assistant([...parts, ...calls])];
    }
  }
}

/** Returns a message's text and images; the text names those that are not sent. */
function partsOf(
  { role, content, images = [] }: Extract<ModelMessage, { role: "user" | "tool" }>,
  sees: boolean,
): vscode.LanguageModelTextPart[] {
  const parts = images.map((image) => (sees ? imagePart(image) : undefined));
  const unseen = images.filter((_, index) => parts[index] === undefined);
  const from = role === "tool" ? "tool" : "person";
  const notes = unseen.map(({ name }) => imageNote(name, "unseen", from));
  const text = new vscode.LanguageModelTextPart([content, ...notes].join("\n\n"));
  return [text, ...parts.filter((part) => part !== undefined)];
}

/** Returns an image as VS Code takes it; `undefined` in versions that take none. */
function imagePart({ content }: MessageImage): vscode.LanguageModelTextPart | undefined {
  // The lowest version that Rooroo runs in has no such part, nor have the types of that version.
  const { LanguageModelDataPart: Part } = vscode as {
    LanguageModelDataPart?: { image(data: Uint8Array, mime: string): vscode.LanguageModelTextPart };
  };
  return content && Part?.image(fromBase64(content.base64), content.mime);
}

/**
 * Parses a call's arguments; unreadable ones become `{}`, as that call was already answered with an
 * error.
 */
function inputOf(json: string): object {
  const parsed = parseLooseJson(json);
  const value = parsed.ok ? parsed.value : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function callOf({ callId, name, input }: vscode.LanguageModelToolCallPart): ToolCall {
  return { id: callId, name, arguments: JSON.stringify(input) };
}

function modelError(error: unknown, name: string): unknown {
  if (error instanceof ModelError) return error;
  if (!(error instanceof vscode.LanguageModelError)) {
    return new ModelError("server", "{model} failed: {problem} Try again in a moment.", {
      model: name,
      problem: messageOf(error),
    });
  }
  switch (error.code) {
    case "NoPermissions":
      return new ModelError(
        "notFound",
        "VS Code did not allow Rooroo to use {model}. Allow it when asked, or under Accounts › Manage Language Model Access; or choose another model.",
        { model: name },
      );
    case "NotFound":
      return new ModelError(
        "notFound",
        "VS Code does not offer {model} any more. Choose another.",
        { model: name },
      );
    case "Blocked":
      return new ModelError(
        "rateLimited",
        "VS Code takes no more requests for {model} now: {problem} Try again later, or choose another model.",
        { model: name, problem: error.message },
      );
    default: {
      const cause = error.cause === undefined ? error.message : messageOf(error.cause);
      return new ModelError("server", "{model} failed: {problem} Try again in a moment.", {
        model: name,
        problem: cause,
      });
    }
  }
}
