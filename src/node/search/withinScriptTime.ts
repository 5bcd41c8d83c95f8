import { createContext, Script } from "node:vm";
import { UserError } from "../../core/errors.js";

/** The timeout in milliseconds; a sane expression needs only a few for a file. */
const maxMs = 1000;

const script = new Script("work()");

/**
 * Runs work with an untrusted regular expression. Throws a {@link UserError} if it takes too long:
 * backtracking can take practically for ever, and only a script can be given a time limit.
 */
export function withinScriptTime<T>(source: string, work: () => T): T {
  try {
    return script.runInContext(createContext({ work }), { timeout: maxMs }) as T;
  } catch (error) {
    // The error belongs to the context's own realm, so that `instanceof` fails here.
    const { code } = error as { readonly code?: unknown };
    if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new UserError(
      `The expression ${source} takes too long. Write it without repetitions inside repetitions.`,
    );
  }
}
