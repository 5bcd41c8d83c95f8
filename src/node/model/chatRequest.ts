import type OpenAI from "openai";
import type { ModelMessage } from "../../core/ports/messages.js";
import type { ModelRequest } from "../../core/ports/model.js";
import type { ServerOptions } from "./serverOptions.js";
import {
  isSentImages,
  sendableArguments,
  userContent,
  wireCallId,
  withoutNeighbours,
} from "./wireMessages.js";

type Body = OpenAI.ChatCompletionCreateParamsStreaming;

/** Request fields that a server has rejected; later requests omit or replace them. */
export type Unsupported = Set<
  | "stream_options"
  | "temperature"
  | "reasoning_effort"
  | "max_tokens"
  | "tool_choice"
  | "response_format"
  | "cache_control"
  | "images"
>;

export function chatRequest(
  { messages, tools, forcedTool, answerSchema }: ModelRequest,
  options: ServerOptions,
  without: Readonly<Unsupported>,
): Body {
  const sees = isSentImages(options, without.has("images"));
  const body: Body = {
    model: options.name,
    messages: withoutNeighbours(messages).map((message) => chatMessage(message, sees)),
    stream: true,
  };
  if (wantsCacheMarks(options) && !without.has("cache_control")) markForCache(body.messages);
  if (!without.has("stream_options")) body.stream_options = { include_usage: true };
  if (options.temperature !== undefined && !without.has("temperature")) {
    body.temperature = options.temperature;
  }
  if (options.reasoningEffort !== undefined && !without.has("reasoning_effort")) {
    body.reasoning_effort = options.reasoningEffort as Body["reasoning_effort"];
  }
  if (options.maxOutputTokens !== undefined) {
    // OpenAI's newer models know only the long name, most other servers only the short one.
    body[without.has("max_tokens") ? "max_completion_tokens" : "max_tokens"] =
      options.maxOutputTokens;
  }
  if (tools.length > 0) {
    body.tools = tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters: { ...parameters } },
    }));
  }
  if (forcedTool !== undefined) {
    body.tool_choice = without.has("tool_choice")
      ? "required"
      : { type: "function", function: { name: forcedTool } };
  }
  if (answerSchema !== undefined && !without.has("response_format")) {
    const { name, schema } = answerSchema;
    // Not strict, because strict schemas allow no optional fields.
    const json_schema = { name, schema: { ...schema }, strict: false };
    body.response_format = { type: "json_schema", json_schema };
  }
  return body;
}

/**
 * Adds the fields that an error message names to `without`, so that the next attempt does without them.
 *
 * @returns whether a field was added, so that a retry may succeed
 */
export function learn(refusal: string, sent: Body, without: Unsupported): boolean {
  const before = without.size;
  if (sent.stream_options && refusal.includes("stream_options")) without.add("stream_options");
  if (sent.temperature !== undefined && refusal.includes("temperature")) without.add("temperature");
  if (sent.reasoning_effort !== undefined && /reasoning[_ ]effort/.test(refusal)) {
    without.add("reasoning_effort");
  }
  if ("max_tokens" in sent && refusal.includes("max_completion_tokens")) {
    without.add("max_tokens");
  }
  if (typeof sent.tool_choice === "object" && refusal.includes("tool_choice")) {
    without.add("tool_choice");
  }
  if (
    sent.response_format &&
    /response_format|json_schema|structured output|grammar/i.test(refusal)
  ) {
    without.add("response_format");
  }
  if (hasImages(sent) && /image|vision|multi-?modal|content.{0,40}(string|type)/i.test(refusal)) {
    without.add("images");
  }
  if (refusal.includes("cache_control")) without.add("cache_control");
  return without.size > before;
}

/**
 * Returns whether the model caches only what is marked: Anthropic's models, behind a server that speaks OpenAI's
 * protocol, as OpenRouter and LiteLLM do. OpenAI's own server is not sent the marks. Sources:
 * https://openrouter.ai/docs/features/prompt-caching, https://docs.litellm.ai/docs/completion/prompt_caching.
 */
function wantsCacheMarks({ name, baseUrl }: ServerOptions): boolean {
  return baseUrl !== undefined && /(^|[/.:])(anthropic|claude)/i.test(name);
}

/**
 * Marks where the server's cache may end: after the system message, which covers the tools before it, and after the
 * last message that came in and the one before that, which is where the earlier request ended. Anthropic takes four
 * marks at most.
 */
function markForCache(messages: OpenAI.ChatCompletionMessageParam[]): void {
  const system = messages.findIndex(({ role }) => role === "system");
  const given = messages.flatMap(({ role }, index) =>
    role === "user" || role === "tool" ? [index] : [],
  );
  for (const index of [system, ...given.slice(-2)]) {
    const message = messages[index];
    const content = message?.content;
    if (message === undefined || typeof content !== "string" || content === "") continue;
    const part = { type: "text", text: content, cache_control: { type: "ephemeral" } };
    // The mark is no part of OpenAI's own types.
    messages[index] = { ...message, content: [part] } as OpenAI.ChatCompletionMessageParam;
  }
}

function hasImages({ messages }: Body): boolean {
  return messages.some(
    ({ role, content }) => role === "user" && Array.isArray(content) && content.length > 1,
  );
}

/** Converts a user message, whose images become parts of it, or notes where the model sees none. */
function userMessage(
  message: Extract<ModelMessage, { role: "user" }>,
  sees: boolean,
): OpenAI.ChatCompletionUserMessageParam {
  const { text, images } = userContent(message, sees);
  if (images.length === 0) return { role: "user", content: text };
  const parts = images.map(({ mime, base64 }): OpenAI.ChatCompletionContentPart => {
    return { type: "image_url", image_url: { url: `data:${mime};base64,${base64}` } };
  });
  return { role: "user", content: [{ type: "text", text }, ...parts] };
}

function chatMessage(message: ModelMessage, sees: boolean): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return userMessage(message, sees);
    case "tool":
      return { role: "tool", tool_call_id: wireCallId(message.callId), content: message.content };
    case "assistant":
      if (message.toolCalls.length === 0) return { role: "assistant", content: message.content };
      return {
        role: "assistant",
        content: message.content === "" ? null : message.content,
        tool_calls: message.toolCalls.map((call) => ({
          id: wireCallId(call.id),
          type: "function",
          function: { name: call.name, arguments: sendableArguments(call.arguments) },
        })),
      };
  }
}
