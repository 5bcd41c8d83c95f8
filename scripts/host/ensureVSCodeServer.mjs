import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npm } from "../process/npm.mjs";
import { say } from "../process/say.mjs";
import { cacheFolder } from "../root.mjs";

/** Which Node each packaged editor was built for. The first is what we develop against. */
const nodeFor = new Map([
  ["4.139.1", 24],
  ["4.104.0", 22], // VS Code 1.104, the oldest that package.json promises
]);
/** All of them, the newest first. */
export const vscodeServerVersions = [...nodeFor.keys()];
const [newest] = vscodeServerVersions;
/** Raise it when `install` changes: what an older one made is then left alone. */
const RECIPE = 2;

/**
 * @typedef {object} VSCodeServer
 * @property {string} version Of the npm package; VS Code's own is 1.139.1 for 4.139.1.
 * @property {string} node The Node that it runs on.
 * @property {string} main Its server's entry point.
 */

/**
 * A whole VS Code that runs in a browser, from the npm registry: installed once, then cached.
 * Two callers at once, or one that is interrupted, leave no half-made install.
 *
 * @param {{ version?: string }} [options] Default: the environment's VSCODE_HOST_VERSION, else the newest.
 * @returns {Promise<VSCodeServer>}
 */
export async function ensureVSCodeServer({
  version = process.env.VSCODE_HOST_VERSION || newest,
} = {}) {
  const nodeVersion = nodeFor.get(version);
  if (nodeVersion === undefined) {
    const known = [...nodeFor.keys()].join(", ");
    throw new Error(`VS Code host ${version} is not one that we know: ${known}.`);
  }
  const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const folder = join(cacheFolder, `vscode-${version}-${nodePackage}-${nodeVersion}-r${RECIPE}`);
  const paths = locate(folder, nodePackage);
  if (!existsSync(folder)) {
    say(`Installing VS Code ${version.replace("4.", "1.")} (once, about half a minute) …`);
    await removeAbandoned();
    await mkdir(cacheFolder, { recursive: true });
    const draft = await mkdtemp(join(cacheFolder, `${draftPrefix}${process.pid}-`));
    try {
      await install(draft, { version, nodePackage, nodeVersion });
      await publish(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    say("VS Code is installed.");
  }
  return { version, node: paths.node, main: join(paths.vscode, "out", "server-main.js") };
}

/** @param {string} folder @param {string} nodePackage */
function locate(folder, nodePackage) {
  const modules = join(folder, "node_modules");
  const executable = process.platform === "win32" ? "node.exe" : "node";
  return {
    node: join(modules, nodePackage, "bin", executable),
    vscode: join(modules, "code-server", "lib", "vscode"),
  };
}

/**
 * @param {string} folder
 * @param {{ version: string, nodePackage: string, nodeVersion: number }} what
 */
async function install(folder, { version, nodePackage, nodeVersion }) {
  const { vscode } = locate(folder, nodePackage);
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const env = { ...process.env, npm_config_engine_strict: "false" };
  const download = ["install", "--omit=dev", "--ignore-scripts", "--no-save"];
  const packages = [`code-server@${version}`, `${nodePackage}@${nodeVersion}`];
  await npm([...download, ...packages], { cwd: folder, env });
  // Both have a lock file of their own, which code-server leaves for its install script to follow. No script
  // runs: what VS Code would compile are its log writer and watchdog, and it runs without them.
  await npm(download, { cwd: vscode, env });
  await npm(download, { cwd: join(vscode, "extensions"), env });
  await allowDevelopment(vscode);
}

/**
 * A packaged VS Code opens an extension under development only in its own smoke tests, and then
 * shows no notifications. We want the first without the second. (1.104 has no such condition.)
 *
 * @param {string} vscode
 */
async function allowDevelopment(vscode) {
  const file = join(vscode, "out", "vs", "code", "browser", "workbench", "workbench.js");
  const condition = "this.payload&&(!this.isBuilt||this.enableSmokeTestDriver)";
  await writeFile(file, (await readFile(file, "utf8")).replace(condition, "this.payload"));
}

/** Whoever finishes first wins; the other's copy is thrown away. @param {string} draft @param {string} folder */
async function publish(draft, folder) {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

const draftPrefix = "installing-";

/** Drafts whose process is gone were interrupted. */
async function removeAbandoned() {
  if (!existsSync(cacheFolder)) return;
  for (const name of await readdir(cacheFolder)) {
    if (!name.startsWith(draftPrefix)) continue;
    const pid = Number.parseInt(name.slice(draftPrefix.length), 10);
    if (!isRunning(pid)) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
