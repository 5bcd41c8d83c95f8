import { compiled } from "./compiled.mjs";
import { signerAt } from "./signerAt.mjs";

const drawing = '<svg class="marks" width="10" height="10" viewBox="0 0 10 10"></svg>';

/**
 * What runs work over in a folder, as the command line has it, with a model of the caller's.
 *
 * @param {string} root
 * @param {object} model
 */
export async function runWorldAt(root, model) {
  const [
    { createDependencies },
    { EventPublisher },
    { RunStore },
    { RunLayout },
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
      "core/runs/documents/runStore",
      "core/runs/documents/runLayout",
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
    shell: new ProcessShell(root),
    parser: new BashParser(),
    signer: await signerAt(root),
    // Drawing is not what is measured.
    charts: { svg: async () => drawing },
    // No agent of the bench's model searches or asks.
    search: { ignored: async () => new Set() },
    patterns: {},
    approver: { request: async () => ({ type: "unavailable" }) },
    settings: () => ({ preset: "safe", limits: { turns: 60, failuresInARow: 3, sameCalls: 5 } }),
    emit: () => {},
  };
  const publisher = new EventPublisher(clock, ids, () => {});
  const { experts } = createDependencies(services, publisher);
  const store = new RunStore(files, lock, new RunLayout(""));
  return { store, world: { files, lock, experts, publisher, say: () => {} } };
}
