import { randomBytes } from "node:crypto";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { startProcess } from "../process/startProcess.mjs";
import { ensureVSCodeServer } from "./ensureVSCodeServer.mjs";
import { linkExtensions } from "./linkExtensions.mjs";
import { quietSettings } from "./quietSettings.mjs";
import { withoutEditorVariables } from "./withoutEditorVariables.mjs";

/**
 * @typedef {object} Server
 * @property {string} url Where it listens, without a path: `http://127.0.0.1:PORT`.
 * @property {string} token Who does not show it gets no editor.
 * @property {number} pid
 * @property {Promise<number>} stopped
 * @property {() => Promise<void>} stop Ends it with all extension hosts, terminals and their children.
 * @property {() => Promise<void>} kill As `stop`, but nobody gets a chance to save anything.
 */

const noGallery = JSON.stringify({ serviceUrl: "" });

/**
 * Starts VS Code's server on 127.0.0.1. The extension host inherits `env`.
 *
 * @param {object} options
 * @param {string} options.dataDir Server's and user's data; kept, so that a later server can go on from it.
 * @param {number} [options.port] Default: any free port.
 * @param {NodeJS.ProcessEnv} [options.env] Added to this process's environment.
 * @param {boolean} [options.trusted] Default true. False: folders open in Restricted Mode.
 * @param {Record<string, unknown>} [options.settings] User settings, over those already in `dataDir`.
 * @param {string} [options.userDataDir] Laid out as a desktop VS Code's; default inside `dataDir`.
 * @param {readonly string[]} [options.extensions] Folders of extensions that are installed beside ours.
 * @param {boolean} [options.lean] Default false. True: without extensions of VS Code's own that take long and are not tested.
 * @param {string} [options.version] See `ensureVSCodeServer`.
 * @param {(line: string) => void} [options.log] What the server says.
 * @returns {Promise<Server>}
 */
export async function startServer({
  dataDir,
  port = 0,
  env = {},
  trusted = true,
  settings = {},
  userDataDir = join(dataDir, "data"),
  extensions = [],
  lean = false,
  version,
  log = () => {},
}) {
  const { node, main } = await ensureVSCodeServer({ version });
  await writeSettings(userDataDir, { ...quietSettings({ trusted }), ...settings });
  for (const folder of extensions) {
    await cp(folder, join(dataDir, "extensions", basename(folder)), { recursive: true });
  }
  const builtin = join(dataDir, "builtin");
  if (lean) await linkExtensions(join(dirname(dirname(main)), "extensions"), builtin);
  const token = randomBytes(16).toString("hex");
  const server = startProcess(
    node,
    [
      main,
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--connection-token",
      token,
      "--server-data-dir",
      dataDir,
      "--user-data-dir",
      userDataDir,
      "--accept-server-license-terms",
      "--disable-telemetry",
      ...(lean ? ["--builtin-extensions-dir", builtin] : []),
    ],
    { env: { ...withoutEditorVariables(process.env), EXTENSIONS_GALLERY: noGallery, ...env } },
  );
  try {
    const url = `http://127.0.0.1:${await listening(server, log)}`;
    return { ...server, url, token };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * @param {string} userDataDir
 * @param {Record<string, unknown>} settings
 */
async function writeSettings(userDataDir, settings) {
  const file = join(userDataDir, "User", "settings.json");
  await mkdir(join(userDataDir, "User"), { recursive: true });
  const old = await readFile(file, "utf8").catch(() => "{}");
  await writeFile(file, `${JSON.stringify({ ...JSON.parse(old), ...settings }, null, 2)}\n`);
}

/**
 * The port, once the server listens.
 *
 * @param {import("../process/startProcess.mjs").Running} server
 * @param {(line: string) => void} log
 * @returns {Promise<number>}
 */
function listening({ child, stopped }, log) {
  return new Promise((resolve, reject) => {
    let said = "";
    const read = (/** @type {Buffer} */ chunk) => {
      const text = chunk.toString();
      for (const line of text.split("\n")) if (line.trim() !== "") log(line);
      if (said.length < 20_000) said += text;
      const port = /Extension host agent listening on (\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    const ended = (/** @type {unknown} */ why) =>
      reject(new Error(`VS Code's server did not start (${why}).\n${said.trim()}`));
    stopped.then((code) => ended(`exit code ${code}`), ended);
  });
}
