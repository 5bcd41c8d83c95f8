import { visibleLine } from "../../core/text/visibleText.js";
import { localServices } from "../../runtime/localServices.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { FollowUps } from "../terminal/followUps.js";
import { terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";
import { createSession } from "./work.js";

/** Prints a message for what is staged or, if nothing is, for what has changed. Commits nothing. */
export async function printCommitMessage(cli: Cli): Promise<Result<never>> {
  const { options, terminal } = cli;
  const root = await workspaceRoot(options.workspace);
  const local = localServices(root, "rooroo commit-message");
  const session = await createSession(root, local, cli, new FollowUps(options), () => undefined);
  const written = await session.commitMessage();
  const { message, of, leftOut, outside, cut } = written;
  const note = (text: string, paths: readonly string[] = []) => {
    const { yellow } = terminal.errorStyle;
    const named = paths.map((path) => visibleLine(path, 200)).join(", ");
    terminal.printError(`${yellow("!")} ${text}${terminalText(named)}\n`);
  };
  if (!options.json) {
    if (of === "workTree")
      note(t("Nothing is staged: it is about all changes since the last commit."));
    if (leftOut.length > 0) note(t("Not read, hidden or possibly secret: "), leftOut);
    if (outside.length > 0) note(t("Staged, but outside of the opened folder: "), outside);
    if (cut.length > 0) note(t("The changes are long; only a part was read of: "), cut);
  }
  return { end: "done", json: () => written, text: () => `${terminalText(message)}\n` };
}
