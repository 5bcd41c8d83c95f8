import { hostOf } from "./serverAddress.js";

/** A kind of server that people use, with what has to be known before the first request. */
export interface ModelServer {
  readonly name: string;
  /** The base URL; `{RESOURCE}` stands for a part that only the user knows. */
  readonly baseUrl: string;
  readonly needsKey: boolean;
  /** The setup that experts need on the server to work well; empty if none. */
  readonly hint: string;
  /**
   * Whether the server takes no function's name in `tool_choice`, only the words `auto`, `required` and
   * `none`.
   */
  readonly plainToolChoice?: boolean;
}

/**
 * Sources: https://lmstudio.ai/docs/app/api/endpoints/openai,
 * https://docs.vllm.ai/en/latest/features/tool_calling/, https://docs.ollama.com/api/openai-compatibility,
 * https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md,
 * https://learn.microsoft.com/azure/ai-services/openai/api-version-lifecycle,
 * https://platform.claude.com/docs/en/api/messages, https://ai.google.dev/gemini-api/docs/openai,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-chat-completions.html.
 */
export const modelServers: readonly ModelServer[] = [
  { name: "OpenAI", baseUrl: "https://api.openai.com/v1", needsKey: true, hint: "" },
  {
    name: "Anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    needsKey: true,
    hint: "",
  },
  {
    name: "Google Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    needsKey: true,
    hint: "",
  },
  {
    name: "Amazon Bedrock",
    baseUrl: "https://bedrock-runtime.{REGION}.amazonaws.com/openai/v1",
    needsKey: true,
    hint: "The key is one of Bedrock's own API keys.",
  },
  { name: "OpenRouter", baseUrl: "https://openrouter.ai/api/v1", needsKey: true, hint: "" },
  {
    name: "Azure OpenAI",
    baseUrl: "https://{RESOURCE}.openai.azure.com/openai/v1",
    needsKey: true,
    hint: "The model's name is that of your deployment.",
  },
  {
    name: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    needsKey: false,
    hint: "Give models a longer context than Ollama's own short one (OLLAMA_CONTEXT_LENGTH).",
    plainToolChoice: true,
  },
  {
    name: "LM Studio",
    baseUrl: "http://localhost:1234/v1",
    needsKey: false,
    hint: "Start its server in the Developer tab, and load the model with a long context.",
    plainToolChoice: true,
  },
  {
    name: "vLLM",
    baseUrl: "http://localhost:8000/v1",
    needsKey: false,
    hint: "For tool calls start it with --enable-auto-tool-choice and --tool-call-parser.",
  },
  {
    name: "llama.cpp",
    baseUrl: "http://localhost:8080/v1",
    needsKey: false,
    hint: "For tool calls start llama-server with --jinja.",
  },
];

/** Returns the kind of a server by its address; a local one is known by its port. */
export function modelServerAt(baseUrl: string): ModelServer | undefined {
  const host = hostOf(baseUrl);
  return modelServers.find((server) => {
    const own = hostOf(server.baseUrl);
    const [before, after] = own.split(/\{\w+\}/, 2);
    return after === undefined
      ? own === host
      : host.length > own.replace(/\{\w+\}/, "").length &&
          host.startsWith(before ?? "") &&
          host.endsWith(after);
  });
}
