import type { DirectoryHandle } from "../files/directoryHandle.js";
import { durablyCreate } from "../files/durableWrite.js";

const name = ".gitignore";

const rules = `# Rooroo Navigator keeps records of its work here, which git ignores. Worth committing are only the rules that you
# wrote and the summaries of brainstorming. Edit this file as you like: for plans, add !/plans/ and !/plans/**.
*
!/rules/
!/rules/**
!/brainstorming/
!/brainstorming/**
`;

/**
 * Keeps git from taking transcripts, locks, outputs and other records for a part of the project. A file
 * that the user has edited stays as it is.
 *
 * @param folder `.rooroo` of the workspace
 */
export async function ignoreRecords(folder: DirectoryHandle): Promise<void> {
  await durablyCreate(folder, name, Buffer.from(rules));
}
