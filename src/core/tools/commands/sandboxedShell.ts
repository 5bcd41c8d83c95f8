import type { CommandFacts } from "../../agent/commandFacts.js";
import type { CommandSandbox, LayerOutcome, SandboxTerms } from "../../agent/commandSandbox.js";
import { joinPath } from "../../commands/paths/followPath.js";
import type { Shell, ShellResult } from "../../ports/shell.js";
import { listedPath } from "../calls/resolvePath.js";

/** The shell of one command, and the messages about its run. */
export interface CommandShell {
  readonly shell: Pick<Shell, "run">;
  /** Returns lines for the expert and the user about a command that has ended with this result. */
  words(result: ShellResult): string[];
  /** Returns those lines that say which changes of the command did not stay. */
  unkept(): string[];
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
  const empty: string[] = [];
  for (const path of masked) if (await sandbox.isThere(path)) empty.push(path);
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
    unkept: () => (outcome === undefined ? [] : outcomeWords(outcome)),
    words: (result) => {
      const { canAskToLeave } = sandbox;
      return sandboxWords(result, { terms, canAskToLeave, masked: empty, outcome });
    },
  };
}

/** Returns the shell as it is, for a command that the user allows to run like any other program. */
export function bareShell(shell: Pick<Shell, "run">): CommandShell {
  return { shell, words: () => [], unkept: () => [] };
}

const mostPaths = 10;

/** Inputs of the messages about a sandboxed command, besides its result. */
interface SandboxedRun {
  readonly terms: SandboxTerms;
  /** Whether the expert can ask to run the command outside by a parameter of its tool. */
  readonly canAskToLeave: boolean;
  /** Paths that the command names and that were empty for it. */
  readonly masked: readonly string[];
  /** The outcome of the command's changes. Absent: it wrote to the workspace directly. */
  readonly outcome?: LayerOutcome | undefined;
}

/**
 * Returns lines that say which of a sandboxed command's changes did not stay, and why it may have
 * failed.
 */
function sandboxWords(result: ShellResult, run: SandboxedRun): string[] {
  const lines = run.outcome === undefined ? [] : outcomeWords(run.outcome);
  const wall = result.exitCode === 0 ? undefined : wallWords(result.output, run);
  return wall === undefined ? lines : [...lines, wall];
}

function outcomeWords({ dropped, unrecorded }: LayerOutcome): string[] {
  const lines: string[] = [];
  if (dropped.length > 0) {
    lines.push("It ran in the sandbox. Of what it changed, this was not kept:");
    const byReason = new Map<string, string[]>();
    for (const { path, why } of dropped.slice(0, mostPaths)) {
      byReason.set(why, [...(byReason.get(why) ?? []), listedPath(path)]);
    }
    for (const [why, paths] of byReason) lines.push(`- ${paths.join(", ")}: ${why}`);
    const more = dropped.length - mostPaths;
    if (more > 0) lines.push(`- and ${more} more`);
  }
  if (unrecorded > 0) {
    lines.push(`It changed so many files that ${unrecorded} of them cannot be undone.`);
  }
  return lines;
}

const unreachable =
  /could not resolve|name resolution|name or service not known|nodename nor servname|getaddrinfo|ENOTFOUND|EAI_AGAIN|ENETUNREACH|network is unreachable|no route to host|ECONNREFUSED|connection refused|failed to connect|could not connect|dial tcp|CONNECT tunnel failed|unable to access 'https?:/i;
const unwritable =
  /read-only file system|EROFS|permission denied|EACCES|operation not permitted|EPERM|device or resource busy|EBUSY/i;

/**
 * Returns a sentence about the limit of the sandbox that a failed command probably ran into;
 * `undefined` when the output shows none.
 */
function wallWords(
  output: string,
  { terms, canAskToLeave, masked }: SandboxedRun,
): string | undefined {
  const wall = wallOf(output, terms, masked);
  if (wall === undefined) return undefined;
  const way = canAskToLeave
    ? "If that is why it failed, call it again with outside: true, which asks the user."
    : "If that is why it failed, tell the user, who can allow the command by the setting rooroo.commands.allow, or ask for a hidden folder by its name.";
  return `${wall} ${way}`;
}

function wallOf(
  output: string,
  { network }: SandboxTerms,
  masked: readonly string[],
): string | undefined {
  if (network !== "open" && unreachable.test(output)) {
    return network === "none"
      ? "It ran in the sandbox, which has no network."
      : `It ran in the sandbox, from which only these hosts can be reached: ${network.hosts.join(", ")}.`;
  }
  if (unwritable.test(output)) {
    return "It ran in the sandbox, where protected files and everything outside the workspace can only be read.";
  }
  if (masked.length > 0) {
    const names = masked.slice(0, mostPaths).map(listedPath).join(", ");
    return `It ran in the sandbox, where files that are hidden or may hold secrets are empty: ${names}.`;
  }
  return undefined;
}
