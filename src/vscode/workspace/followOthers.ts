import * as vscode from "vscode";
import { tellsOfRestore } from "../../core/conversation/state/tellsOfRestore.js";
import {
  conversationPath,
  conversationsFolder,
} from "../../core/conversation/store/conversationFile.js";
import { messageOf } from "../../core/errors.js";
import type { ConversationId } from "../../core/ids.js";
import type { Overview } from "../../core/navigator/overview/overview.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { Clock } from "../../core/ports/system.js";
import { coalesce } from "../timing/coalesce.js";
import type { Conversations } from "./conversations.js";

/** Bytes that are read once more with what is new in a file: a line may have been half written before. */
const overlap = 65_536;

export interface FollowOthersParts {
  readonly folder: vscode.Uri;
  readonly conversations: Conversations;
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** The process of this window. */
  readonly pid: number;
  /** Returns whether something runs in this window: what the files gain is its own then, and nobody restores meanwhile. */
  readonly isBusy: () => boolean;
  /** Shows the open conversations from their files. */
  readonly showAgain: () => Promise<boolean>;
  /** Fired when something was restored, or that was undone. */
  readonly tasksChanged: vscode.EventEmitter<void>;
}

export interface FollowedOthers extends vscode.Disposable {
  /**
   * Shows what is new. To be called with each overview, because VS Code may not tell of changed files, and nobody looks while
   * something runs here.
   */
  readonly look: (overview: Pick<Overview, "holder" | "other">) => Promise<void>;
}

/** Has the open conversations show what other processes do: their work, and what they restore, or undo of that. */
export function followOthers(parts: FollowOthersParts): FollowedOthers {
  const { folder, conversations, files, clock, log, isBusy, tasksChanged } = parts;
  const sizes = new Map<ConversationId, number>();
  const followRestores = async (): Promise<void> => {
    if (isBusy()) return;
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
  const lookForRestores = coalesce(
    () =>
      followRestores().catch((error: unknown) => {
        log.warn(`The conversations cannot be read again: ${messageOf(error)}`);
      }),
    200,
    clock,
  );
  const pattern = new vscode.RelativePattern(folder, `${conversationsFolder}/*.jsonl`);
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
  watcher.onDidChange(lookForRestores);
  // A file that is replaced is told as a new one.
  watcher.onDidCreate(lookForRestores);

  let othersWork = false;
  /** Reads the conversations while another process works on the queue or a task, and once afterwards. */
  const followWork = async ({ holder, other }: Pick<Overview, "holder" | "other">) => {
    if (isBusy()) return;
    const before = othersWork;
    othersWork = [holder, other].some((one) => one !== undefined && one.pid !== parts.pid);
    if (!before && !othersWork) return;
    await parts.showAgain();
    if (!othersWork && !isBusy()) for (const one of conversations.open) one.settle();
  };
  return Object.assign(vscode.Disposable.from(watcher, lookForRestores), {
    look: async (overview: Pick<Overview, "holder" | "other">) => {
      await followWork(overview);
      lookForRestores();
    },
  });
}
