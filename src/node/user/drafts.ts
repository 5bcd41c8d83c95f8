import { basename, join } from "node:path";
import { type Draft, draftSchema } from "../../core/conversation/input/draft.js";
import { conversationIdPattern } from "../../core/conversation/store/conversationFile.js";
import type { ConversationId } from "../../core/ids.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { Clock } from "../../core/ports/system.js";
import { readSmallFileNow } from "../files/openForReading.js";

const folderName = "drafts";

const noDraft: Draft = { text: "", attachments: [] };

/** Bytes of a draft's file. */
const largest = 50_000_000;

/** Milliseconds between a change and its write, in which further changes join it. */
const restMs = 100;

/**
 * Keeps what is typed in each conversation and not sent, as a file for each, in VS Code's storage for this workspace.
 * It is the only copy beside the page's input: what a page keeps itself is stored seconds later, and lost when the
 * window goes before.
 */
export class Drafts {
  private readonly known = new Map<ConversationId, Draft>();
  private readonly unwritten = new Set<ConversationId>();
  private isWaiting = false;
  private hasPruned = false;
  private last: Promise<void> = Promise.resolve();

  /**
   * @param folder the extension's storage folder for this workspace; `undefined` where VS Code has none, as in a window
   *   without a folder: drafts then last as long as the window
   * @param storage access to the same folder
   */
  constructor(
    private readonly folder: string | undefined,
    private readonly storage: Pick<FileSystem, "replaceFile" | "removeFile"> | undefined,
    private readonly clock: Clock,
  ) {}

  /** Returns what is typed in a conversation; empty if nothing is. A page that opens needs it at once. */
  of(id: ConversationId): Draft {
    const known = this.known.get(id) ?? this.read(id);
    this.known.set(id, known);
    return known;
  }

  /** Returns whether anything is typed in a conversation. */
  has(id: ConversationId): boolean {
    return this.of(id) !== noDraft;
  }

  /** Keeps what is typed in a conversation, and soon writes it; an empty draft removes the file. */
  keep(id: ConversationId, draft: Draft): void {
    this.known.set(id, isEmpty(draft) ? noDraft : draft);
    this.unwritten.add(id);
    if (this.isWaiting) return;
    this.isWaiting = true;
    const { signal } = new AbortController();
    void this.clock.sleep(restMs, signal).then(() => {
      this.isWaiting = false;
      return this.flush();
    });
  }

  remove(id: ConversationId): void {
    this.keep(id, noDraft);
  }

  /** Writes what is not written yet. Resolves when it is on disk, or cannot be written. */
  flush(): Promise<void> {
    this.last = this.last.then(async () => {
      const ids = [...this.unwritten];
      this.unwritten.clear();
      for (const id of ids) await this.write(id).catch(() => undefined);
    });
    return this.last;
  }

  private read(id: ConversationId): Draft {
    if (this.folder === undefined) return noDraft;
    try {
      const path = join(this.folder, pathOf(id));
      return draftSchema.parse(JSON.parse(String(readSmallFileNow(path, largest))));
    } catch {
      // There is none, or it cannot be read.
      return noDraft;
    }
  }

  private async write(id: ConversationId): Promise<void> {
    const draft = this.of(id);
    if (!this.has(id)) await this.storage?.removeFile(pathOf(id));
    else await this.storage?.replaceFile(pathOf(id), JSON.stringify(draft));
    if (this.hasPruned || this.folder === undefined || !this.storage) return;
    this.hasPruned = true;
    // Imported here because it is needed once, and not at the start.
    const { pruneDrafts } = await import("./pruneDrafts.js");
    await pruneDrafts(join(this.folder, folderName), basename(pathOf(id)), this.storage);
  }
}

function isEmpty({ text, attachments, words, answers, edits }: Draft): boolean {
  const isTyped = text !== "" || attachments.length > 0 || words !== undefined;
  return !isTyped && answers === undefined && edits === undefined;
}

/** Returns the path of a conversation's draft; where nothing can be worked on, the conversation has no id. */
function pathOf(id: ConversationId): string {
  return `${folderName}/${conversationIdPattern.test(id) ? id : "none"}.json`;
}
