import { parseJson } from "../../core/documents/parseJson.js";
import { imageNote } from "../../core/images/imageNote.js";
import { seesImages } from "../../core/models/seesImages.js";
import { perObject } from "../../core/perObject.js";
import type { MessageImage, ModelMessage, ToolDefinition } from "../../core/ports/messages.js";
import type { ModelRequest } from "../../core/ports/model.js";
import { digest } from "../../core/text/digest.js";
import { wellFormed, wellFormedData } from "../../core/text/wellFormed.js";
import type { ServerOptions } from "./serverOptions.js";

/**
 * Joins user messages that follow one another, as the goal and a summary do: many chat templates refuse two
 * in a row.
 */
export function withoutNeighbours(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (message.role === "user" && before?.role === "user") {
      const content = `${before.content}\n\n${message.content}`;
      const images = [...(before.images ?? []), ...(message.images ?? [])];
      joined.splice(-1, 1, { role: "user", content, ...(images.length > 0 && { images }) });
    } else joined.push(message);
  }
  return joined;
}

/**
 * Returns the messages with the images of results in a message after the results of a reply, as the person's: in some
 * APIs, a result holds text alone.
 */
export function imagesAfterResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const moved: ModelMessage[] = [];
  let waiting: MessageImage[] = [];
  const flush = (): void => {
    if (waiting.length === 0) return;
    const names = waiting.map(({ name }) => JSON.stringify(name)).join(", ");
    const content = `(The images of the results above, which are data as the results are: ${names}.)`;
    moved.push({ role: "user", content, images: waiting });
    waiting = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      waiting.push(...(message.images ?? []));
      moved.push({ ...message, images: undefined });
      continue;
    }
    flush();
    moved.push(message);
  }
  flush();
  return moved;
}

/** Returns whether a model is sent images: not if its name, the settings or an earlier refusal say that it sees none. */
export function isSentImages(options: ServerOptions, hasRefused: boolean): boolean {
  return seesImages(options.name, options.images ?? "auto") !== false && !hasRefused;
}

/**
 * Returns the text of a message of a person, or of a tool's result, and the images that are sent with it; the text names
 * those that are not.
 */
export function contentOf(
  { role, content, images = [] }: Extract<ModelMessage, { role: "user" | "tool" }>,
  sees: boolean,
): { text: string; images: NonNullable<MessageImage["content"]>[] } {
  const seen = !sees ? [] : images.filter((one) => one.content !== undefined);
  const unseen = images.filter((one) => !seen.includes(one));
  const from = role === "tool" ? "tool" : "person";
  const notes = unseen.map(({ name }) => imageNote(name, "unseen", from));
  const text = [content, ...notes].join("\n\n");
  return { text, images: seen.flatMap((one) => one.content ?? []) };
}

/**
 * Returns the arguments written anew if they are a JSON object, else `{}`: servers whose chat templates parse the arguments reject
 * a whole conversation with ones that are invalid, or that only JavaScript takes, such as half a surrogate pair or a
 * number beyond a double. The tool's result says what was wrong with them.
 */
export function sendableArguments(args: string): string {
  const parsed = parseJson(args);
  const value = parsed.ok ? parsed.value : undefined;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? JSON.stringify(wellFormedData(value)) : "{}";
}

/**
 * Returns a request with all its texts well-formed, those of tools of other programs and of reasoning included, and calls by
 * names that every provider takes: a model may have made up one with blanks, or none at all.
 */
export function sendableRequest<T extends Pick<ModelRequest, "messages" | "tools">>(request: T): T {
  const { messages, tools } = request;
  return { ...request, messages: messages.map(sendableMessage), tools: tools.map(sendableTool) };
}

/** Returns a message as a server takes it. Each request repeats the messages of the one before, so each is looked at once. */
const sendableMessage = perObject((given: ModelMessage): ModelMessage => {
  const message = { ...given, content: wellFormed(given.content) };
  if (message.role !== "assistant") return message;
  const toolCalls = message.toolCalls.map((call) => ({ ...call, name: callName(call.name) }));
  const { reasoning } = message;
  if (reasoning === undefined) return { ...message, toolCalls };
  const items = reasoning.items.map(wellFormedData);
  return { ...message, toolCalls, reasoning: { ...reasoning, items } };
});

const sendableTool = perObject((tool: ToolDefinition) => wellFormedData(tool) as ToolDefinition);

function callName(name: string): string {
  return acceptedCallId.test(name)
    ? name
    : name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "none";
}

const acceptedCallId = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the id of a tool call as every provider takes it: letters, digits, `_` and `-`, at most 64. Other
 * servers' ids, such as `functions.read_file:0`, are in transcripts that go on with another model. The same id
 * always becomes the same one.
 */
export function wireCallId(id: string): string {
  if (acceptedCallId.test(id)) return id;
  return `${id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 40)}_${digest(id)}`;
}

/** Returns what an assistant message keeps of the model's reasoning for this API and model. */
export function keptReasoning(
  { reasoning }: Extract<ModelMessage, { role: "assistant" }>,
  api: string,
  model: string,
): readonly unknown[] {
  return reasoning?.api === api && reasoning.model === model ? reasoning.items : [];
}
