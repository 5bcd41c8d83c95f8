import type { Signer } from "../ports/system.js";
import { isSigned, signatureOf, signJson } from "./signedJson.js";

/** Number of last lines that a new one may follow: the lines of a failed write that reached the disk. */
const remembered = 16;

/**
 * Signs the lines of a log so that none can be taken out, added or moved: each signature covers the
 * one before it. A line may also follow one of the last few: when a write fails, its lines may have
 * reached the disk all the same, and the next write does not know of them.
 */
export class SignatureChain {
  private last: readonly string[] = [""];

  /** @param path the log's path */
  constructor(
    private readonly path: string,
    private readonly signer: Signer,
  ) {}

  /** Returns the lines with signatures, which count as written only when {@link accept} has seen them. */
  sign(lines: readonly string[]): string[] {
    let previous = this.last.at(-1) ?? "";
    return lines.map((line) => {
      const signed = signJson(line, this.subject(previous), this.signer);
      previous = signatureOf(signed) ?? "";
      return signed;
    });
  }

  /**
   * Checks who wrote a line. It must be called in the order in which the lines stand in the file.
   *
   * @returns `next`: this installation wrote the line in this place, and the next line follows it; `copy`:
   *   the line repeats an earlier one, as a repeated write leaves it, or a person who wants it to count
   *   twice; `foreign`: this installation did not write the line here
   */
  accept(line: string): "next" | "copy" | "foreign" {
    const fits = this.last
      .toReversed()
      .some((previous) => isSigned(line, this.subject(previous), this.signer));
    if (!fits) return "foreign";
    const own = signatureOf(line) ?? "";
    if (this.last.includes(own)) return "copy";
    this.last = [...this.last, own].slice(-remembered);
    return "next";
  }

  private subject(previous: string): string {
    return `${this.path}\n${previous}`;
  }
}
