/**
 * The APIs by which models are asked: OpenAI's Chat Completions, which most servers speak, OpenAI's Responses, and
 * Anthropic's Messages.
 */
export const modelApis = ["chat", "responses", "messages"] as const;
export type ModelApi = (typeof modelApis)[number];
