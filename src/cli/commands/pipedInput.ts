import { fstatSync } from "node:fs";
import type { Attachment } from "../../core/conversation/input/attachment.js";
import { beginningOf, endOf } from "../../core/text/wellFormed.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import type { Cli } from "./command.js";
import { inputText } from "./inputText.js";

/** The most characters that are attached of the beginning, and of the end, where errors mostly are. */
const half = 3_900;

/**
 * Returns what a shell passes to a request by `|` or `<`; `undefined` if that is nothing. Other inputs than pipes and files are
 * not read: programs that start this one often leave theirs open. Throws {@link WrongUse} for what is no text.
 *
 * @param patienceMs after this time a person is told what the command waits for, because a program that starts it may leave a
 *   pipe open for good
 */
export async function pipedInput(
  { input, terminal }: Pick<Cli, "input" | "terminal">,
  patienceMs = 10_000,
): Promise<Attachment | undefined> {
  const { isTTY, fd } = input as Cli["input"] & { readonly isTTY?: boolean; readonly fd?: number };
  if (isTTY === true || (fd !== undefined && !isPiped(fd))) return undefined;
  const telling = setTimeout(() => {
    terminal.printError(
      `${t("Waiting for the end of standard input. Where nothing is to be attached, write < /dev/null behind the command.")}\n`,
    );
  }, patienceMs);
  const text = await inputText(input).finally(() => {
    clearTimeout(telling);
  });
  if (text === "") return undefined;
  if (text.includes("\0")) {
    throw new WrongUse(
      "inputNoText",
      "Standard input is not text. Name a file with --attach, or write < /dev/null behind the command.",
    );
  }
  const left = text.length - 2 * half;
  if (left <= 0) return { kind: "input", text };
  terminal.printError(
    `${t("Only the first and the last {0, number} characters of standard input are attached. Save all of it to a file, and attach that.", half)}\n`,
  );
  const gap = `\n… ${left} characters are left out …\n`;
  return { kind: "input", text: beginningOf(text, half) + gap + endOf(text, half) };
}

function isPiped(fd: number): boolean {
  try {
    const found = fstatSync(fd);
    return found.isFIFO() || found.isFile();
  } catch {
    // It is closed.
    return false;
  }
}
