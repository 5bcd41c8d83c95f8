import type { CommandSandbox, LayerOutcome, SandboxTerms } from "../agent/commandSandbox.js";
import type { CommandFacts } from "../agent/commandFacts.js";
import type { Shell, ShellResult } from "../ports.js";
import { joinPath } from "../commands/joinPath.js";
import { sandboxWords } from "./sandboxWords.js";

/** The shell of one command, and the messages about its run. */
export interface CommandShell {
  readonly shell: Pick<Shell, "run">;
  /** Returns lines for the expert and the user about a command that has ended with this result. */
  words(result: ShellResult): string[];
}

/**
 * Returns a shell that runs one command in the sandbox and keeps those of its changes that may
 * stay.
 *
 * @param folder the canonical folder that the command runs in
 */
export async function sandboxedShell(
  shell: Pick<Shell, "run">,
  sandbox: CommandSandbox,
  terms: SandboxTerms,
  { facts, folder }: { readonly facts: CommandFacts; readonly folder: string },
): Promise<CommandShell> {
  const profile = await sandbox.profile(terms);
  const named = facts.commands.flatMap(({ words }) => words.slice(1));
  const paths = named.filter((word) => /^[^-/~]/.test(word)).map((word) => joinPath(folder, word));
  const masked = [...new Set(paths)].filter(
    (path) => !/^\.\.(\/|$)/.test(path) && profile.masks(path),
  );
  let outcome: LayerOutcome | undefined;
  return {
    shell: {
      run: async (request, signal) => {
        const result = await shell.run({ ...request, sandbox: profile }, signal);
        const { layer, ...ended } = result;
        if (layer === undefined) return result;
        try {
          outcome = await sandbox.keep(layer, terms);
        } finally {
          await layer.discard();
        }
        return ended;
      },
    },
    words: (result) => {
      const { canAskToLeave } = sandbox;
      return sandboxWords(result, { terms, canAskToLeave, masked, outcome });
    },
  };
}

/** Returns the shell as it is, for a command that the user allows to run like any other program. */
export function bareShell(shell: Pick<Shell, "run">): CommandShell {
  return { shell, words: () => [] };
}
