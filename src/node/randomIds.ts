import { randomBytes } from "node:crypto";
import type { Ids } from "../core/ports/system.js";

/** Makes ids that cannot be guessed. */
export class RandomIds implements Ids {
  hex(length: number): string {
    return randomBytes(Math.ceil(length / 2))
      .toString("hex")
      .slice(0, length);
  }
}
