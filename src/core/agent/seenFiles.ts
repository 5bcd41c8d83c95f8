import * as z from "zod";
import { sha256 } from "../text/sha256.js";

/** A file as an agent saw it; recorded in the transcript with the result of the call that showed it. */
export const seenFile = z.object({
  /** Canonical path. */
  path: z.string(),
  /** SHA-256 of the file as a whole at that moment. */
  digest: z.string(),
  /**
   * The lines that the agent saw, 1-based and inclusive, and how many the file had. Absent: all of the file.
   * `of` is 0 when the agent knows that the file is this one, but not which lines of it it has seen.
   */
  part: z.object({ from: z.int(), to: z.int(), of: z.int() }).optional(),
});
export type SeenFile = z.infer<typeof seenFile>;

/** The last state in which an agent saw a file. */
export interface SeenState {
  readonly digest: string;
  /** Whether the agent saw all of it, at once or in parts. */
  readonly isWhole: boolean;
}

interface Seen {
  readonly digest: string;
  /** The lines that were seen, sorted; "all" when none is missing. */
  readonly lines: "all" | readonly (readonly [from: number, to: number])[];
}

/** Bytes of all contents that are kept to show differences; older ones are dropped. */
const mostKept = 8_000_000;

/**
 * The files that an agent has read or written itself, as they were then. They are rebuilt from the transcript, so they
 * survive a kill and a summary of the conversation.
 */
export class SeenFiles {
  readonly #files = new Map<string, Seen>();
  /** Contents by their digests, the newest last. Only this process has them. */
  readonly #contents = new Map<string, Uint8Array>();
  #kept = 0;

  /** Returns the last state in which the agent saw the file; `undefined` if it did not. */
  of(path: string): SeenState | undefined {
    const seen = this.#files.get(path);
    return seen && { digest: seen.digest, isWhole: seen.lines === "all" };
  }

  /** Adds what a result has shown. Parts of the same state of a file add up. */
  note({ path, digest, part }: SeenFile): void {
    const before = this.#files.get(path);
    const known = before?.digest === digest ? before.lines : [];
    if (part === undefined || known === "all") this.#files.set(path, { digest, lines: "all" });
    else this.#files.set(path, { digest, lines: joined(known, part) });
  }

  /** Returns the digest of a file's content, and keeps the content for a while: see {@link contentOf}. */
  async digest(content: Uint8Array): Promise<string> {
    const digest = await sha256(content);
    if (content.length > mostKept || this.#contents.has(digest)) return digest;
    this.#contents.set(digest, content);
    this.#kept += content.length;
    for (const [oldest, { length }] of this.#contents) {
      if (this.#kept <= mostKept) break;
      this.#contents.delete(oldest);
      this.#kept -= length;
    }
    return digest;
  }

  /** Returns a content by its digest; `undefined` if it is not kept any more. */
  contentOf(digest: string): Uint8Array | undefined {
    return this.#contents.get(digest);
  }
}

function joined(
  known: readonly (readonly [from: number, to: number])[],
  { from, to, of }: NonNullable<SeenFile["part"]>,
): Seen["lines"] {
  const sorted = [...known, [from, to] as const].sort(([a], [b]) => a - b);
  const lines: [from: number, to: number][] = [];
  for (const [start, end] of sorted) {
    const last = lines.at(-1);
    if (last !== undefined && start <= last[1] + 1) last[1] = Math.max(last[1], end);
    else lines.push([start, end]);
  }
  const [first] = lines;
  return of > 0 && first !== undefined && first[0] <= 1 && first[1] >= of ? "all" : lines;
}
