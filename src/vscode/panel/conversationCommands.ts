import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { ConversationId } from "../../core/ids.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { Clock } from "../../core/ports/system.js";
import { withoutLinks } from "../text/withoutLinks.js";
import { t } from "../text/words.js";
import type { CommandHandlers } from "../work/commandHandlers.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import type { ChatView } from "./chatView.js";
import type { ConversationEditors } from "./conversationEditors.js";
import type { ConversationActivity } from "./conversationPicker.js";

export interface ConversationCommandDependencies {
  readonly workspace: CurrentWorkspace;
  readonly chat: ChatView;
  readonly editors: ConversationEditors;
  /** Returns the tasks as they were read last. */
  readonly tasks: () => readonly TaskView[];
  readonly clock: Clock;
}

/**
 * Returns the commands for conversations. Each takes an id, or is about the one of the active editor or the side bar.
 * Deleting rejects with a {@link UserError} while a task of the conversation runs.
 */
export function conversationCommands(dependencies: ConversationCommandDependencies) {
  const { workspace, chat, editors, tasks, clock } = dependencies;

  const started = async (): Promise<WorkspaceSession> => {
    const session = workspace.require();
    await session.start();
    return session;
  };
  const conversationOf = (argument: unknown, { conversations }: WorkspaceSession): ConversationId =>
    typeof argument === "string" ? argument : (editors.active ?? conversations.current).id;

  const show = async (id: ConversationId): Promise<void> => {
    const { conversations } = await started();
    await conversations.show(id);
    await chat.focus();
  };

  const rename = async (id: ConversationId): Promise<void> => {
    const { conversations } = await started();
    const before = (await conversations.store.find(id))?.title ?? "";
    const title = await vscode.window.showInputBox({
      title: t("Rename Conversation"),
      value: before,
      prompt: t("Leave it empty to use the first request as the title."),
    });
    if (title === undefined) return;
    await conversations.rename(id, title);
  };

  const remove = async (id: ConversationId): Promise<void> => {
    const { conversations } = await started();
    const entry = await conversations.store.find(id);
    if (entry === undefined) return;
    if (tasks().some((task) => task.state === "running" && task.conversation === id)) {
      throw new UserError(
        "conversationRunning",
        "A task of “{title}” is running. Stop it before you delete the conversation.",
        { title: entry.title },
      );
    }
    const yes = t("Delete");
    const chosen = await vscode.window.showWarningMessage(
      t("Delete the conversation “{0}”?", withoutLinks(entry.title)),
      {
        modal: true,
        detail: t(
          "This cannot be undone. The files that its tasks have changed stay as they are, and the tasks stay in the list.",
        ),
      },
      yes,
    );
    if (chosen !== yes) return;
    editors.close(id);
    await conversations.remove(id);
  };

  const exportAs = async (id: ConversationId): Promise<void> => {
    const { exportConversation } = await import("./exportConversation.js");
    await exportConversation(id, await started());
  };

  const activityOf = (id: ConversationId): ConversationActivity => {
    const states = tasks().flatMap((task) => (task.conversation === id ? [task.state] : []));
    if (states.includes("needsYou")) return "needsYou";
    return states.includes("running") ? "running" : undefined;
  };

  return {
    "rooroo.newConversation": async () => {
      const { conversations } = await started();
      conversations.begin();
      await chat.focus();
    },
    "rooroo.showConversations": async () => {
      const { conversations } = await started();
      const { pickConversation } = await import("./conversationPicker.js");
      // The list is shown again after what leaves the user there.
      for (;;) {
        const { store, current } = conversations;
        const picked = await pickConversation(store, current.id, activityOf, clock.now());
        if (picked === undefined) return;
        const { id } = picked.entry;
        switch (picked.action) {
          case "open":
            await show(id);
            return;
          case "openInEditor":
            await editors.open(id);
            return;
          case "export":
            await exportAs(id);
            return;
          case "rename":
            await rename(id);
            break;
          case "delete":
            await remove(id);
            break;
        }
      }
    },
    "rooroo.showConversation": async (argument) => {
      if (typeof argument === "string") await show(argument);
    },
    "rooroo.renameConversation": async (argument) => {
      await rename(conversationOf(argument, await started()));
    },
    "rooroo.deleteConversation": async (argument) => {
      await remove(conversationOf(argument, await started()));
    },
    "rooroo.exportConversation": async (argument) => {
      await exportAs(conversationOf(argument, await started()));
    },
    "rooroo.openConversationInEditor": async (argument) => {
      await editors.open(conversationOf(argument, await started()));
    },
    "rooroo.newConversationInEditor": async () => {
      const { conversations } = await started();
      await editors.open(conversations.fresh().id);
    },
    "rooroo.moveView": async () => {
      // VS Code asks where to, the secondary side bar among the places.
      await vscode.commands.executeCommand("workbench.action.moveFocusedView", "rooroo.chat");
    },
  } satisfies CommandHandlers;
}
