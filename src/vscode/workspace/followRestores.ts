import * as vscode from "vscode";
import { conversationPath, conversationsFolder } from "../../core/conversation/conversationFile.js";
import { tellsOfRestore } from "../../core/conversation/tellsOfRestore.js";
import { messageOf } from "../../core/errors.js";
import type { ConversationId } from "../../core/ids.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { Clock } from "../../core/ports/system.js";
import { coalesce } from "../timing/coalesce.js";
import type { Conversations } from "./conversations.js";

/** Bytes that are read once more with what is new in a file: a line may have been half written before. */
const overlap = 65_536;

export interface FollowRestoresParts {
  readonly folder: vscode.Uri;
  readonly conversations: Conversations;
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** Returns whether something runs in this window: nobody restores meanwhile, and what the files gain is its own. */
  readonly isBusy: () => boolean;
  /** Fires when tasks have changed, as when the last of them ends; fired when something was restored, or that was undone. */
  readonly tasksChanged: vscode.EventEmitter<void>;
}

/** Has the open conversations show what another process restores in them, or undoes. */
export function followRestores(parts: FollowRestoresParts): vscode.Disposable {
  const { folder, conversations, files, clock, log, isBusy, tasksChanged } = parts;
  const sizes = new Map<ConversationId, number>();
  /** Whether a file has changed at which nobody has looked yet, because something ran in this window. */
  let isLeft = false;
  const follow = async (): Promise<void> => {
    isLeft = isBusy();
    if (isLeft) return;
    let isAny = false;
    for (const { id, state } of conversations.open) {
      const size = (await files.stat(conversationPath(id)))?.size ?? 0;
      const more = size - (sizes.get(id) ?? 0);
      if (more <= 0) continue;
      const { events } = await conversations.store.journal(id).load(more + overlap);
      if (tellsOfRestore(state, events)) {
        await conversations.readAgain(id);
        isAny = true;
      }
      sizes.set(id, size);
    }
    if (isAny) tasksChanged.fire();
  };
  const look = coalesce(
    () =>
      follow().catch((error: unknown) => {
        log.warn(`The conversations cannot be read again: ${messageOf(error)}`);
      }),
    200,
    clock,
  );
  const pattern = new vscode.RelativePattern(folder, `${conversationsFolder}/*.jsonl`);
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
  watcher.onDidChange(look);
  // A file that is replaced is told as a new one.
  watcher.onDidCreate(look);
  const changes = tasksChanged.event(() => {
    if (isLeft) look();
  });
  return vscode.Disposable.from(watcher, changes, look);
}
