import { compiled } from "./compiled.mjs";
import { signerAt } from "./signerAt.mjs";

/**
 * What jobs run over in a folder, as the command line has it, with a model that hands in at once.
 *
 * @param {string} root
 * @param {{ asked?: () => Promise<void>, emit?: (event: any) => void }} [options]
 *   `asked`: what comes before the model answers
 */
export async function jobWorldAt(root, { asked = async () => {}, emit = () => {} } = {}) {
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
  const done = JSON.stringify({ result: "Succeeded", summary: "Done." });
  const fits = JSON.stringify({ fits: true, reason: "It is the same." });
  const model = {
    name: "bench",
    /** @param {{ forcedTool?: string }} request */
    async *respond({ forcedTool }) {
      await asked();
      const name = forcedTool ?? "attempt_completion";
      const call = { id: "call_1", name, arguments: forcedTool === undefined ? done : fits };
      yield { type: "toolCall", call };
      yield { type: "finish", reason: "toolCalls" };
    },
  };
  const world = {
    files,
    lock,
    clock,
    ids,
    model,
    shell: new ProcessShell(root),
    parser: new BashParser(),
    signer: await signerAt(root),
    // No runner of the bench's model searches or asks; what git ignores is asked for where a runner begins.
    search: { ignored: async () => new Set() },
    patterns: {},
    approver: { request: async () => ({ type: "unavailable" }) },
    settings: () => ({ preset: "all", limits: { turns: 60, failuresInARow: 3, sameCalls: 5 } }),
    emit: () => {},
  };
  const publisher = new EventPublisher(clock, ids, emit);
  const { experts } = createDependencies(world, publisher);
  return { files, lock, experts, publisher };
}
