import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchEditor } from "../../scripts/host/launchEditor.mjs";
import { atEnd } from "../../scripts/process/cleanup.mjs";
import { createSampleProject } from "../../scripts/sample/createSampleProject.mjs";
import { scratch } from "../harness/scratch.mjs";
import { installed } from "./installed.mjs";
import { Orders } from "./orders.mjs";

/** The editor has come to rest. */
const SETTLED_MS = 3_000;

/**
 * @typedef {object} Hosts A window whose extension host can be had anew again and again.
 * @property {import("../../scripts/host/launchEditor.mjs").Editor} editor
 * @property {() => Promise<Host>} fresh Starts the window anew and waits until it is at rest.
 *
 * @typedef {object} Host
 * @property {number} pid
 * @property {(id: string) => Promise<{ ms: number, cpuMs: number }>} activate
 * @property {(command: string) => Promise<{ startedAt: number }>} run
 */

/** @type {Promise<Hosts> | undefined} */
let opening;

/**
 * One editor for all measurements of a process; it is closed when the bench ends.
 *
 * @param {{ quick: boolean }} options
 */
export function hosts(options) {
  return (opening ??= open(options));
}

/** @param {{ quick: boolean }} options */
async function open(options) {
  const profileDir = await installed(options);
  const workspace = join(await scratch(), "sample");
  await createSampleProject(workspace);
  const folder = join(profileDir, "orders");
  await mkdir(folder);
  const editor = await launchEditor({
    workspace,
    profileDir,
    extensionPath: fileURLToPath(new URL("probe", import.meta.url)),
    env: { ROOROO_BENCH_ORDERS: folder },
    settings: {
      "rooroo.model.baseUrl": "http://127.0.0.1:9/v1",
      "rooroo.model.name": "bench",
    },
  });
  atEnd(() => editor.stop());
  const orders = new Orders(folder);
  return {
    editor,
    fresh: async () => {
      const since = Date.now();
      await editor.reload();
      const pid = await orders.host(since);
      await editor.page.waitForTimeout(SETTLED_MS);
      return {
        pid,
        activate: (/** @type {string} */ id) => orders.give(pid, { type: "activate", id }),
        run: (/** @type {string} */ command) => orders.give(pid, { type: "run", command }),
      };
    },
  };
}
