import { PendingMessages } from "../../src/core/agent/pendingMessages.js";
import type { ApprovalDecision, ApprovalRequest } from "../../src/core/approvals/approver.js";
import type { PermissionStore, StoredPermission } from "../../src/core/approvals/permissions.js";
import { EventPublisher } from "../../src/core/conversation/events/eventPublisher.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import { worktreeFiles } from "../../src/core/experts/worktreeFiles.js";
import { readJobLog } from "../../src/core/jobs/documents/jobLog.js";
import { type JobEnd, type JobRun, outerLoop } from "../../src/core/jobs/work/outerLoop.js";
import { JobWorktrees } from "../../src/core/navigator/worktrees/jobWorktrees.js";
import type { PlanWorktrees } from "../../src/core/navigator/worktrees/planWorktrees.js";
import type { LanguageModel } from "../../src/core/ports/model.js";
import type { SpendLimits } from "../../src/core/spending/spending.js";
import type { UsageLog } from "../../src/core/spending/usageLog.js";
import { Redactor } from "../../src/core/text/redactor.js";
import { spoken } from "../../src/core/text/words.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { createDependencies } from "../../src/runtime/dependencies.js";
import { CountingIds } from "./countingIds.js";
import { ManualClock } from "./manualClock.js";
import { MemoryFileSystem } from "./memoryFileSystem.js";
import { MemoryLock } from "./memoryLock.js";
import { memoryPlans } from "./memoryPlans.js";
import { MemorySearch } from "./memorySearch.js";
import { MemoryWorktrees } from "./memoryWorktrees.js";
import { calls } from "./navigatorWorld.js";
import { PlainPatterns } from "./plainPatterns.js";
import { PlainPdf } from "./plainPdf.js";
import { PlainSigner } from "./plainSigner.js";
import { type ModelScript, ScriptedModel, type ScriptedResponse } from "./scriptedModel.js";
import { ScriptedShell } from "./scriptedShell.js";

/** The job `trip` over fakes, with everything that was told of it. */
export class JobStage {
  readonly files: MemoryFileSystem;
  lock = new MemoryLock();
  shell = new ScriptedShell();
  readonly clock = new ManualClock();
  readonly signer = new PlainSigner();
  model: ScriptedModel;
  /** Answers whether the plan serves the goal; it is satisfied with all plans unless it is told. */
  judge = new ScriptedModel(() => judges(true));
  /** Says whether a task is done; it is satisfied with all of them unless it is told. */
  reviewer = new ScriptedModel(() => calls("review_work", { accepted: true, remarks: "Fine." }));
  readonly events: ConversationEvent[] = [];
  readonly stopping = new AbortController();
  /** Where tasks work. */
  isolation: "none" | "worktree" = "none";
  readonly trees: MemoryWorktrees;
  ids = new CountingIds();
  /** Answers what is asked. Absent: nobody can be asked. */
  approve?: (request: ApprovalRequest) => ApprovalDecision;
  /** Absent: permissions end with the process. */
  permissionStore?: PermissionStore;
  /** What tasks and days may use; absent: there is no limit. */
  spend: SpendLimits | undefined;
  /** What was used, by day. Absent: days are not counted. */
  usageLog: UsageLog | undefined;

  constructor(
    scripts: readonly ModelScript[] | ModelScript,
    files: Record<string, string>,
    private readonly allows: "all" | "ask" = "all",
  ) {
    this.files = new MemoryFileSystem(files);
    this.trees = new MemoryWorktrees(this.files);
    this.model = new ScriptedModel(scripts);
  }

  async run(given: Partial<JobRun> = {}): Promise<JobEnd & { readonly reason: string }> {
    const { files, lock, clock } = this;
    const model: LanguageModel = {
      name: this.model.name,
      respond: (request, signal) => {
        const asked = request.forcedTool ?? request.answerSchema?.name;
        const others = { judge_plan: this.judge, review_work: this.reviewer };
        const own = others[asked as keyof typeof others] as ScriptedModel | undefined;
        return (own ?? this.model).respond(request, signal);
      },
    };
    const { ids } = this;
    const world = {
      files,
      lock,
      clock,
      model,
      ids,
      shell: this.shell,
      pdf: new PlainPdf(),
      parser: new BashParser(),
      search: new MemorySearch(files),
      patterns: new PlainPatterns(),
      approver: {
        isUnattended: this.approve === undefined,
        request: (request: ApprovalRequest): Promise<ApprovalDecision> =>
          Promise.resolve(this.approve?.(request) ?? { type: "unavailable" }),
      },
      ...(this.permissionStore && { permissionStore: this.permissionStore }),
      signer: new PlainSigner(),
      settings: () => ({
        preset: this.allows,
        isolation: this.isolation,
        ...(this.spend === undefined ? {} : { spend: this.spend }),
        limits: { turns: 20 },
      }),
      emit: () => undefined,
      ...(this.usageLog === undefined ? {} : { usageLog: this.usageLog }),
    };
    const emit = (event: ConversationEvent) => this.events.push(event);
    const publisher = new EventPublisher(clock, new CountingIds(), emit);
    const { experts } = createDependencies(world, publisher);
    const usual = {
      name: "trip",
      startedBy: "person",
      runners: 1,
      quota: 10,
      most: undefined,
    } as const;
    const run: JobRun = { ...usual, ...given };
    const worktrees = () => Promise.resolve(new JobWorktrees(this.plans));
    const services = { files, lock, experts, publisher, worktrees };
    const end = await outerLoop(run, services, this.stopping.signal);
    return { ...end, reason: spoken(end.reason) };
  }

  /** The worktrees of the job's tasks. */
  get plans(): PlanWorktrees {
    const { files, trees: worktrees, clock, lock, shell } = this;
    const filesOf = (checkout: MemoryFileSystem) => worktreeFiles(checkout, files);
    return memoryPlans({ files, worktrees, clock, lock, shell, filesOf });
  }

  /** The words that wait for the job's agents. */
  get messages(): PendingMessages {
    const { files, clock, ids } = this;
    const redactor = new Redactor();
    return new PendingMessages({ files, clock, ids, redactor, signer: new PlainSigner() });
  }

  /** The id of the session that works, or worked last. */
  get session(): string {
    const started = this.events.findLast(({ type }) => type === "sessionStarted");
    return started?.type === "sessionStarted" ? started.taskId : "";
  }

  /** Leaves words for the agent at work. */
  async tell(text: string): Promise<void> {
    await this.messages.add(this.session, { text });
  }

  get log(): string {
    return this.files.text(".jixo/trip.log.md") ?? "";
  }

  get job(): string {
    return this.files.text(".jixo/trip.job.md") ?? "";
  }

  /** Objectives of the lifecycles and how they ended, as in `Task 1. Go: Succeeded`. */
  get lifecycles(): string[] {
    const { entries } = readJobLog(this.log);
    return entries
      .map(({ result, fields }) => `${fields.get("objective")?.value ?? ""}: ${result ?? ""}`)
      .toReversed();
  }

  /** Returns what the model was told first in a request. */
  told(request: number): string {
    return this.model.requests[request]?.messages[1]?.content ?? "";
  }
}

/** Keeps permissions as the user's folder does. */
export function memoryPermissions(): PermissionStore {
  const kept: StoredPermission[] = [];
  return {
    list: () => Promise.resolve([...kept]),
    add: (one) => Promise.resolve(void kept.push(one)),
    revoke: (id) =>
      Promise.resolve(void kept.splice(0, kept.length, ...kept.filter((one) => one.id !== id))),
  };
}

export function judges(fits: boolean, reason = "So it is."): ScriptedResponse {
  return calls("judge_plan", { fits, reason });
}

export function plans(
  changes: readonly object[],
  fields: Record<string, unknown> = {},
): ScriptedResponse {
  return calls("attempt_completion", { summary: "Planned.", title: "Trip", changes, ...fields });
}

export function adds(...texts: readonly string[]): object {
  return { action: "add", items: texts.map((text) => ({ text })) };
}

export function does(fields: Record<string, unknown> = {}): ScriptedResponse {
  return calls("attempt_completion", { result: "Succeeded", summary: "Done.", ...fields });
}
