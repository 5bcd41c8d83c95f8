import assert from "node:assert/strict";
import fc from "fast-check";
import { tokensIn, tooLong } from "../../../../src/node/model/tooLong.js";

interface Said {
  readonly by: string;
  readonly status?: number;
  readonly code?: string;
  readonly type?: string;
  readonly body?: object;
  readonly message: string;
  readonly window?: number;
  readonly asked?: number;
}

/** The kinds of words of the servers in docs/models.md, with numbers of our own. */
const refusals: readonly Said[] = [
  {
    by: "OpenAI, Azure OpenAI",
    message:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9021 tokens. Please reduce the length of the messages.",
    window: 8_192,
    asked: 9_021,
  },
  {
    by: "OpenAI, with tools",
    message:
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300100 tokens. Please reduce the length of the messages.",
    window: 272_000,
    asked: 300_100,
  },
  {
    by: "OpenAI's Responses, without numbers",
    code: "context_length_exceeded",
    message:
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
  },
  {
    by: "Anthropic",
    message: "prompt is too long: 215,000 tokens > 200,000 maximum",
    window: 200_000,
    asked: 215_000,
  },
  {
    by: "Anthropic, with the output",
    message:
      "input length and `max_tokens` exceed context limit: 178000 + 64000 > 200000, decrease input length or `max_tokens` and try again",
    window: 136_000,
    asked: 178_000,
  },
  {
    by: "Anthropic, by bytes",
    status: 413,
    type: "request_too_large",
    message: "Request exceeds the maximum size",
  },
  {
    by: "Gemini",
    message:
      "The input token count (132500) exceeds the maximum number of tokens allowed (131072).",
    window: 131_072,
    asked: 132_500,
  },
  {
    by: "Vertex",
    message:
      "Unable to submit request because the input token count is 1200000 but model only supports up to 1048576. Reduce the input token count and try again.",
    window: 1_048_576,
    asked: 1_200_000,
  },
  {
    by: "vLLM",
    message:
      "This model's maximum context length is 16384 tokens. However, you requested 22946 tokens (12946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    window: 6_384,
    asked: 12_946,
  },
  {
    by: "vLLM, newer",
    message:
      "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (4000 > 8192 - 5000).",
    window: 8_192,
    asked: 5_000,
  },
  {
    by: "vLLM, newest",
    message:
      "This model's maximum context length is 8192 tokens. However, you requested 1024 output tokens and your prompt contains at least 7169 input tokens, for a total of at least 8193 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
    window: 7_168,
    asked: 7_169,
  },
  {
    by: "vLLM's engine",
    message:
      "The decoder prompt (length 10127) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.",
    window: 8_192,
    asked: 10_127,
  },
  { by: "vLLM, where nothing is left", message: "max_tokens must be at least 1, got -186." },
  {
    by: "llama.cpp",
    type: "exceed_context_size_error",
    body: { n_prompt_tokens: 14_429, n_ctx: 8_192 },
    message: "the request exceeds the available context size, try increasing it",
    window: 8_192,
    asked: 14_429,
  },
  {
    by: "llama.cpp, newer",
    message:
      "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it",
    window: 8_192,
    asked: 14_429,
  },
  {
    by: "llama-cpp-python",
    status: 500,
    message: "Requested tokens (2285) exceed context window of 2048",
    window: 2_048,
    asked: 2_285,
  },
  {
    by: "Ollama",
    message: "prompt too long; exceeded max context length by 4321 tokens",
  },
  {
    by: "LM Studio",
    message:
      "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input.",
    window: 4_096,
    asked: 15_857,
  },
  {
    by: "LM Studio, newer",
    message: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)",
    window: 7_424,
    asked: 15_028,
  },
  {
    by: "SGLang",
    message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    window: 40_960,
    asked: 61_709,
  },
  {
    by: "SGLang, by its memory",
    message: "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).",
    window: 59_862,
    asked: 160_062,
  },
  {
    by: "SGLang, with the output",
    message:
      "Requested token count exceeds the model's maximum context length of 40960 tokens. You requested a total of 50000 tokens: 45000 tokens from the input messages and 5000 tokens for the completion.",
    window: 40_960,
    asked: 45_000,
  },
  {
    by: "TGI, Together",
    status: 422,
    message:
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`",
    window: 2_048,
    asked: 3_474,
  },
  {
    by: "TGI, older",
    status: 422,
    message: "Input validation error: `inputs` must have less than 2048 tokens. Given: 2222",
    window: 2_048,
    asked: 2_222,
  },
  {
    by: "Mistral",
    message:
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    window: 32_768,
    asked: 40_000,
  },
  {
    by: "Groq, Cerebras",
    code: "context_length_exceeded",
    message:
      "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
    window: 8_192,
    asked: 9_000,
  },
  {
    by: "Groq, a request above the limit of a minute",
    status: 413,
    code: "rate_limit_exceeded",
    message:
      "Request too large for model `llama-3.3-70b-versatile` in organization `org_1` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.",
    window: 12_000,
    asked: 14_137,
  },
  {
    by: "OpenAI, a request above the limit of a minute",
    status: 429,
    message:
      "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 34238. The input or output tokens must be reduced in order to run successfully.",
    window: 30_000,
    asked: 34_238,
  },
  {
    by: "DeepSeek",
    message:
      "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion).",
    window: 65_536,
    asked: 66_000,
  },
  {
    by: "OpenRouter",
    message:
      'This endpoint\'s maximum context length is 65536 tokens. However, you requested about 92208 tokens (60833 of text input, 10042 of tool input, 21333 in the output). Please reduce the length of either one, or use the "middle-out" transform.',
    window: 65_536,
    asked: 70_875,
  },
  {
    by: "OpenRouter, a request above what an account may ask",
    status: 402,
    message: "Prompt tokens limit exceeded: 230799 > 91442. To increase, visit the settings",
    window: 91_442,
    asked: 230_799,
  },
  {
    by: "LiteLLM",
    message:
      "litellm.ContextWindowExceededError: litellm.BadRequestError: This model's maximum context length is 8192 tokens. However, your messages resulted in 9021 tokens.",
    window: 8_192,
    asked: 9_021,
  },
  { by: "Bedrock", message: "Input is too long for requested model." },
  {
    by: "Bedrock, by characters",
    message:
      "Malformed input request: expected maxLength: 42000, actual: 46735, please reformat your input and try again: the prompt exceeds it.",
  },
  {
    by: "Fireworks",
    message: "The prompt is too long: 40177, model maximum context length: 32767",
    window: 32_767,
    asked: 40_177,
  },
  {
    by: "Cohere",
    message:
      "too many tokens: total number of tokens in the request cannot exceed 128000 - received 130000. Try using a shorter prompt.",
    window: 128_000,
    asked: 130_000,
  },
  {
    by: "xAI",
    message: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    window: 131_072,
    asked: 136_973,
  },
  {
    by: "Moonshot",
    message: "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
    window: 262_144,
    asked: 291_351,
  },
  {
    by: "GitHub's models",
    code: "model_max_prompt_tokens_exceeded",
    message: "prompt token count of 140000 exceeds the limit of 128000",
    window: 128_000,
    asked: 140_000,
  },
  {
    by: "MiniMax, whose number is that of the error",
    message: "invalid params, context window exceeds limit (2013)",
  },
  { by: "Z.ai", message: "Prompt exceeds max length" },
  {
    by: "DashScope, behind the status",
    message:
      "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]",
    window: 98_304,
  },
  {
    by: "SambaNova",
    message:
      "Requested generation length 2048 is not possible! The provided prompt is 7309 tokens long, so generating 2048 tokens requires a sequence length of 9357, but the maximum supported sequence length is just 8192!",
    window: 8_192,
    asked: 7_309,
  },
  {
    by: "Cloudflare, with the output",
    status: 413,
    message:
      "AiError: The estimated number of input and maximum output tokens (31230) exceeded this model context window limit (24000).",
    window: 24_000,
    asked: 31_230,
  },
  {
    by: "TabbyAPI",
    message: "Prompt length 40123 is greater than max_seq_len 32768",
    window: 32_768,
    asked: 40_123,
  },
  {
    by: "a gateway that counts tools, too",
    message:
      "The messages and the tools exceed the model's context window of 32768 tokens: they have 40123.",
    window: 32_768,
    asked: 40_123,
  },
  {
    by: "Volcengine, with images",
    message: "Total tokens of image and text exceed max message tokens",
  },
  { by: "Cerebras, with no word at 413", status: 413, message: "413 status code (no body)" },
];

const refused = ({ status = 400, code, type, body, message }: Omit<Said, "by">) => ({
  status,
  code,
  type,
  error: { message, body },
  message: `${status} ${message}`,
});

describe("a refusal of a too long request", () => {
  for (const said of refusals) {
    it(`is known in the words of ${said.by}, with the window's size and the request's`, () => {
      const numbers = tooLong(refused(said));
      assert.ok(numbers, said.message);
      assert.deepEqual([numbers.window, numbers.asked], [said.window, said.asked]);
    });
  }

  it("is not seen in other refusals", () => {
    const others: readonly Omit<Said, "by">[] = [
      {
        message: "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens",
      },
      {
        message:
          "max_tokens is too large: 50000. This model supports at most 16384 completion tokens",
      },
      { message: "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum" },
      { message: "Invalid 'tools': array too long. Expected an array with maximum length 128." },
      { message: "Unrecognized request argument supplied: reasoning_effort" },
      {
        code: "string_above_max_length",
        message:
          "Invalid 'tools[3].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1500 instead.",
      },
      {
        code: "string_above_max_length",
        message:
          "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
      },
      { message: "temperature must be less than 2" },
      { message: "messages.3: tool_use ids were found without tool_result blocks" },
      { message: "" },
      {
        status: 429,
        message:
          "Rate limit reached for model `m` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s.",
      },
      { status: 429, message: "Too many requests. Please reduce the length of your input." },
      { status: 401, message: "The prompt is too long" },
      {
        status: 402,
        message:
          "This request requires more credits, or fewer max_tokens. You requested up to 16384 tokens, but can only afford 3919.",
      },
      { status: 404, message: "The context window is too small" },
    ];
    for (const said of others) assert.equal(tooLong(refused(said)), undefined, said.message);
  });

  it("is read whatever a server says", () => {
    fc.assert(fc.property(fc.string(), (text) => void tokensIn(text)));
    fc.assert(
      fc.property(fc.anything(), (error) => {
        tooLong({ status: 400, error, message: "the prompt is too long" });
      }),
    );
  });
});
