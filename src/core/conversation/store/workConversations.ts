import * as z from "zod/mini";
import { parseJsonLine, toJsonLine } from "../../documents/jsonLines.js";
import { type ConversationId, type LongWork, longWorkKinds } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import { conversationIdPattern, conversationsFolder } from "./conversationFile.js";

const path = `${conversationsFolder}/work.jsonl`;

const entry = z.object({
  kind: z.enum(longWorkKinds),
  name: z.string(),
  conversation: z.string().check(z.regex(conversationIdPattern)),
});

/**
 * The conversations in which jobs and runs were started, in which they are shown. Their documents are not ours alone,
 * so this is in a file of its own: a signed line for each start, of which the last one counts.
 */
export class WorkConversations {
  private readonly known = new Map<string, ConversationId>();

  constructor(
    private readonly files: FileSystem,
    private readonly signer: Signer,
  ) {}

  /** Reads the file; call it before {@link of}. */
  async load(): Promise<void> {
    const text = new TextDecoder().decode(await this.files.readFile(path));
    for (const line of text.split("\n")) {
      const json = isSigned(line, path, this.signer) ? parseJsonLine(line) : undefined;
      const read = json?.ok === true ? entry.safeParse(json.value).data : undefined;
      if (read !== undefined) this.known.set(keyOf(read), read.conversation);
    }
  }

  /** Returns the conversation of a job or run; `undefined` if it was started in none. */
  of(work: LongWork): ConversationId | undefined {
    return this.known.get(keyOf(work));
  }

  /** Records that the job or run was started in this conversation. */
  async put(work: LongWork, conversation: ConversationId): Promise<void> {
    if (this.of(work) === conversation) return;
    this.known.set(keyOf(work), conversation);
    const { kind, name } = work;
    const line = signJson(toJsonLine({ kind, name, conversation }), path, this.signer);
    await this.files.appendLines(path, [line]);
  }
}

function keyOf({ kind, name }: LongWork): string {
  return `${kind}:${name}`;
}
