import type { DirectoryHandle } from "../files/directoryHandle.js";
import { durablyCreate, durablyReplace } from "../files/durableWrite.js";

const name = ".gitignore";

const rules = `# Rooroo Navigator keeps records of its work here, which git ignores. Worth committing are only the rules that you
# wrote and the summaries of brainstorming. Edit this file as you like: for plans, add !/plans/ and !/plans/**.
*
!/rules/
!/rules/**
!/brainstorming/
!/brainstorming/**
`;

/** The texts of earlier versions. A file with any other text is the user's own. */
const earlierRules: readonly string[] = [
  `# What Rooroo Navigator records here is not a part of the project, except for the rules. Edit this file as you like.
*
!/rules/
!/rules/**
`,
];

/**
 * Keeps git from taking transcripts, locks, outputs and other records for a part of the project. A file
 * that the user has edited stays as it is.
 *
 * @param folder `.rooroo` of the workspace
 */
export async function ignoreRecords(folder: DirectoryHandle): Promise<void> {
  if (await durablyCreate(folder, name, Buffer.from(rules))) return;
  const found = folder.look(name);
  for (const earlier of earlierRules.map((text) => Buffer.from(text))) {
    if (found?.isFile() !== true || found.size !== earlier.length) continue;
    // An outdated file does no harm, so whatever keeps it from being replaced must not stop the work.
    await durablyReplace(folder, name, Buffer.from(rules), earlier).catch(() => false);
  }
}
