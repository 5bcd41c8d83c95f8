import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * The extensions of VS Code that no test of ours uses. The first one costs the most time. None of them has a part that runs in
 * the browser; leaving out one that has such a part makes the window complain that the part is missing.
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
 * Fills a folder with links to the extensions that VS Code brings along, without those that only make windows slow.
 *
 * @param {string} from
 * @param {string} to Made here; the links that are there already stay.
 */
export async function linkExtensions(from, to) {
  await mkdir(to, { recursive: true });
  const there = new Set(await readdir(to));
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isDirectory() || leftOut.has(name) || there.has(name)) continue;
    await symlink(join(from, name), join(to, name), "junction");
  }
}
