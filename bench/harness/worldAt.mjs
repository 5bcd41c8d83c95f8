import { compiled } from "./compiled.mjs";
import { signerAt } from "./signerAt.mjs";

/**
 * Makes what work needs in a folder, as the command line has it, with a model of the caller's. Nothing can be
 * searched, and nobody is there to approve.
 *
 * @param {string} root
 * @param {object} model
 * @param {object} [options]
 * @param {"safe" | "all"} [options.preset] the approval preset
 * @param {object} [options.charts] what draws charts
 * @param {(event: any) => void} [options.emit]
 */
export async function worldAt(root, model, { preset = "all", charts, emit = () => {} } = {}) {
  const [
    { createDependencies },
    { EventPublisher },
    { BashParser },
    { DiskFileSystem },
    { FileLock },
    { ProcessShell },
    { RandomIds },
    { SystemClock },
  ] = await Promise.all(
    [
      "runtime/dependencies",
      "core/conversation/eventPublisher",
      "node/shell/bashParser",
      "node/files/diskFileSystem",
      "node/locks/fileLock",
      "node/shell/processShell",
      "node/randomIds",
      "node/systemClock",
    ].map(compiled),
  );
  const [files, lock] = [new DiskFileSystem(root), new FileLock(root, "bench")];
  const [clock, ids] = [new SystemClock(), new RandomIds()];
  const services = {
    files,
    lock,
    clock,
    ids,
    model,
    charts,
    shell: new ProcessShell(root),
    parser: new BashParser(),
    signer: await signerAt(root),
    search: { ignored: async () => new Set() },
    patterns: {},
    approver: { request: async () => ({ type: "unavailable" }) },
    settings: () => ({ preset, limits: { turns: 60, failuresInARow: 3, sameCalls: 5 } }),
    emit: () => {},
  };
  const publisher = new EventPublisher(clock, ids, emit);
  const { experts } = createDependencies(services, publisher);
  return { files, lock, experts, publisher };
}
