import { requestTokens } from "./tokens.mjs";

/**
 * Measures a request: its tokens, and its text in the order in which servers keep the beginnings of requests.
 *
 * @param {any} request
 */
export function measured({ messages, tools }) {
  const sent = messages.map((/** @type {any} */ { content, toolCalls }) => ({
    content,
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
  }));
  return {
    tokens: requestTokens({ messages: sent, tools }),
    text: JSON.stringify(tools) + JSON.stringify(sent),
  };
}

/**
 * Returns how many characters a request has in common with the beginning of an earlier one, the most there are.
 *
 * @param {string} text
 * @param {readonly { text: string }[]} asked
 * @param {number} index
 */
export function sharedStart(text, asked, index) {
  let most = 0;
  for (const { text: earlier } of asked.slice(0, index)) {
    let at = 0;
    while (at < text.length && text[at] === earlier[at]) at++;
    most = Math.max(most, at);
  }
  return most;
}
