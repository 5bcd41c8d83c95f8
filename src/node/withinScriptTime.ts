import { createContext, Script } from "node:vm";
import { UserError } from "../core/errors.js";

/** A sane expression needs milliseconds for a file. */
const maxMs = 1000;

const script = new Script("work()");

/**
 * Runs work with a regular expression that somebody else wrote. Throws a {@link UserError} when it
 * takes for ever: backtracking can take longer than the universe has, and only a script can be given
 * a limit.
 */
export function withinScriptTime<T>(source: string, work: () => T): T {
  try {
    return script.runInContext(createContext({ work }), { timeout: maxMs }) as T;
  } catch (error) {
    // An error of the context's own world, which is no instance of this one's.
    const { code } = error as { readonly code?: unknown };
    if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new UserError(
      `The expression ${source} takes too long. Write it without repetitions inside repetitions.`,
    );
  }
}
