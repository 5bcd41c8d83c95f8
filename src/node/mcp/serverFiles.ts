import type { PinnedFile } from "../../core/agent/commandFacts.js";
import type { CommandParser } from "../../core/commands/line/syntaxTree.js";
import { reviewCommand } from "../../core/commands/reviewCommand.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { McpServerEntry } from "./mcpConfig.js";

/**
 * Returns the workspace's files that a server's entry starts, such as a script among its arguments, as for a command that
 * an expert proposes. What these files load by themselves is not among them.
 *
 * @param entry with the values of its variables
 * @throws a `FileError` if a file cannot be read
 */
export async function serverFiles(
  entry: McpServerEntry,
  { files, parser }: { readonly files: FileSystem; readonly parser: CommandParser },
): Promise<readonly PinnedFile[]> {
  if (!("command" in entry)) return [];
  const variables = Object.entries(entry.env).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  const words = [
    ...variables.map(([name, value]) => `${name}=${quoted(value)}`),
    ...[entry.command, ...entry.args].map(quoted),
  ];
  const { path: folder } = await files.locate(slashed(entry.cwd ?? ""));
  const { pinned } = await reviewCommand(words.join(" "), folder, {
    files,
    parser,
    rules: { allow: [], deny: [] },
    isHidden: () => false,
    protection: () => Promise.resolve(undefined),
  });
  return [...pinned].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Quotes every word, because one with `=` at the beginning would be an assignment. */
function quoted(word: string): string {
  return `'${slashed(word).replaceAll("'", `'\\''`)}'`;
}

function slashed(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
