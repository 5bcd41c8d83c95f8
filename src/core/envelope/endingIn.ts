import { extractJson } from "./extractJson.js";

/** A call of the tool that ends a turn, as a message that ends one has it. */
export interface Ending {
  readonly name: "attempt_completion" | "ask_followup_question";
  readonly arguments: string;
}

/**
 * What an envelope without a command ends with: a fence named `report` or `question` in its message;
 * its JSON may leave out what the words around it say.
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

/** What is no JSON stays as it is: the tool says what is wrong with it. */
function withWords(body: string, field: string, words: string): string {
  const json = extractJson(body);
  if (!json.ok || typeof json.value !== "object" || json.value === null) return body;
  return JSON.stringify(words === "" ? json.value : { [field]: words, ...json.value });
}
