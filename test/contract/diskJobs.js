import { EventPublisher } from "../../src/core/conversation/eventPublisher.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { GitCommits } from "../../src/node/git/gitCommits.js";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { RandomIds } from "../../src/node/randomIds.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { ProcessShell } from "../../src/node/shell/processShell.js";
import { createDependencies } from "../../src/runtime/dependencies.js";
import { MemorySearch } from "../fakes/memorySearch.js";
import { PlainPatterns } from "../fakes/plainPatterns.js";
import { PlainSigner } from "../fakes/plainSigner.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
/** What jobs work with on a real disk, with real locks, processes and git; the model and the clock are the caller's. */
export function diskJobs(root, { model, clock, onEvent }) {
  const [files, lock, ids] = [
    new DiskFileSystem(root),
    new FileLock(root, "test"),
    new RandomIds(),
  ];
  const services = {
    files,
    lock,
    clock,
    ids,
    model,
    commits: new GitCommits(root),
    shell: new ProcessShell(root),
    parser: new BashParser(),
    // No agent of these tests searches.
    search: new MemorySearch(new MemoryFileSystem({})),
    patterns: new PlainPatterns(),
    approver: { request: () => Promise.resolve({ type: "unavailable" }) },
    signer: new PlainSigner(),
    settings: () => ({
      preset: "all",
      limits: { turns: 20, failuresInARow: 4, sameCalls: 1000 },
    }),
    emit: () => undefined,
  };
  const publisher = new EventPublisher(clock, ids, onEvent ?? (() => undefined));
  const { experts } = createDependencies(services, publisher);
  return { files, lock, experts, publisher };
}
//# sourceMappingURL=diskJobs.js.map
