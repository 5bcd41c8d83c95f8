import { join } from "node:path";
import { conversationIdPattern } from "../../core/conversation/store/conversationFile.js";
import type { ConversationId } from "../../core/ids.js";
import type { FileSystem } from "../../core/ports/files.js";
import { readSmallFileNow } from "../files/openForReading.js";

const file = "conversation";

/**
 * Keeps which conversation the side bar shows. It lies beside the record of work under way, for the same reason: what
 * VS Code keeps in `workspaceState` is lost when the window goes within seconds.
 */
export class ShownConversation {
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param folder the extension's storage folder for this workspace; `undefined` where VS Code has none
   * @param storage access to the same folder
   */
  constructor(
    private readonly folder: string | undefined,
    private readonly storage: Pick<FileSystem, "replaceFile"> | undefined,
  ) {}

  /** Returns the conversation that the window before has shown; the first page needs it at once. */
  read(): ConversationId | undefined {
    if (this.folder === undefined) return undefined;
    try {
      const id = String(readSmallFileNow(join(this.folder, file), 1000));
      return conversationIdPattern.test(id) ? id : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps the id; if that fails, the next window shows the conversation that has changed last. */
  write(id: ConversationId): void {
    this.last = this.last.then(() => this.storage?.replaceFile(file, id)).catch(() => undefined);
  }
}
