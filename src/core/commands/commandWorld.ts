import type { CommandRules } from "./commandRules.js";
import type { VisibleFiles } from "./readProblem.js";
import type { CommandParser } from "./syntaxTree.js";

/** The files, the parser and the rules with which commands are judged. */
export interface CommandWorld extends VisibleFiles {
  readonly parser: CommandParser;
  readonly rules: CommandRules;
  /** Returns why writing a file always needs approval, for what it is and not for its name alone. */
  steers(path: string): Promise<string | undefined>;
}
