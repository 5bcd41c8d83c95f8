import * as vscode from "vscode";
import { conversationMarkdown } from "../../core/conversation/state/conversationMarkdown.js";
import { newConversation } from "../../core/conversation/state/conversationState.js";
import { applyEvent } from "../../core/conversation/state/reduce.js";
import { settle } from "../../core/conversation/state/settle.js";
import { UserError } from "../../core/errors.js";
import { modeName } from "../../core/experts/modeName.js";
import type { ConversationId } from "../../core/ids.js";
import { t } from "../text/words.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

/**
 * Saves a whole conversation as Markdown where the user says, and opens the file.
 *
 * @throws {UserError} if the conversation is empty
 */
export async function exportConversation(
  id: ConversationId,
  { conversations, folder }: WorkspaceSession,
): Promise<void> {
  const { store } = conversations;
  await store.flush();
  const entry = await store.find(id);
  if (entry === undefined) {
    throw new UserError("conversationEmpty", "This conversation is empty.");
  }
  const { events } = await store.journal(id).load(Number.MAX_SAFE_INTEGER);
  const state = newConversation(t);
  for (const event of events) applyEvent(state, event);
  settle(state);
  const name = entry.title.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  const uri = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${name.slice(0, 60) || "conversation"}.md`),
    filters: { Markdown: ["md"] },
  });
  if (uri === undefined) return;
  const text = conversationMarkdown(entry.title, state.items, modeName);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await vscode.commands.executeCommand("vscode.open", uri);
}
