import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** @param {string} text */
export function tokens(text) {
  return encode(text).length;
}

/**
 * A chat completion request's: what its messages say, their few tokens of frame each, and the tools
 * as they are sent.
 *
 * @param {{ messages: { content: string | null, tool_calls?: object[] }[], tools?: object[] }} body
 */
export function requestTokens({ messages, tools = [] }) {
  const frame = 4;
  const spoken = messages.map(({ content, tool_calls: calls }) =>
    tokens((content ?? "") + (calls === undefined ? "" : JSON.stringify(calls))),
  );
  return spoken.reduce((sum, one) => sum + one + frame, 0) + tokens(JSON.stringify(tools));
}
