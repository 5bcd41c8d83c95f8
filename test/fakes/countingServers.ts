import { type ThinkingServer, thinkingServers } from "./thinkingServers.js";

/** What a server of Chat Completions counts, and what it does with a request that is longer than its window. */
export interface CountingServer {
  /** Its tokens for each token of a usual tokenizer. Default: 1. */
  readonly tokens?: number;
  /** What it gives and wants back of its reasoning. */
  readonly thinking?: () => ThinkingServer;
  /** Returns the answer to a request that is too long. Absent: it cuts the beginning off. */
  refusal?(asked: number, window: number): { readonly status: number; readonly body: unknown };
  /**
   * Returns the `usage` of an answer; `undefined`: it counts nothing. Absent: it counts what it was asked.
   *
   * @param cached the part of the request that it has seen before
   */
  usage?(asked: number, cached: number, window: number): readonly (object | undefined)[];
  /** Whether its counts show that they cannot be. */
  readonly isOdd?: boolean;
}

const counts = (prompt_tokens: number, more = {}) => ({
  prompt_tokens,
  completion_tokens: 10,
  total_tokens: prompt_tokens + 10,
  ...more,
});

const openAiRefusal = (asked: number, window: number) => ({
  status: 400,
  body: {
    error: {
      message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${asked} tokens. Please reduce the length of the messages.`,
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  },
});

/** docs/models.md says where their words and counts are from. */
export const countingServers: ReadonlyMap<string, CountingServer> = new Map<string, CountingServer>(
  [
    [
      "OpenAI",
      {
        refusal: openAiRefusal,
        usage: (asked, cached) => [
          counts(asked, { prompt_tokens_details: { cached_tokens: cached } }),
        ],
      },
    ],
    [
      "Gemini",
      {
        thinking: thinkingServers.get("Gemini")!,
        refusal: (asked, window) => ({
          status: 400,
          body: [
            {
              error: {
                code: 400,
                message: `The input token count (${asked}) exceeds the maximum number of tokens allowed (${window}).`,
                status: "INVALID_ARGUMENT",
              },
            },
          ],
        }),
      },
    ],
    [
      "DeepSeek",
      {
        thinking: thinkingServers.get("DeepSeek")!,
        refusal: openAiRefusal,
        usage: (asked, cached) => [
          counts(0),
          counts(asked, {
            prompt_cache_hit_tokens: cached,
            prompt_cache_miss_tokens: asked - cached,
          }),
        ],
      },
    ],
    [
      "OpenRouter",
      {
        thinking: thinkingServers.get("OpenRouter")!,
        refusal: (asked, window) => ({
          status: 400,
          body: {
            error: {
              code: 400,
              message: `This endpoint's maximum context length is ${window} tokens. However, you requested about ${asked} tokens (${asked - 700} of text input, 700 of tool input). Please reduce the length of either one.`,
              metadata: { provider_name: null },
            },
          },
        }),
      },
    ],
    [
      "vLLM",
      {
        refusal: (asked, window) => ({
          status: 400,
          body: {
            object: "error",
            message: `This model's maximum context length is ${window} tokens. However, your request has ${asked} input tokens. Please reduce the length of the input messages.`,
            type: "BadRequestError",
            param: null,
            code: 400,
          },
        }),
      },
    ],
    [
      "Amazon Bedrock, which names no numbers",
      {
        refusal: () => ({
          status: 400,
          body: { message: "Input is too long for requested model." },
        }),
      },
    ],
    [
      "llama.cpp with a byte vocabulary, without counts",
      {
        tokens: 3.6,
        usage: () => [undefined],
        refusal: (asked, window) => ({
          status: 400,
          body: {
            error: {
              code: 400,
              message: "the request exceeds the available context size, try increasing it",
              type: "exceed_context_size_error",
              n_prompt_tokens: asked,
              n_ctx: window,
            },
          },
        }),
      },
    ],
    [
      "a server that counts only what its cache did not have",
      {
        isOdd: true,
        refusal: openAiRefusal,
        usage: (asked, cached) => [counts(Math.min(asked - cached, 900))],
      },
    ],
    [
      "a server that counts nothing",
      { isOdd: true, refusal: openAiRefusal, usage: () => [counts(0)] },
    ],
    [
      "a server that counts far too much",
      { isOdd: true, refusal: openAiRefusal, usage: () => [counts(9e15)] },
    ],
    [
      "a gateway that ends with zeros",
      {
        refusal: openAiRefusal,
        usage: (asked) => [counts(asked), counts(0, { completion_tokens: 0 })],
      },
    ],
    [
      "Ollama, which cuts",
      { usage: (asked, _cached, window) => [counts(Math.min(asked, window))] },
    ],
  ],
);
