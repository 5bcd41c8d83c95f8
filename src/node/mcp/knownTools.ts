import * as z from "zod";
import { parseJsonLine, toJsonLine } from "../../core/documents/jsonLines.js";
import { messageOf, UserError } from "../../core/errors.js";
import type { HostTool } from "../../core/ports/editor.js";
import { definitionHash } from "../../core/tools/definitionHash.js";
import { appendLines } from "../files/appendLines.js";
import { isMissing, realLocation } from "../files/realLocation.js";
import { readRegularFile } from "../files/regularFile.js";

/** Bytes. */
const largest = 100_000_000;

const line = z.object({ server: z.string(), tool: z.string(), hash: z.string() });

/**
 * What tools said of themselves when they were first used without approval, as lines of a file in the user's own folder.
 * The first line about a tool counts.
 */
export class KnownTools {
  /** @param path the file's absolute path */
  constructor(private readonly path: string) {}

  /**
   * Returns the tools that say the same of themselves as when they were first seen here. Those that were not seen before
   * are recorded, and among them.
   *
   * @throws a `UserError` if the file cannot be read or written
   */
  async unchanged(
    tools: readonly { readonly server: string; readonly tool: HostTool }[],
  ): Promise<HostTool[]> {
    if (tools.length === 0) return [];
    try {
      const known = await this.read();
      const same: HostTool[] = [];
      const added: string[] = [];
      for (const { server, tool } of tools) {
        const key = JSON.stringify([server, tool.name]);
        const hash = await definitionHash(tool);
        const before = known.get(key);
        if (before === undefined) added.push(toJsonLine({ server, tool: tool.name, hash }));
        if (before === undefined || before === hash) same.push(tool);
        known.set(key, before ?? hash);
      }
      if (added.length > 0) await appendLines(await realLocation(this.path), added, true);
      return same;
    } catch (error) {
      throw new UserError("mcpToolsUnknown", "{path} cannot be used: {problem}", {
        path: this.path,
        problem: messageOf(error),
      });
    }
  }

  private async read(): Promise<Map<string, string>> {
    const known = new Map<string, string>();
    const options = { follow: true };
    const bytes = await readRegularFile(this.path, largest, options).catch((error: unknown) => {
      if (isMissing(error)) return "";
      throw error;
    });
    for (const one of bytes.toString().split("\n")) {
      const json = parseJsonLine(one);
      const parsed = line.safeParse(json.ok ? json.value : undefined);
      if (!parsed.success) continue;
      const { server, tool, hash } = parsed.data;
      const key = JSON.stringify([server, tool]);
      if (!known.has(key)) known.set(key, hash);
    }
    return known;
  }
}
