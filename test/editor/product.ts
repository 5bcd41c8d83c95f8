import { strict as assert } from "node:assert";
import { readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { signJson } from "../../src/core/provenance/signedJson.js";
import type { TestApi } from "../../src/extension.js";
import { InstallationKey } from "../../src/node/user/installationKey.js";
import { userFolder } from "../../src/node/user/userFolder.js";
import type { WorkspaceSession } from "../../src/vscode/workspace/workspaceSession.js";

const id = "rooroo.rooroo-navigator";

export function extension(): vscode.Extension<TestApi> {
  const found = vscode.extensions.getExtension<TestApi>(id);
  assert.ok(found, `${id} is not installed in this editor`);
  return found;
}

export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: readonly {
      readonly properties: Readonly<
        Record<string, { readonly default: unknown; readonly scope: string }>
      >;
    }[];
  };
}

export function manifest(): Manifest {
  return extension().packageJSON as Manifest;
}

/** Returns the product as it runs in this window. */
export async function product(): Promise<TestApi & { readonly session: WorkspaceSession }> {
  const api = await extension().activate();
  const { session } = api.workspace;
  assert.ok(session, "these tests want a trusted folder");
  return { ...api, session };
}

/** The workspace folder's files, past the product and the editor. */
export const disk = {
  path(relative: string): string {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder, "these tests want a folder");
    return join(folder.uri.fsPath, relative);
  },
  read(relative: string): Promise<string> {
    return readFile(disk.path(relative), "utf8");
  },
  async write(relative: string, text: string): Promise<void> {
    await mkdir(dirname(disk.path(relative)), { recursive: true });
    await writeFile(disk.path(relative), text);
  },
  /** Writes a file of state as this installation does. */
  writeState(relative: string, value: object): Promise<void> {
    const signer = new InstallationKey(userFolder(process.env), disk.path(""));
    return disk.write(relative, signJson(JSON.stringify(value), relative, signer));
  },
  async remove(relative: string): Promise<void> {
    await rm(disk.path(relative), { recursive: true, force: true });
  },
};

/** Sets a user setting; `undefined` takes it away. */
export async function configure(key: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("rooroo");
  await configuration.update(key, value, vscode.ConfigurationTarget.Global);
}

/** Resolves with the first answer that is not `undefined` or `false`. */
export async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
