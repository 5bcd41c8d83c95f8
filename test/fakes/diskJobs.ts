import { EventPublisher } from "../../src/core/conversation/events/eventPublisher.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import type { JobServices } from "../../src/core/jobs/work/jobServices.js";
import type { LanguageModel } from "../../src/core/ports/model.js";
import type { Clock } from "../../src/core/ports/system.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { GitCommits } from "../../src/node/git/gitCommits.js";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { RandomIds } from "../../src/node/randomIds.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { ProcessShell } from "../../src/node/shell/processShell.js";
import { createDependencies } from "../../src/runtime/dependencies.js";
import { MemoryFileSystem } from "./memoryFileSystem.js";
import { MemorySearch } from "./memorySearch.js";
import { PlainPatterns } from "./plainPatterns.js";
import { PlainPdf } from "./plainPdf.js";
import { PlainSigner } from "./plainSigner.js";

interface DiskJobsOptions {
  readonly model: LanguageModel;
  readonly clock: Clock;
  readonly onEvent?: (event: ConversationEvent) => void;
}

/** Returns what jobs work with on a real disk, with real locks, processes and git; the model and the clock are the caller's. */
export function diskJobs(root: string, { model, clock, onEvent }: DiskJobsOptions): JobServices {
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
    pdf: new PlainPdf(),
    parser: new BashParser(),
    // No agent of these tests searches.
    search: new MemorySearch(new MemoryFileSystem({})),
    patterns: new PlainPatterns(),
    approver: { request: () => Promise.resolve({ type: "unavailable" } as const) },
    signer: new PlainSigner(),
    settings: () => ({
      preset: "all" as const,
      limits: { turns: 20 },
    }),
    emit: () => undefined,
  };
  const publisher = new EventPublisher(clock, ids, onEvent ?? (() => undefined));
  const { experts } = createDependencies(services, publisher);
  return { files, lock, experts, publisher };
}
