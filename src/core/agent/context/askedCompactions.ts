import * as z from "zod";
import { readOwnDocument } from "../../access/namedFile.js";
import { parseJson } from "../../documents/parseJson.js";
import { taskIdPattern } from "../../documents/queue.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";

const askedCompaction = z.object({ schema: z.literal(1), keep: z.string() });

/** The most characters of what the user wants kept in mind. */
const longestKeep = 2_000;

/** The user's order to compact one session, which its loop carries out. */
export interface AskedCompaction {
  /**
   * Has the session compacted if the user has asked for it.
   *
   * @param compact gets what the summary must keep; may be empty. The order goes when it has resolved
   */
  take(compact: (keep: string) => Promise<void>): Promise<void>;
}

/**
 * The user's orders to compact agents' sessions, each a signed file in its session's folder. The agent carries it out
 * before its next step, whichever process it works in, and also after a restart.
 */
export class AskedCompactions {
  constructor(private readonly parts: { readonly files: FileSystem; readonly signer: Signer }) {}

  /** @param keep what the summary must keep, in the user's words; may be empty */
  async ask(sessionId: TaskId, keep: string): Promise<void> {
    if (!taskIdPattern.test(sessionId)) return;
    const path = pathOf(sessionId);
    const json = `${JSON.stringify({ schema: 1, keep: keep.slice(0, longestKeep) }, null, 2)}\n`;
    await this.parts.files.replaceFile(path, signJson(json, path, this.parts.signer));
  }

  /** Returns the order for a session. */
  of(sessionId: TaskId): AskedCompaction {
    const { files, signer } = this.parts;
    const path = pathOf(sessionId);
    return {
      take: async (compact) => {
        if (!taskIdPattern.test(sessionId)) return;
        const bytes = await readOwnDocument(path, files);
        if (bytes === undefined) return;
        const text = new TextDecoder().decode(bytes);
        const json = isSigned(text, path, signer) ? parseJson(text) : { ok: false as const };
        const order = askedCompaction.safeParse(json.ok ? json.value : undefined);
        if (!order.success) return;
        await compact(order.data.keep);
        await files.removeFile(path);
      },
    };
  }
}

function pathOf(sessionId: TaskId): string {
  return `.rooroo/tasks/${sessionId}/compact.json`;
}
