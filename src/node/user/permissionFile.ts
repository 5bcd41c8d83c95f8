import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { permissionSchema } from "../../core/approvals/permission.js";
import type { PermissionStore, StoredPermission } from "../../core/approvals/permissions.js";
import { parseJsonLine, toJsonLine } from "../../core/documents/jsonLines.js";
import { messageOf, saidBy, UserError } from "../../core/errors.js";
import { appendLines } from "../files/appendLines.js";
import { isMissing, realLocation, wayInside } from "../files/realLocation.js";
import { readRegularFile } from "../files/regularFile.js";

/** Bytes. */
const largest = 100_000_000;

const line = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("allowed"),
    schema: z.literal(1),
    /** The workspace folder that the permission is for; the file's name is only a hash of it. */
    workspace: z.string(),
    id: z.string(),
    since: z.string(),
    grant: permissionSchema,
  }),
  z.object({ type: z.literal("revoked"), id: z.string() }),
]);

/**
 * Keeps a workspace's permissions as lines of a file in the user's own folder. Lines are only appended, so
 * that processes need no lock between them. A line that cannot be read allows nothing.
 */
export class PermissionFile implements PermissionStore {
  /** @param folder the absolute path of this program's own folder on this machine, for this user */
  constructor(
    private readonly folder: string,
    private readonly root: string,
  ) {}

  async list(): Promise<readonly StoredPermission[]> {
    const { workspace, path } = await this.place();
    if (path === undefined) return [];
    const kept = new Map<string, StoredPermission>();
    for (const text of (await textOf(path)).split("\n")) {
      const json = parseJsonLine(text);
      const parsed = line.safeParse(json.ok ? json.value : undefined);
      if (!parsed.success) continue;
      const { data } = parsed;
      if (data.type === "revoked") kept.delete(data.id);
      else if (data.workspace === workspace) kept.set(data.id, data);
    }
    return [...kept.values()].map(({ id, since, grant }) => ({ id, since, grant }));
  }

  async add({ id, since, grant }: StoredPermission): Promise<void> {
    const { workspace } = await this.place();
    await this.append({ type: "allowed", schema: 1, workspace, id, since, grant });
  }

  async revoke(id: string): Promise<void> {
    await this.append({ type: "revoked", id });
  }

  private async append(entry: z.infer<typeof line>): Promise<void> {
    const { path } = await this.place();
    if (path === undefined) {
      throw new UserError(
        "grantsInWorkspace",
        "Approvals cannot be kept here: they are kept in the folder {folder}, which is in this workspace, where an expert could change them. Set ROOROO_HOME to a folder outside of it.",
        { folder: this.folder },
      );
    }
    try {
      await appendLines(path, [toJsonLine(entry)], true);
    } catch (error) {
      throw new UserError("userFileUnwritable", "{path} could not be written: {problem}", {
        path,
        problem: messageOf(error),
      });
    }
  }

  /**
   * Returns the workspace's real path and the file's path, which is `undefined` if the workspace
   * contains the folder itself: anyone who may write to the workspace could forge the file.
   */
  private async place(): Promise<{ workspace: string; path: string | undefined }> {
    const workspace = await realpath(this.root);
    const folder = await realLocation(this.folder);
    const name = createHash("sha256").update(workspace).digest("hex").slice(0, 32);
    return {
      workspace,
      path:
        wayInside(workspace, folder) !== undefined
          ? undefined
          : join(folder, "approvals", `${name}.jsonl`),
    };
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readRegularFile(path, largest, { follow: true })).toString();
  } catch (error) {
    if (isMissing(error)) return "";
    throw new UserError(
      "grantsUnreadable",
      "{path}, which says what you have allowed, cannot be read: {problem}",
      { path, problem: saidBy(error) },
    );
  }
}
