import type OpenAI from "openai";
import type { ModelMessage } from "../../core/ports/messages.js";
import type { ModelRequest } from "../../core/ports/model.js";
import { digest } from "../../core/text/digest.js";
import type { ServerOptions } from "./serverOptions.js";
import {
  contentOf,
  imagesAfterResults,
  isSentImages,
  keptReasoning,
  sendableArguments,
  wireCallId,
  withoutNeighbours,
} from "./wireMessages.js";

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

/** Request fields that a server has rejected; later requests omit them. */
export type Unsupported = Set<
  | "temperature"
  | "reasoning"
  | "include"
  | "text"
  | "images"
  | "prompt_cache_key"
  /** Outputs of calls that are no texts: their images follow in a message. */
  | "output_parts"
>;

/**
 * Returns the body of a request. Nothing is stored at the server, so the model's reasoning goes there and back
 * encrypted (https://platform.openai.com/docs/guides/reasoning). Requests with the same beginning share a cache.
 */
export function responsesRequest(
  { messages, tools, forcedTool, answerSchema }: ModelRequest,
  options: ServerOptions,
  without: Readonly<Unsupported>,
): Body {
  const sees = isSentImages(options, without.has("images"));
  const system = messages.flatMap((one) => (one.role === "system" ? [one.content] : []));
  const keeps = !without.has("include");
  const given = sees && without.has("output_parts") ? imagesAfterResults(messages) : messages;
  const body: Body = {
    model: options.name,
    input: withoutNeighbours(given).flatMap((message) =>
      itemsOf(message, { sees, model: keeps ? options.name : undefined }),
    ),
    stream: true,
    store: false,
  };
  if (system.length > 0) body.instructions = system.join("\n\n");
  if (keeps) body.include = ["reasoning.encrypted_content"];
  if (!without.has("prompt_cache_key")) body.prompt_cache_key = cacheKey(messages);
  if (options.temperature !== undefined && !without.has("temperature")) {
    body.temperature = options.temperature;
  }
  if (options.reasoningEffort !== undefined && !without.has("reasoning")) {
    const effort = options.reasoningEffort as OpenAI.ReasoningEffort;
    body.reasoning = { effort, summary: "auto" };
  }
  if (options.maxOutputTokens !== undefined) body.max_output_tokens = options.maxOutputTokens;
  if (tools.length > 0) {
    body.tools = tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      parameters: { ...parameters },
      // Strict schemas allow no optional fields.
      strict: false,
    }));
  }
  if (forcedTool !== undefined) {
    // llama.cpp takes a named tool for "auto". Where there is only one tool, the word means the same.
    const isOnly = tools.length === 1;
    body.tool_choice = isOnly ? "required" : { type: "function", name: forcedTool };
  }
  if (answerSchema !== undefined && !without.has("text")) {
    const { name, schema } = answerSchema;
    body.text = { format: { type: "json_schema", name, schema: { ...schema }, strict: false } };
  }
  return body;
}

/**
 * Adds the fields that a refusal names to `without`, so that the next request does without them.
 *
 * @returns whether a field was added, so that a retry may succeed
 */
export function learn(refusal: string, sent: Body, without: Unsupported): boolean {
  const before = without.size;
  if (sent.temperature !== undefined && refusal.includes("temperature")) without.add("temperature");
  if (sent.include && /include|encrypted|reasoning item/i.test(refusal)) without.add("include");
  else if (sent.reasoning && /reasoning|summary/i.test(refusal)) without.add("reasoning");
  if (sent.text && /text\.format|json_schema/i.test(refusal)) without.add("text");
  if (refusal.includes("prompt_cache_key")) without.add("prompt_cache_key");
  const hasImages = JSON.stringify(sent.input).includes('"input_image"');
  // What is only refused in outputs is taken in messages.
  if (hasOutputParts(sent) && /output|string/i.test(refusal)) without.add("output_parts");
  else if (hasImages && /image|vision/i.test(refusal)) without.add("images");
  return without.size > before;
}

/** Returns what the conversations of one session have in common, so that the server looks for the same cache. */
function cacheKey(messages: readonly ModelMessage[]): string {
  return digest(
    messages
      .slice(0, 2)
      .map(({ content }) => content)
      .join("\n"),
  );
}

function itemsOf(
  message: ModelMessage,
  { sees, model }: { readonly sees: boolean; readonly model: string | undefined },
): Item[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [userItem(message, sees)];
    case "tool":
      return [
        {
          type: "function_call_output",
          call_id: wireCallId(message.callId),
          output: outputOf(message, sees),
        },
      ];
    case "assistant": {
      const { content, toolCalls } = message;
      const reasoning = (
        model === undefined ? [] : keptReasoning(message, "responses", model)
      ) as Item[];
      const text: Item[] = content === "" ? [] : [{ role: "assistant", content }];
      const calls = toolCalls.map((call): Item => ({
        type: "function_call",
        call_id: wireCallId(call.id),
        name: call.name,
        arguments: sendableArguments(call.arguments),
      }));
      // Reasoning is refused without what follows it.
      return text.length + calls.length === 0 ? [] : [...reasoning, ...text, ...calls];
    }
  }
}

function hasOutputParts({ input }: Body): boolean {
  return (
    Array.isArray(input) &&
    input.some((item) => item.type === "function_call_output" && Array.isArray(item.output))
  );
}

function outputOf(
  message: Extract<ModelMessage, { role: "tool" }>,
  sees: boolean,
): OpenAI.Responses.ResponseInputItem.FunctionCallOutput["output"] {
  const { text, images } = contentOf(message, sees);
  return images.length === 0 ? text : [{ type: "input_text", text }, ...images.map(pictureOf)];
}

function pictureOf({ mime, base64 }: { readonly mime: string; readonly base64: string }) {
  return {
    type: "input_image" as const,
    detail: "auto" as const,
    image_url: `data:${mime};base64,${base64}`,
  };
}

function userItem(message: Extract<ModelMessage, { role: "user" }>, sees: boolean): Item {
  const { text, images } = contentOf(message, sees);
  if (images.length === 0) return { role: "user", content: text };
  return { role: "user", content: [{ type: "input_text", text }, ...images.map(pictureOf)] };
}
