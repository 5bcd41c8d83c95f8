import { join, relative } from "node:path";
import * as z from "zod";
import { parseJsonLine, toJsonLine } from "../../core/documents/jsonLines.js";
import { messageOf, saidBy, UserError } from "../../core/errors.js";
import { addSpending, noSpending, type SpendTotals } from "../../core/spending/spendTotals.js";
import type { UsageLog } from "../../core/spending/usageLog.js";
import { appendLines } from "../files/appendLines.js";
import { isMissing, realLocation } from "../files/realLocation.js";
import { readRegularFile } from "../files/regularFile.js";

/** Bytes of a day's file; a request has about 100. */
const largest = 100_000_000;

const amount = z.number().nonnegative();
const line = z.object({ at: z.string(), requests: amount, tokens: amount, cost: amount });

/** Records usage in one file per day in the user's own folder, to which all of the user's windows append. */
export class UsageFile implements UsageLog {
  /** @param folder the absolute path of this program's own folder on this machine, for this user */
  constructor(private readonly folder: string) {}

  async record(use: SpendTotals, at: Date): Promise<void> {
    const path = this.path(at);
    try {
      // The user's own folder may be a link; everything inside it belongs to this program.
      const place = join(await realLocation(this.folder), relative(this.folder, path));
      await appendLines(place, [toJsonLine({ at: at.toISOString(), ...use })], false);
    } catch (error) {
      throw new UserError("userFileUnwritable", "{path} could not be written: {problem}", {
        path,
        problem: messageOf(error),
      });
    }
  }

  async onDay(at: Date): Promise<SpendTotals> {
    const path = this.path(at);
    let total = noSpending;
    for (const text of (await textOf(path)).split("\n")) {
      const json = parseJsonLine(text);
      const parsed = line.safeParse(json.ok ? json.value : undefined);
      if (parsed.success) total = addSpending(total, parsed.data);
    }
    return total;
  }

  /** Returns the path of a day's file, by the date in the user's time zone. */
  private path(at: Date): string {
    const two = (number: number) => String(number).padStart(2, "0");
    const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    return join(this.folder, "usage", `${day}.jsonl`);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readRegularFile(path, largest, { follow: true })).toString();
  } catch (error) {
    if (isMissing(error)) return "";
    throw new UserError(
      "usageUnreadable",
      "{path}, which says what was used today, cannot be read, so that the day's limit cannot be kept: {problem}",
      { path, problem: saidBy(error) },
    );
  }
}
