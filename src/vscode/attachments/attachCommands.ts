import type { ShownAttachment } from "../../core/conversation/input/attachment.js";
import type { UserAction } from "../../core/conversation/input/userAction.js";
import type { CommandHandlers } from "../work/commandHandlers.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";

/** The panel with its input. */
interface Chat {
  focus(text?: string, attachments?: readonly ShownAttachment[]): Promise<void>;
}

/**
 * Returns the commands by which a person hands something of the editor to Rooroo. They open the panel; "Add" waits in
 * the composer for the words, "Fix" and "Explain" start at once.
 */
export function attachCommands(workspace: CurrentWorkspace, chat: Chat) {
  const start = async (argument: unknown, expert: string, verb: string) => {
    const session = workspace.require();
    const { codeAttachments } = await import("./editorAttachments.js");
    const attachments = await codeAttachments(argument, session);
    const what = attachments.some(({ kind }) => kind === "problems") ? "problem" : "code";
    const goal = `${verb} this ${what}.`;
    const action: UserAction = { action: "doTask", expert, goal, attachments };
    await chat.focus();
    void session.run((navigator) => navigator.act(action));
  };
  return {
    "rooroo.addToRooroo": async (argument, more) => {
      const session = workspace.require();
      const { namedAttachments } = await import("./editorAttachments.js");
      await chat.focus("", await namedAttachments(argument, more, session));
    },
    "rooroo.addTerminalSelection": async () => {
      workspace.require();
      const { terminalSelection } = await import("./terminalSelection.js");
      await chat.focus("", [{ attachment: await terminalSelection() }]);
    },
    "rooroo.fixWithRooroo": (argument) => start(argument, "rooroo-developer", "Fix"),
    "rooroo.explainWithRooroo": (argument) => start(argument, "rooroo-analyzer", "Explain"),
  } satisfies CommandHandlers;
}
