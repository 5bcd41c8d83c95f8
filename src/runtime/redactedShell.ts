import type { Shell } from "../core/ports/shell.js";
import type { Redactor } from "../core/text/redactor.js";

/** Removes keys from the output of commands: live, in results and in stored files. */
export function redactedShell(shell: Shell, redactor: Redactor): Shell {
  const sandbox = shell.sandbox?.bind(shell);
  return {
    get description() {
      return shell.description;
    },
    ...(sandbox === undefined ? {} : { sandbox }),
    run: (request, signal) => shell.run({ ...request, filter: () => redactor.stream() }, signal),
    endOrphaned: () => shell.endOrphaned(),
  };
}
