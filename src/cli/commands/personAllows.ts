import { createInterface } from "node:readline";
import { t } from "../language/language.js";
import type { Cli } from "./command.js";

/**
 * Asks the person at the terminal whether they allow what was shown; `false` if nobody is there.
 *
 * @param outside whether it runs without a sandbox: then only the whole word counts
 */
export async function personAllows(
  { terminal, input }: Pick<Cli, "terminal" | "input">,
  outside = false,
): Promise<boolean> {
  if (!terminal.hasPerson) return false;
  terminal.printError(
    outside ? t("Type yes to allow it without a sandbox: ") : t("Allow it? [y] yes, [n] no: "),
  );
  const lines = createInterface({ input, terminal: false });
  for await (const line of lines) return (outside ? /^yes$/i : /^y(es)?$/i).test(line.trim());
  return false;
}
