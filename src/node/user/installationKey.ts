import { createHmac, randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.js";
import type { Signer } from "../../core/ports/system.js";
import { DirectoryHandle } from "../files/directoryHandle.js";
import { errorCode } from "../files/fileError.js";
import { readSmallFileNow } from "../files/openForReading.js";
import { newTemporaryName } from "../files/temporaryFiles.js";

const name = "key";

/**
 * Signs with this installation's own key. The key lies in the user's own folder, never in a workspace,
 * and is made when it is first needed. The editor and the command line share it, so that a task which
 * one of them began can be resumed in the other.
 */
export class InstallationKey implements Signer {
  private loaded: { readonly key: Buffer; readonly workspace: string } | undefined;

  /**
   * @param folder the absolute path of the user's own folder
   * @param root the workspace folder's absolute path; a copy of the workspace elsewhere counts as
   *   another one
   */
  constructor(
    private readonly folder: string,
    private readonly root: string,
  ) {}

  sign(subject: string, text: string | Uint8Array): string {
    const { key, workspace } = (this.loaded ??= this.load());
    const code = createHmac("sha256", key).update(`${workspace}\0${subject}\0`).update(text);
    return code.digest("base64url").slice(0, 22);
  }

  private load(): { readonly key: Buffer; readonly workspace: string } {
    const path = join(this.folder, name);
    try {
      const text = readKey(path) ?? makeKey(this.folder);
      if (!/^[0-9a-f]{64}\n$/.test(text)) {
        throw new UserError(
          "keyDamaged",
          "{path} is damaged. Delete it: a new one is made, and each workspace asks once whether its tasks are yours.",
          { path },
        );
      }
      return { key: Buffer.from(text.trim(), "hex"), workspace: realpathSync.native(this.root) };
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(
        "keyUnavailable",
        "No key can be read or made in {folder} ({cause}). Make it writable, or name another in ROOROO_HOME.",
        { folder: this.folder, cause: errorCode(error) ?? String(error) },
      );
    }
  }
}

function readKey(path: string): string | undefined {
  try {
    // A longer one is no key, and what is no file has none.
    return readSmallFileNow(path, 1000)?.toString() ?? "";
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes a key and returns the stored one: if two processes make one at the same time, both use the first. */
function makeKey(folder: string): string {
  const handle = DirectoryHandle.openOrMakeNow(folder);
  try {
    handle.createNow(name, `${randomBytes(32).toString("hex")}\n`, newTemporaryName(name));
  } finally {
    handle.close();
  }
  return readKey(join(folder, name)) ?? "";
}
