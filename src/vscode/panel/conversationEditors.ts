import * as vscode from "vscode";
import { conversationIdPattern } from "../../core/conversation/store/conversationFile.js";
import type { ConversationStore } from "../../core/conversation/store/conversationStore.js";
import type { ConversationId } from "../../core/ids.js";
import type { Ids } from "../../core/ports/system.js";
import { withoutLinks } from "../text/withoutLinks.js";
import { t } from "../text/words.js";
import type { Conversation } from "../workspace/conversation.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { PanelConnection, type PanelConnectionOptions } from "./panelConnection.js";

export interface ConversationEditorsOptions extends Omit<
  PanelConnectionOptions,
  "nonce" | "begin" | "surface"
> {
  readonly workspace: CurrentWorkspace;
  readonly ids: Ids;
}

/** Conversations in editors: any number of them, each with a conversation of its own, restored after a reload. */
export class ConversationEditors implements vscode.WebviewPanelSerializer, vscode.Disposable {
  static readonly viewType = "rooroo.conversation";
  private readonly editors = new Map<vscode.WebviewPanel, PanelConnection>();

  constructor(private readonly options: ConversationEditorsOptions) {}

  /** The conversations that an editor shows visibly. */
  get visible(): readonly ConversationId[] {
    return [...this.editors].flatMap(([editor, { conversation }]) =>
      editor.visible ? [conversation.id] : [],
    );
  }

  /** The conversation of the editor that has the focus; `undefined` if it is none of these. */
  get active(): Conversation | undefined {
    return [...this.editors].find(([editor]) => editor.active)?.[1].conversation;
  }

  /** Opens a conversation in an editor, or shows the editor that has it. */
  async open(id: ConversationId): Promise<void> {
    const known = [...this.editors].find(([, { conversation }]) => conversation.id === id);
    if (known !== undefined) {
      known[0].reveal();
      return;
    }
    const session = this.options.workspace.require();
    await session.start();
    const conversation = await session.conversations.get(id);
    const editor = vscode.window.createWebviewPanel(
      ConversationEditors.viewType,
      titleOf(conversation),
      vscode.ViewColumn.Active,
    );
    this.fill(editor, conversation);
  }

  /**
   * Has the editor that visibly shows a conversation scroll to an item; the focus stays where it is. Returns
   * `false` if there is no such editor.
   */
  reveal(id: ConversationId, itemId: string): boolean {
    const shown = [...this.editors].find(
      ([editor, { conversation }]) => editor.visible && conversation.id === id,
    );
    shown?.[1].reveal(itemId);
    return shown !== undefined;
  }

  /** Restores an editor after a reload, with the conversation that its page has kept. */
  async deserializeWebviewPanel(editor: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { session } = this.options.workspace;
    if (session === undefined) {
      editor.dispose();
      return;
    }
    await session.start();
    const { conversations } = session;
    const id = conversationIn(state) ?? (await titled(editor.title, conversations.store));
    if (id === undefined) editor.dispose();
    else this.fill(editor, await conversations.get(id));
  }

  /** Closes the editors of a conversation that has been deleted. */
  close(id: ConversationId): void {
    for (const [editor, { conversation }] of this.editors) {
      if (conversation.id === id) editor.dispose();
    }
  }

  dispose(): void {
    for (const connection of this.editors.values()) connection.dispose();
  }

  private fill(editor: vscode.WebviewPanel, conversation: Conversation): void {
    const { extensionUri, ids, workspace } = this.options;
    editor.iconPath = vscode.Uri.joinPath(extensionUri, "media", "rooroo.svg");
    const connection: PanelConnection = new PanelConnection(editor.webview, conversation, {
      ...this.options,
      nonce: ids.hex(32),
      surface: "editor",
      begin: () => {
        const fresh = workspace.require().conversations.fresh();
        connection.switchTo(fresh);
        titled.dispose();
        titled = followTitle(editor, fresh);
      },
    });
    let titled = followTitle(editor, conversation);
    this.editors.set(editor, connection);
    editor.onDidChangeViewState(() => {
      // VS Code discards the page of an editor in the background.
      if (!editor.visible) connection.pageGone();
    });
    editor.onDidDispose(() => {
      titled.dispose();
      connection.dispose();
      this.editors.delete(editor);
    });
  }
}

/** Returns the id that a page has kept; `undefined` if there is none, or if it is no id. */
function conversationIn(state: unknown): ConversationId | undefined {
  const id =
    typeof state === "object" && state !== null && "conversation" in state
      ? state.conversation
      : undefined;
  return typeof id === "string" && conversationIdPattern.test(id) ? id : undefined;
}

/**
 * Returns the conversation that was changed last of those with this title. VS Code stores what a page keeps seconds
 * after the editor's title: a window that was loaded anew in between knows the title alone.
 */
async function titled(
  title: string,
  store: ConversationStore,
): Promise<ConversationId | undefined> {
  const entries = await store.list();
  return entries.find((entry) => withoutLinks(entry.title) === title)?.id;
}

function followTitle(editor: vscode.WebviewPanel, conversation: Conversation): vscode.Disposable {
  const show = (): void => {
    editor.title = titleOf(conversation);
  };
  show();
  return vscode.Disposable.from(
    conversation.onDidChange(show),
    conversation.onDidReplace(show),
    conversation.onDidRename(show),
  );
}

function titleOf({ title }: Conversation): string {
  return title === "" ? t("New Conversation") : withoutLinks(title);
}
