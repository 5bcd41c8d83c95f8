import type { Ids } from "../../src/core/ports/system.js";

/** `000001`, `000002`, … in hexadecimal. */
export class CountingIds implements Ids {
  /** @param count the last that somebody else has had */
  constructor(private count = 0) {}

  hex(length: number): string {
    this.count++;
    return this.count.toString(16).padStart(length, "0").slice(-length);
  }
}
