import type { CommandSandbox, LayerOutcome, SandboxTerms } from "../agent/commandSandbox.js";
import type { CommandFacts } from "../agent/commandFacts.js";
import type { Shell, ShellResult } from "../ports.js";
import { joinPath } from "../commands/joinPath.js";
import { sandboxWords } from "./sandboxWords.js";

/** One command's shell, and what there is to say of its run. */
export interface CommandShell {
  readonly shell: Pick<Shell, "run">;
  /** Lines for the expert and the person, once the command has ended with this result. */
  words(result: ShellResult): string[];
}

/**
 * Has a shell run one command in the sandbox, and keeps what it changed as far as that may stay.
 *
 * @param folder the one that the command runs in; canonical
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

/** The shell as it is, for a command that a person lets run like any program of theirs. */
export function bareShell(shell: Pick<Shell, "run">): CommandShell {
  return { shell, words: () => [] };
}
