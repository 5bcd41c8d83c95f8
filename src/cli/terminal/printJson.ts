import { isWords } from "../../core/text/words.js";
import type { Terminal } from "./terminal.js";
import { terminalJson } from "./terminalText.js";

/** Prints a command's result as JSON: as one value, or each item of a list on a line of its own. */
export async function printJson(
  command: { readonly json?: unknown },
  result: { readonly json?: () => unknown },
  terminal: Terminal,
): Promise<void> {
  if (result.json === undefined) return;
  const printed = await result.json();
  const parts =
    command.json === "lines"
      ? (printed as unknown[]).map((line) => `${terminalJson(line)}\n`)
      : terminalJsonParts(printed);
  for (const part of parts) terminal.print(part);
}

/** The characters, and the rest of an item, that are printed at a time: a text is copied several times on the way. */
const printedAtATime = 500_000;

/**
 * Yields the parts of a line with the value as {@link terminalJson} writes it, indented by two spaces. Lists in an object are
 * written item by item, so that long ones take no memory of their own.
 */
export function* terminalJsonParts(value: unknown): Generator<string> {
  let part = "";
  for (const piece of jsonPieces(value)) {
    part += piece;
    if (part.length < printedAtATime) continue;
    yield part;
    part = "";
  }
  yield `${part}\n`;
}

function* jsonPieces(value: unknown): Generator<string> {
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  const members = isPlain && !isWords(value) ? Object.entries(value) : [];
  const shown = members.filter(([, member]) => member !== undefined);
  if (shown.length === 0) {
    yield terminalJson(value, 2);
    return;
  }
  const json = (one: unknown, indent: string) =>
    terminalJson(one ?? null, 2).replaceAll("\n", `\n${indent}`);
  for (const [at, [name, member]] of shown.entries()) {
    yield `${at === 0 ? "{" : ","}\n  ${terminalJson(name)}: `;
    if (!Array.isArray(member) || member.length === 0) yield json(member, "  ");
    else {
      for (const [place, item] of member.entries()) {
        yield `${place === 0 ? "[" : ","}\n    ${json(item, "    ")}`;
      }
      yield "\n  ]";
    }
  }
  yield "\n}";
}
