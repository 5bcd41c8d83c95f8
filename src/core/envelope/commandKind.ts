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

/** The tools that a command names; a sound one names one (R-ENV-3). */
export function kindsOf(command: EnvelopeCommand): CommandKind[] {
  const { shell, run, cwd } = command;
  return commandKinds.filter((kind) => {
    if (kind === "browse") return run !== undefined && isBrowse(run);
    if (kind !== "shell") return command[kind] !== undefined;
    return shell !== undefined && run !== undefined && cwd !== undefined && !isBrowse(run);
  });
}

/** R-ENV-10: the schema has no field for it, so it is told by its command line. */
function isBrowse(run: string): boolean {
  return /^\s*browse\s/.test(run);
}

/** The address that a browse command names; `undefined` when it is none for a GET. */
export function browsedAddress(run: string): string | undefined {
  return /^\s*browse\s+(https?:\/\/\S+)\s*$/i.exec(run)?.[1];
}
