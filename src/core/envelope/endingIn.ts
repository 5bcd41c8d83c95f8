import { extractJson } from "./extractJson.js";

/** A call of the tool that ends a turn, as read from a message. */
export interface Ending {
  readonly name: "attempt_completion" | "ask_followup_question";
  readonly arguments: string;
}

/**
 * Reads the fence named `report` or `question` that ends the turn of an envelope without a command. The
 * fence's JSON may leave out the `message` or `question`: the text around the fence stands in for it.
 */
export function endingIn(message: string): Ending | undefined {
  const [fence, kind, body = ""] =
    /```(report|question)[^\S\n]*\n([\s\S]*?)(?:\n```|$)/.exec(message) ?? [];
  if (fence === undefined) return undefined;
  const words = message.replace(fence, "").trim();
  return kind === "report"
    ? { name: "attempt_completion", arguments: withWords(body, "message", words) }
    : { name: "ask_followup_question", arguments: withWords(body, "question", words) };
}

/**
 * Adds the words as a field unless the JSON has it. Invalid JSON stays as it is: the tool says what is
 * wrong with it.
 */
function withWords(body: string, field: string, words: string): string {
  const json = extractJson(body);
  if (!json.ok || typeof json.value !== "object" || json.value === null) return body;
  return JSON.stringify(words === "" ? json.value : { [field]: words, ...json.value });
}
