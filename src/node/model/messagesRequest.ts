import type Anthropic from "@anthropic-ai/sdk";
import type { ModelMessage } from "../../core/ports/messages.js";
import type { ModelRequest } from "../../core/ports/model.js";
import type { ServerOptions } from "./serverOptions.js";
import {
  contentOf,
  isSentImages,
  keptReasoning,
  sendableArguments,
  wireCallId,
  withoutNeighbours,
} from "./wireMessages.js";

/** `temperature` is taken by older models; the SDK's types are those of the newest. */
type Body = Anthropic.MessageCreateParamsStreaming & { temperature?: number };
type UserBlock =
  | Anthropic.TextBlockParam
  | Anthropic.ImageBlockParam
  | Anthropic.ToolResultBlockParam;

/** What a model has refused: fields of requests, and more output tokens than it gives. */
export interface MessagesLimits {
  readonly without: Set<
    "temperature" | "effort" | "thinking" | "keptThinking" | "images" | "tool_choice"
  >;
  outputTokens?: number;
}

/** The output tokens of a request if the settings name none: the API wants a number, and new models give this many. */
const usualOutputTokens = 32_000;

const cached = { cache_control: { type: "ephemeral" } } as const;

/**
 * Returns the body of a request. What the API caches ends at marks: after the tools and the system prompt, and at the
 * last two messages that came in, so that the next request finds what this one wrote
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching). An answer's schema is left to the prompt, as
 * with other servers that know none.
 */
export function messagesRequest(
  { messages, tools, forcedTool }: ModelRequest,
  options: ServerOptions,
  { without, outputTokens }: MessagesLimits,
): Body {
  const sees = isSentImages(options, without.has("images"));
  const system = messages.flatMap((one) => (one.role === "system" ? [one.content] : []));
  const body: Body = {
    model: options.name,
    max_tokens: Math.min(options.maxOutputTokens ?? usualOutputTokens, outputTokens ?? Infinity),
    messages: [],
    stream: true,
  };
  if (system.length > 0) body.system = [{ type: "text", text: system.join("\n\n"), ...cached }];
  if (tools.length > 0) {
    body.tools = tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: { ...parameters, type: "object" },
    }));
  }
  const isForced = forcedTool !== undefined && !without.has("tool_choice");
  if (isForced) body.tool_choice = { type: "tool", name: forcedTool };
  if (options.reasoningEffort !== undefined && !without.has("effort")) {
    const effort = options.reasoningEffort as NonNullable<Anthropic.OutputConfig["effort"]>;
    body.output_config = { effort };
    // A model that must call a certain tool may not think first.
    if (!isForced && !without.has("thinking")) {
      body.thinking = { type: "adaptive", display: "summarized" };
    }
  }
  if (options.temperature !== undefined && !without.has("temperature") && !body.thinking) {
    body.temperature = options.temperature;
  }
  // Also of a model that has thought unasked: its server may refuse the calls without it.
  const keeps = !without.has("keptThinking");
  body.messages = messageParams(messages, { sees, model: keeps ? options.name : undefined });
  return body;
}

/**
 * Notes which fields of a request a refusal names, so that the next request does without them.
 *
 * @returns whether there is one, so that a retry may succeed
 */
export function learn(refusal: string, sent: Body, limits: MessagesLimits): boolean {
  const { without } = limits;
  const before = without.size;
  const [, most] = /max_tokens: \d+ > (\d+)/.exec(refusal) ?? [];
  if (most !== undefined && Number(most) < sent.max_tokens) {
    limits.outputTokens = Number(most);
    return true;
  }
  const namesThinking = /thinking|adaptive/i.test(refusal);
  // What came with earlier replies may not be valid any more; without it, the model may think all the same.
  if (namesThinking && hasThinking(sent)) without.add("keptThinking");
  else if (namesThinking && sent.thinking) without.add("thinking");
  if (sent.output_config && /effort|output_config/i.test(refusal)) without.add("effort");
  if (sent.temperature !== undefined && refusal.includes("temperature")) without.add("temperature");
  if (sent.tool_choice && refusal.includes("tool_choice")) without.add("tool_choice");
  if (hasImages(sent) && /image|vision/i.test(refusal)) without.add("images");
  return without.size > before;
}

function hasThinking({ messages }: Body): boolean {
  return messages.some(
    ({ content }) =>
      Array.isArray(content) &&
      content.some(({ type }) => type === "thinking" || type === "redacted_thinking"),
  );
}

function hasImages({ messages }: Body): boolean {
  return messages.some(
    ({ content }) =>
      Array.isArray(content) &&
      content.some(
        (block) =>
          block.type === "image" || (block.type === "tool_result" && Array.isArray(block.content)),
      ),
  );
}

/**
 * Returns the messages as the API takes them: user and assistant in turn, the results of calls in a user message, and
 * no text that is empty.
 */
function messageParams(
  messages: readonly ModelMessage[],
  { sees, model }: { readonly sees: boolean; readonly model: string | undefined },
): Anthropic.MessageParam[] {
  const turns: (
    | { role: "user"; content: UserBlock[] }
    | { role: "assistant"; content: Anthropic.ContentBlockParam[] }
  )[] = [];
  const addToUser = (...blocks: UserBlock[]): void => {
    const last = turns.at(-1);
    if (last?.role === "user") last.content.push(...blocks);
    else if (blocks.length > 0) turns.push({ role: "user", content: blocks });
  };
  for (const message of withoutNeighbours(messages)) {
    switch (message.role) {
      case "system":
        break;
      case "user":
        addToUser(...blocksOf(message, sees));
        break;
      case "tool": {
        const blocks = blocksOf(message, sees);
        const isText = blocks.every(({ type }) => type === "text");
        const content = isText ? contentOf(message, sees).text : blocks;
        addToUser({
          type: "tool_result",
          tool_use_id: wireCallId(message.callId),
          ...(content === "" ? {} : { content }),
        });
        break;
      }
      case "assistant": {
        const text = message.content.trim() === "" ? [] : [textBlock(message.content.trimEnd())];
        const calls = message.toolCalls.map((call): Anthropic.ToolUseBlockParam => ({
          type: "tool_use",
          id: wireCallId(call.id),
          name: call.name,
          input: inputOf(call.arguments),
        }));
        if (text.length + calls.length > 0) {
          const thinking = model === undefined ? [] : keptReasoning(message, "messages", model);
          const kept = thinking as Anthropic.ContentBlockParam[];
          turns.push({ role: "assistant", content: [...kept, ...text, ...calls] });
        }
        break;
      }
    }
  }
  for (const { content } of turns.filter(({ role }) => role === "user").slice(-2)) {
    const last = content.at(-1);
    if (last !== undefined) Object.assign(last, cached);
  }
  return turns;
}

function blocksOf(
  message: Extract<ModelMessage, { role: "user" | "tool" }>,
  sees: boolean,
): (Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[] {
  const { text, images } = contentOf(message, sees);
  const pictures = images.map(({ mime, base64 }): Anthropic.ImageBlockParam => {
    const media_type = mime as Anthropic.Base64ImageSource["media_type"];
    return { type: "image", source: { type: "base64", media_type, data: base64 } };
  });
  return [...(text.trim() === "" ? [] : [textBlock(text)]), ...pictures];
}

function textBlock(text: string): Anthropic.TextBlockParam {
  return { type: "text", text };
}

/** Returns a call's arguments as an object; empty for invalid ones, of which the result says what was wrong. */
function inputOf(args: string): Record<string, unknown> {
  return JSON.parse(sendableArguments(args)) as Record<string, unknown>;
}
