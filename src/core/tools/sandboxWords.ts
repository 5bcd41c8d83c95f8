import type { LayerOutcome, SandboxTerms } from "../agent/commandSandbox.js";
import type { ShellResult } from "../ports.js";
import { listedPath } from "./resolvePath.js";

const mostPaths = 10;

/** What the messages about a sandboxed command depend on, besides its result. */
export interface SandboxedRun {
  readonly terms: SandboxTerms;
  /** Whether the expert can ask to run the command outside by a parameter of its tool. */
  readonly canAskToLeave: boolean;
  /** Paths that the command names and that were empty for it. */
  readonly masked: readonly string[];
  /** What became of the command's changes. Absent: it wrote to the workspace directly. */
  readonly outcome?: LayerOutcome | undefined;
}

/**
 * Returns lines that say which of a sandboxed command's changes did not stay, and why it may have
 * failed.
 */
export function sandboxWords(result: ShellResult, run: SandboxedRun): string[] {
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
    : "If that is why it failed, tell the user, who can allow the command by the setting rooroo.commands.allow.";
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
