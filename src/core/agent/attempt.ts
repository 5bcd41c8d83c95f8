import { parseJson } from "../documents/parseJson.js";
import type { ModelMessage } from "../ports/messages.js";
import { visibleLine } from "../text/visibleText.js";

/** The most files and messages that are named, and the most characters of one message. */
const mostFiles = 20;
const mostMessages = 3;
const maxMessage = 300;

/**
 * Returns what the next attempt should know of one that submitted nothing: the files that it changed and its last
 * messages. Empty if there are neither.
 *
 * @param changed the paths of the files that it changed
 * @param messages the attempt's conversation
 */
export function leftByAttempt(
  changed: readonly string[],
  messages: readonly ModelMessage[],
): string {
  const files = changed.length === 0 ? "" : `Changed so far: ${filesText(changed)}.`;
  return [files, lastMessages(messages)].filter((part) => part !== "").join("\n");
}

/** Returns an agent's last messages and calls, shortened; empty if it sent none. */
export function lastMessages(messages: readonly ModelMessage[]): string {
  const words = messages.flatMap(textOf).slice(-mostMessages);
  return words.length === 0 ? "" : `Last messages: ${words.join(" | ")}`;
}

/** Returns the paths as one text, with the number of those that are left out. */
export function filesText(paths: readonly string[]): string {
  const left = paths.length - mostFiles;
  const shown = paths.slice(0, mostFiles).map((path) => visibleLine(path, 200));
  return `${shown.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

function textOf(message: ModelMessage): string[] {
  if (message.role !== "assistant") return [];
  const calls = message.toolCalls.map(({ name, arguments: args }) =>
    `${name} ${gist(args)}`.trim(),
  );
  const text = [message.content.trim(), ...calls].filter((part) => part !== "").join(" → ");
  return text === "" ? [] : [visibleLine(text, maxMessage)];
}

/** Returns what a call is about: the first text among its arguments, which tools have first. */
function gist(args: string): string {
  const json = parseJson(args);
  if (!json.ok || typeof json.value !== "object" || json.value === null) return args;
  const texts = Object.values(json.value).filter((value) => typeof value === "string");
  return texts[0] ?? "";
}
