import type { EnvelopeCommand } from "./envelope.js";

const commandKinds = [
  "shell",
  "browse",
  "read",
  "edit",
  "replace",
  "escape_string",
  "unescape_string",
] as const;
export type CommandKind = (typeof commandKinds)[number];

/** Returns the tools that a command names; a valid command names exactly one (R-ENV-3). */
export function kindsOf(command: EnvelopeCommand): CommandKind[] {
  const { shell, run, cwd } = command;
  return commandKinds.filter((kind) => {
    if (kind === "browse") return run !== undefined && isBrowse(run);
    if (kind !== "shell") return command[kind] !== undefined;
    return shell !== undefined && run !== undefined && cwd !== undefined && !isBrowse(run);
  });
}

/** R-ENV-10: The schema has no field for browsing, so the command line tells. */
function isBrowse(run: string): boolean {
  return /^\s*browse\s/.test(run);
}

/**
 * Returns the address that a browse command names; `undefined` unless it is one `http:` or `https:`
 * address.
 */
export function browsedAddress(run: string): string | undefined {
  return /^\s*browse\s+(https?:\/\/\S+)\s*$/i.exec(run)?.[1];
}
