import { noDocuments } from "../../src/core/changes/noDocuments.js";
import { TaskChanges } from "../../src/core/changes/taskChanges.js";
import type { WorkspaceHost } from "../../src/core/experts/workspaceHost.js";
import type { UnfinishedTask } from "../../src/core/navigator/queue/planTasks.js";
import { PlanWorktreeStore } from "../../src/core/navigator/worktrees/planWorktree.js";
import { PlanWorktrees } from "../../src/core/navigator/worktrees/planWorktrees.js";
import type { Lock } from "../../src/core/ports/locks.js";
import { KeyedQueue } from "../../src/core/text/keyedQueue.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import type { ManualClock } from "./manualClock.js";
import type { MemoryFileSystem } from "./memoryFileSystem.js";
import { MemoryLock } from "./memoryLock.js";
import { MemorySearch } from "./memorySearch.js";
import type { MemoryWorktrees } from "./memoryWorktrees.js";
import { PlainPdf } from "./plainPdf.js";
import { PlainSigner } from "./plainSigner.js";
import { ScriptedShell } from "./scriptedShell.js";

interface Parts {
  readonly files: MemoryFileSystem;
  readonly worktrees: MemoryWorktrees;
  readonly clock: ManualClock;
  readonly lock?: Lock;
  readonly shell?: ScriptedShell;
  readonly setUp?: (planId: string) => Promise<void>;
  /** Returns the tasks of any plan that have not ended; by default there are none. */
  readonly unfinished?: () => readonly UnfinishedTask[];
  /** Returns the files through which a host writes to a worktree. Default: as they are. */
  readonly filesOf?: (checkout: MemoryFileSystem) => WorkspaceHost["files"];
}

/** Returns the worktrees of plans over fakes, as a new process has them. */
export function memoryPlans(parts: Parts): PlanWorktrees {
  const { files, worktrees, clock, lock = new MemoryLock(), shell = new ScriptedShell() } = parts;
  const {
    setUp,
    unfinished = () => [],
    filesOf = (checkout: MemoryFileSystem) => checkout,
  } = parts;
  const signer = new PlainSigner();
  const changes = (of: MemoryFileSystem) =>
    new TaskChanges({ files: of, signer, clock, documents: noDocuments }, ".rooroo/tasks");
  return new PlanWorktrees({
    store: new PlanWorktreeStore(files, clock, signer),
    worktrees,
    lock,
    changes: changes(files),
    tasks: {
      planOf: () => Promise.resolve("ROO#PLAN_20260102030405_A1B2C3"),
      unfinished: () => Promise.resolve(unfinished()),
      atRest: (_plan, work) => work(),
      leftBehind: () => Promise.resolve(new Map()),
    },
    changesAt: (root) => changes(worktrees.at(root)),
    checkRepository: () => Promise.resolve(),
    listLanding: () => Promise.resolve(),
    hostAt: (root): WorkspaceHost => {
      const checkout = worktrees.at(root);
      const [parser, search] = [new BashParser(), new MemorySearch(checkout)];
      return {
        files: filesOf(checkout),
        shell,
        pdf: new PlainPdf(),
        parser,
        search,
        writes: new KeyedQueue(),
      };
    },
    setUp: async (_host, planId) => setUp?.(planId),
  });
}
