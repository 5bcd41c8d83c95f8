import * as vscode from "vscode";
import type { Item } from "../../core/conversation/state/items.js";
import { conversationIdPattern } from "../../core/conversation/store/conversationFile.js";
import type { ConversationId } from "../../core/ids.js";
import type { Clock } from "../../core/ports/system.js";
import { t } from "../text/words.js";
import { coalesce, type Coalesced } from "../timing/coalesce.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";

const scheme = "rooroo-conversation";
/** Milliseconds between two updates: a screen reader reads what is there, not what streams. */
const updateMs = 1_000;

/** The conversation as a document to read: plain Markdown with a heading for each turn, which follows what happens. */
export class AccessibleView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly update: Coalesced;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly workspace: CurrentWorkspace,
    /** Returns the conversation as Markdown. */
    private readonly markdown: (title: string, items: readonly Item[]) => Promise<string>,
    clock: Clock,
  ) {
    const open = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);
    this.update = coalesce(
      () => {
        for (const { uri } of open()) this.changed.fire(uri);
        return Promise.resolve();
      },
      updateMs,
      clock,
    );
    const follow = (): void => {
      if (open().length > 0) this.update();
    };
    this.subscription = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      workspace.onDidEmit(follow),
    );
  }

  /** Opens a conversation's document, at the heading of the latest turn. */
  async open(id: ConversationId): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: "/Rooroo Conversation.md", query: id });
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    const lines = document.getText().split("\n");
    const latest = lines.findLastIndex((line) => line.startsWith("## "));
    const place = new vscode.Position(Math.max(0, latest), 0);
    editor.selection = new vscode.Selection(place, place);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.AtTop);
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const { session } = this.workspace;
    if (session === undefined || !conversationIdPattern.test(query)) return "";
    await session.start();
    const { state } = await session.conversations.get(query);
    return this.markdown(t("Rooroo Conversation"), state.items);
  }

  dispose(): void {
    this.subscription.dispose();
    this.update.dispose();
    this.changed.dispose();
  }
}
