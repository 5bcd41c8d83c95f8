import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { ConversationId } from "../../core/ids.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { Clock } from "../../core/ports/system.js";
import { withoutLinks } from "../text/withoutLinks.js";
import { t } from "../text/words.js";
import { bound, type CommandTable, type ContextHandler } from "../work/commandHandlers.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import type { ChatView } from "./chatView.js";
import type { ConversationEditors } from "./conversationEditors.js";
import type { ConversationActivity } from "./conversationPicker.js";

export interface Dependencies {
  readonly workspace: CurrentWorkspace;
  readonly chat: ChatView;
  readonly editors: ConversationEditors;
  /** Returns the tasks as they were read last. */
  readonly tasks: () => readonly TaskView[];
  readonly clock: Clock;
}

const showConversations: ContextHandler<Dependencies> = async (context) => {
  const { workspace, editors, tasks, clock } = context;
  const { conversations } = await started(workspace);
  const { pickConversation } = await import("./conversationPicker.js");
  // The list is shown again after what leaves the user there.
  for (;;) {
    const { store, current } = conversations;
    const picked = await pickConversation(
      store,
      current.id,
      (id) => activityOf(id, tasks()),
      clock.now(),
    );
    if (picked === undefined) return;
    const { id } = picked.entry;
    switch (picked.action) {
      case "open":
        await show(context, id);
        return;
      case "openInEditor":
        await editors.open(id);
        return;
      case "export":
        await exportAs(context, id);
        return;
      case "rename":
        await rename(context, id);
        break;
      case "delete":
        await remove(context, id);
        break;
    }
  }
};

const table = {
  "rooroo.newConversation": async ({ workspace, chat }) => {
    const { conversations } = await started(workspace);
    conversations.begin();
    await chat.focus();
  },
  "rooroo.showConversations": showConversations,
  "rooroo.showConversation": async (context, argument) => {
    if (typeof argument === "string") await show(context, argument);
  },
  "rooroo.renameConversation": about(rename),
  "rooroo.deleteConversation": about(remove),
  "rooroo.exportConversation": about(exportAs),
  "rooroo.openConversationInEditor": about(({ editors }, id) => editors.open(id)),
  "rooroo.newConversationInEditor": async ({ workspace, editors }) => {
    const { conversations } = await started(workspace);
    await editors.open(conversations.fresh().id);
  },
  "rooroo.moveView": async () => {
    // VS Code asks where to, the secondary side bar among the places.
    await vscode.commands.executeCommand("workbench.action.moveFocusedView", "rooroo.chat");
  },
} satisfies CommandTable<Dependencies>;

/**
 * Returns the commands for conversations. Each takes an id, or is about the one of the active editor or the side bar.
 * Deleting rejects with a {@link UserError} while a task of the conversation runs.
 */
export function conversationCommands(dependencies: Dependencies) {
  return bound(table, dependencies);
}

/** Returns a command for the conversation that the argument names, else for the one of the active editor or the side bar. */
function about(
  work: (context: Dependencies, id: ConversationId) => Promise<void>,
): ContextHandler<Dependencies> {
  return async (context, argument) => {
    const { current } = (await started(context.workspace)).conversations;
    const named = typeof argument === "string" ? argument : undefined;
    await work(context, named ?? (context.editors.active ?? current).id);
  };
}

async function started(workspace: CurrentWorkspace): Promise<WorkspaceSession> {
  const session = workspace.require();
  await session.start();
  return session;
}

async function show({ workspace, chat }: Dependencies, id: ConversationId): Promise<void> {
  const { conversations } = await started(workspace);
  await conversations.show(id);
  await chat.focus();
}

async function rename({ workspace }: Dependencies, id: ConversationId): Promise<void> {
  const { conversations } = await started(workspace);
  const before = (await conversations.store.find(id))?.title ?? "";
  const title = await vscode.window.showInputBox({
    title: t("Rename Conversation"),
    value: before,
    prompt: t("Leave it empty to use the first request as the title."),
  });
  if (title === undefined) return;
  await conversations.rename(id, title);
}

async function remove(
  { workspace, editors, tasks }: Dependencies,
  id: ConversationId,
): Promise<void> {
  const { conversations } = await started(workspace);
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
}

async function exportAs({ workspace }: Dependencies, id: ConversationId): Promise<void> {
  const { exportConversation } = await import("./exportConversation.js");
  await exportConversation(id, await started(workspace));
}

function activityOf(id: ConversationId, tasks: readonly TaskView[]): ConversationActivity {
  const states = tasks.flatMap((task) => (task.conversation === id ? [task.state] : []));
  if (states.includes("needsYou")) return "needsYou";
  return states.includes("running") ? "running" : undefined;
}
