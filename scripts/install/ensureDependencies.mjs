import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { npm } from "../process/npm.mjs";
import { say } from "../process/say.mjs";
import { root } from "../root.mjs";

/**
 * Installs what package-lock.json names, unless it is there. Needs nothing but Node and npm.
 */
export async function ensureDependencies() {
  if (await isInstalled()) return;
  say("Installing dependencies …");
  await npm(["ci", "--ignore-scripts"], { cwd: root });
  say("Dependencies are installed.");
}

/**
 * npm notes in a hidden lock file what it has installed, as its last act. No clock is involved, so
 * neither a checkout nor an interrupted install can fool this.
 */
async function isInstalled() {
  try {
    const wanted = await packagesOf("package-lock.json");
    const installed = await packagesOf(join("node_modules", ".package-lock.json"));
    return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
      if (path === "") return true;
      const found = installed[path];
      return found === undefined ? optional || devOptional : found.version === version;
    });
  } catch {
    return false;
  }
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>>}
 */
async function packagesOf(file) {
  return JSON.parse(await readFile(join(root, file), "utf8")).packages;
}
