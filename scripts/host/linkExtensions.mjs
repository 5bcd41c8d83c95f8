import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * What VS Code brings along that no test of ours uses; most of its time takes the first one. Each has no part for browsers:
 * a window in a browser would look for such a part in vain.
 */
const leftOut = new Set([
  "copilot",
  "debug-auto-launch",
  "debug-server-ready",
  "github",
  "grunt",
  "gulp",
  "jake",
  "microsoft-authentication",
  "ms-vscode.js-debug",
  "ms-vscode.js-debug-companion",
  "php-language-features",
  "terminal-suggest",
  "tunnel-forwarding",
]);

/**
 * Fills a folder with links to most of the extensions that VS Code brings along. Such a window needs
 * a fifth less processor time to open.
 *
 * @param {string} from
 * @param {string} to Made here; the links that are there already stay.
 */
export async function linkExtensions(from, to) {
  await mkdir(to, { recursive: true });
  const there = new Set(await readdir(to));
  for (const { name } of (await readdir(from, { withFileTypes: true })).filter((one) =>
    one.isDirectory(),
  )) {
    if (leftOut.has(name) || there.has(name)) continue;
    await symlink(join(from, name), join(to, name), "junction");
  }
}
