import { type CommandRules, wordsOf } from "../../core/commands/commandRules.js";
import type { Options } from "./options.js";
import { WrongUse } from "../commands/wrongUse.js";

/** Returns the command rules from the options. Throws {@link WrongUse} if one is invalid. */
export function commandRules({ allowCommand: allow, denyCommand: deny }: Options): CommandRules {
  const bad = [...allow, ...deny].find((rule) => wordsOf(rule) === undefined);
  if (bad === undefined) return { allow, deny };
  throw new WrongUse(
    `${JSON.stringify(bad)} is no rule for commands. Give the first words of one command, as "npm test" or "git commit -m *".`,
  );
}
