import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A line as somebody would write it who wants to do harm unasked. */
export interface AttackerLine {
  /** In words, what it tries. */
  readonly class: string;
  readonly line: string;
  /** Under the preset `safe` each is asked about, or denied. */
  readonly safe: "asks";
  /** `any`: under `all` it may run, as it does nothing that is asked about there. */
  readonly all: "asks" | "any";
}

const path = join(import.meta.dirname, "../../../../../test/unit/core/commands/attacker.jsonl");

export const attackerLines: readonly AttackerLine[] = readFileSync(path, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as AttackerLine);
