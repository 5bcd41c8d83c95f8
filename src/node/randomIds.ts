import { randomBytes } from "node:crypto";
import type { Ids } from "../core/ports.js";

/** Ids that nobody can guess. */
export class RandomIds implements Ids {
  hex(length: number): string {
    return randomBytes(Math.ceil(length / 2))
      .toString("hex")
      .slice(0, length);
  }
}
