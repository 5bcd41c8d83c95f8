import type { CommandFacts } from "../../agent/commandFacts.js";
import type { CommandSandbox } from "../../agent/commandSandbox.js";
import { onlyLooks } from "../../tools/commands/onlyLooks.js";

/**
 * R-ENV-7: Returns the hidden folder (its name begins with a dot) that a path leads into, unless the
 * user asked for it. `.rooroo`, where tasks live, is always allowed.
 *
 * @param path canonical
 * @param asked what the user said
 */
export function hiddenFolder(path: string, isFolder: boolean, asked: string): string | undefined {
  const segments = path.split("/");
  const folders = isFolder ? segments : segments.slice(0, -1);
  return folders.find(
    (name) => /^\.[^.]/.test(name) && name !== ".rooroo" && !isNamed(name, asked),
  );
}

/** Returns whether the folder is named as a word of its own: `.github` does not name `.git`. */
function isNamed(folder: string, asked: string): boolean {
  for (let at = asked.indexOf(folder); at >= 0; at = asked.indexOf(folder, at + 1)) {
    const around = (asked[at - 1] ?? " ") + (asked[at + folder.length] ?? " ");
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}

/**
 * R-ENV-7: Returns the sandbox in which commands that only read find hidden folders empty. Programs that do more may need
 * them, and git needs its own.
 *
 * @param facts returns what is known of the command, by the time that it runs
 */
export function withoutHiddenFolders(
  sandbox: CommandSandbox,
  asked: () => string,
  facts: () => CommandFacts | undefined,
): CommandSandbox {
  return {
    ...sandbox,
    profile: async (terms) => {
      const profile = await sandbox.profile(terms);
      const known = facts();
      if (known === undefined || !onlyLooks(known)) return profile;
      const said = asked();
      const usesGit = known.commands.some(({ words: [program] }) => program === "git");
      const isHidden = (path: string, isFolder: boolean): boolean => {
        const folder = hiddenFolder(path, isFolder, said);
        return folder !== undefined && !(usesGit && folder === ".git");
      };
      return {
        ...profile,
        masks: (path, isFolder = false) =>
          profile.masks(path, isFolder) || isHidden(path, isFolder),
      };
    },
  };
}
