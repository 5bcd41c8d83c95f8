import { compiled } from "./compiled.mjs";
import { signerAt } from "./signerAt.mjs";

/**
 * Returns the services that work needs in a folder, as the command line has them, with a model of the caller's.
 * Nothing can be searched, and nobody is there to approve.
 *
 * @param {string} root
 * @param {object} model
 * @param {object} [options]
 * @param {"safe" | "all"} [options.preset] the approval preset
 * @param {object} [options.charts] what draws charts
 * @param {(event: any) => void} [options.emit] receives what the Navigator shows
 */
export async function servicesAt(root, model, { preset = "all", charts, emit = () => {} } = {}) {
  const [
    { BashParser },
    { DiskFileSystem },
    { FileLock },
    { ProcessShell },
    { RandomIds },
    { SystemClock },
  ] = await Promise.all(
    [
      "node/shell/bashParser",
      "node/files/diskFileSystem",
      "node/locks/fileLock",
      "node/shell/processShell",
      "node/randomIds",
      "node/systemClock",
    ].map(compiled),
  );
  return {
    files: new DiskFileSystem(root),
    lock: new FileLock(root, "bench"),
    clock: new SystemClock(),
    ids: new RandomIds(),
    model,
    charts,
    shell: new ProcessShell(root),
    parser: new BashParser(),
    signer: await signerAt(root),
    search: { ignored: async () => new Set() },
    patterns: {},
    approver: { request: async () => ({ type: "unavailable" }) },
    settings: () => ({ preset, limits: { turns: 1_000 } }),
    emit,
  };
}
