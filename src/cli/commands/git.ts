import { english, type Translate } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import { DiskFileSystem } from "../../node/files/diskFileSystem.js";
import { PermissionFile } from "../../node/user/permissionFile.js";
import { userFolder } from "../../node/user/userFolder.js";
import { loadGitConfig } from "../../runtime/lazy.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { indented, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";
import { personAllows } from "./personAllows.js";

/**
 * Shows what the configuration of the workspace's repository may have git run, and stores that the user allows it as it is:
 * by an answer at the terminal, or as they have said in the command line.
 */
export async function allowGitConfig(
  isSaid: boolean,
  { options, terminal, input }: Cli,
): Promise<Result<"waiting">> {
  const root = await workspaceRoot(options.workspace);
  const permissions = new PermissionFile(userFolder(process.env), root);
  const reviewed = await loadGitConfig({ files: new DiskFileSystem(root), permissions });
  if (reviewed.type === "none") {
    const inWords = (inLanguage: Translate) => spoken(reviewed.why, inLanguage);
    return result("none", inWords, `${terminalText(inWords(t))}\n`);
  }
  const { description, isAllowed } = reviewed;
  const inWords = (inLanguage: Translate) =>
    description.map((line) => spoken(line, inLanguage)).join("\n");
  const shown = `${indented(terminalText(inWords(t)))}\n`;
  if (isAllowed) return result("allowed", inWords, `${shown}${t("It is allowed.")}\n`);
  if (!isSaid) terminal.printError(shown);
  if (!isSaid && !(await personAllows({ terminal, input }))) {
    const how = t("It is not allowed. To allow it: {0}", "rooroo git allow --yes");
    return result("notAllowed", inWords, `${how}\n`);
  }
  await reviewed.allow();
  const allowed = `${isSaid ? shown : ""}${t("It is allowed until it changes.")}\n`;
  return result("allowed", inWords, allowed);
}

function result(
  state: "none" | "allowed" | "notAllowed",
  inWords: (inLanguage: Translate) => string,
  text: string,
): Result<"waiting"> {
  return {
    end: state === "notAllowed" ? "waiting" : "done",
    json: () => ({ state, description: inWords(english) }),
    text: () => text,
  };
}
