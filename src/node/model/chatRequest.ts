import type OpenAI from "openai";
import type { ModelMessage } from "../../core/ports/messages.js";
import type { ModelRequest } from "../../core/ports/model.js";
import { withoutStatus } from "./apiError.js";
import { givenBy, type Fields } from "./givenReasoning.js";
import type { ServerOptions } from "./serverOptions.js";
import {
  contentOf,
  imagesAfterResults,
  isSentImages,
  sendableArguments,
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
  /** The word `required` in `tool_choice`. */
  | "required_choice"
  | "response_format"
  | "cache_control"
  | "images"
  /** The images of results, which come as a message of the person's after them. */
  | "result_images"
  /** It wants the reasoning of every message with calls, also of those that another model has written. */
  | "missing_reasoning"
  /** It wants a signature of every call, also of those that another model has made. */
  | "missing_signature"
  /** More output tokens than these. */
  | `output:${number}`
  /** A field of reasoning, by its name, that the server gives and does not take back. */
  | `given:${string}`
>;

export function chatRequest(
  { messages, tools, forcedTool, answerSchema }: ModelRequest,
  options: ServerOptions,
  without: Readonly<Unsupported>,
): Body {
  const sees = isSentImages(options, without.has("images"));
  const given = sees && !without.has("result_images") ? imagesAfterResults(messages) : messages;
  const body: Body = {
    model: options.name,
    messages: chatMessages(withoutNeighbours(given), { model: options.name, sees, without }),
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
    const name = without.has("max_tokens") ? "max_completion_tokens" : "max_tokens";
    const limits = [...without].flatMap((one) =>
      one.startsWith("output:") ? Number(one.slice("output:".length)) : [],
    );
    body[name] = Math.min(options.maxOutputTokens, ...limits);
  }
  if (tools.length > 0) {
    body.tools = tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters: { ...parameters } },
    }));
  }
  if (forcedTool !== undefined) {
    // llama.cpp takes a named tool for "auto". Where there is only one tool, the word means the same.
    const isOnly = tools.length === 1 && !without.has("required_choice");
    body.tool_choice =
      isOnly || without.has("tool_choice")
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
  const most = outputLimitIn(refusal, sent);
  if (most !== undefined) without.add(`output:${most}`);
  if (refusal.includes("tool_choice")) {
    if (typeof sent.tool_choice === "object") without.add("tool_choice");
    else if (sent.tool_choice && !without.has("tool_choice")) without.add("required_choice");
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
  if (hasImages(sent) && /\brole|alternat/i.test(refusal)) without.add("result_images");
  if (refusal.includes("cache_control")) without.add("cache_control");
  if (without.size === before) learnReasoning(refusal, sent, without);
  return without.size > before;
}

/** Returns the most output tokens that a refusal of more names; `undefined` if it speaks of something else. */
function outputLimitIn(
  refusal: string,
  sent: { readonly max_tokens?: number | null; readonly max_completion_tokens?: number | null },
): number | undefined {
  const asked = sent.max_tokens ?? sent.max_completion_tokens ?? 0;
  // What is left of the window is another matter.
  if (!/max_(completion_)?tokens/.test(refusal) || /context|input|prompt|afford/i.test(refusal))
    return undefined;
  // A refusal may repeat the request.
  const said = withoutStatus(refusal).slice(0, 1_000);
  const numbers = [...said.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const less = numbers.filter((one) => one >= 256 && one < asked);
  return less.length === 0 ? undefined : Math.max(...less);
}

/**
 * Learns what a server says of the reasoning that it wants or does not take. The first two are in the words of DeepSeek,
 * Moonshot and Gemini. A conversation can have calls without either: another model has made them.
 */
function learnReasoning(refusal: string, sent: Body, without: Unsupported): void {
  if (/reasoning_content.{0,60}(must be passed back|is (missing|required))/is.test(refusal)) {
    without.add("missing_reasoning");
  } else if (refusal.includes("thought_signature")) {
    without.add("missing_signature");
  } else {
    const names = sent.messages.flatMap((message) => Object.keys(message));
    for (const name of new Set(names)) {
      const isOwn = ["role", "content", "tool_calls", "tool_call_id"].includes(name);
      if (!isOwn && new RegExp(`\\b${name}\\b`).test(refusal)) without.add(`given:${name}`);
    }
  }
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
  const { text, images } = contentOf(message, sees);
  if (images.length === 0) return { role: "user", content: text };
  const parts = images.map(({ mime, base64 }): OpenAI.ChatCompletionContentPart => {
    return { type: "image_url", image_url: { url: `data:${mime};base64,${base64}` } };
  });
  return { role: "user", content: [{ type: "text", text }, ...parts] };
}

interface Sending {
  /** The model's name. */
  readonly model: string;
  readonly sees: boolean;
  readonly without: Readonly<Unsupported>;
}

function chatMessages(
  messages: readonly ModelMessage[],
  sending: Sending,
): OpenAI.ChatCompletionMessageParam[] {
  /** Ids that go back as they came, because the model has made them itself. */
  const own = new Set<string>();
  return messages.map((message): OpenAI.ChatCompletionMessageParam => {
    switch (message.role) {
      case "system":
        return { role: "system", content: message.content };
      case "user":
        return userMessage(message, sending.sees);
      case "tool": {
        const { callId } = message;
        return {
          role: "tool",
          tool_call_id: own.has(callId) ? callId : wireCallId(callId),
          content: contentOf(message, false).text,
        };
      }
      case "assistant": {
        for (const id of Object.keys(givenBy(message, sending.model)?.calls ?? {})) own.add(id);
        return assistantMessage(message, sending);
      }
    }
  });
}

/**
 * What stands for a reply without a word and without a call: Mistral and Moonshot refuse an empty message, and the
 * conversation with it from then on.
 */
const noWords = "(nothing)";

/** Converts an assistant message, with what its model's server wants back. */
function assistantMessage(
  message: Extract<ModelMessage, { role: "assistant" }>,
  { model, without }: Sending,
): OpenAI.ChatCompletionMessageParam {
  const { content, toolCalls } = message;
  const given = givenBy(message, model);
  const hasCalls = toolCalls.length > 0;
  const fields = Object.entries(given?.fields ?? {}).filter(
    ([name]) => !without.has(`given:${name}`),
  );
  const back: Fields = {
    // DeepSeek refuses an empty text in its place.
    ...(hasCalls && without.has("missing_reasoning") ? { reasoning_content: " " } : {}),
    ...Object.fromEntries(fields),
  };
  if (!hasCalls)
    return { role: "assistant", content: content.trim() === "" ? noWords : content, ...back };
  const isSigned = Object.keys(given?.calls ?? {}).length > 0;
  return {
    role: "assistant",
    content: content === "" ? null : content,
    ...back,
    tool_calls: toolCalls.map((call, index) => {
      const extras = given?.calls[call.id];
      // Of calls that are made at once, the first one is signed.
      const needsSignature = index === 0 && !isSigned && without.has("missing_signature");
      return {
        id: extras === undefined ? wireCallId(call.id) : call.id,
        type: "function",
        ...(needsSignature ? { extra_content: unsigned } : {}),
        ...extras?.fields,
        function: {
          name: call.name,
          arguments: sendableArguments(call.arguments),
          ...extras?.functionFields,
        },
      };
    }),
  };
}

/**
 * What Gemini takes in place of a signature for a call that another model has made:
 * https://ai.google.dev/gemini-api/docs/thought-signatures, "FAQs".
 */
const unsigned = { google: { thought_signature: "skip_thought_signature_validator" } };
