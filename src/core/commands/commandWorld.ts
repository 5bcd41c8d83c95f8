import type { CommandRules } from "./commandRules.js";
import type { VisibleFiles } from "./readProblem.js";
import type { CommandParser } from "./syntaxTree.js";

/** What commands are judged with. */
export interface CommandWorld extends VisibleFiles {
  readonly parser: CommandParser;
  readonly rules: CommandRules;
  /** Why writing a file is always asked about, for what it is and not for its name alone. */
  steers(path: string): Promise<string | undefined>;
}
