import type { UserPlaces } from "../../src/core/access/userPlaces.js";
import type { DialectChoice } from "../../src/core/agent/dialects/dialect.js";
import type { ApprovalPreset, CategoryRules } from "../../src/core/approvals/approvalRules.js";
import type { ApprovalDecision, ApprovalRequest } from "../../src/core/approvals/approver.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import type { ConversationId } from "../../src/core/ids.js";
import type { Navigator } from "../../src/core/navigator/navigator.js";
import type { NavigatorDependencies } from "../../src/core/navigator/navigatorDependencies.js";
import type { WorkServices } from "../../src/core/navigator/requests/workServices.js";
import type { PlanHosts } from "../../src/core/navigator/worktrees/planHosts.js";
import type { Diagnostics, EditorView, HostTools } from "../../src/core/ports/editor.js";
import type { Git } from "../../src/core/ports/git.js";
import type { LanguageModel } from "../../src/core/ports/model.js";
import type { PdfReader } from "../../src/core/ports/pdf.js";
import type { ServerContent } from "../../src/core/ports/serverContent.js";
import type { Snapshots } from "../../src/core/ports/snapshots.js";
import type { Web, WebSearch } from "../../src/core/ports/web.js";
import type { SpendLimits } from "../../src/core/spending/spending.js";
import type { UsageLog } from "../../src/core/spending/usageLog.js";
import type { Redactor } from "../../src/core/text/redactor.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { Runtime } from "../../src/runtime/runtime.js";
import { CountingIds } from "./countingIds.js";
import { ManualClock } from "./manualClock.js";
import { MemoryFileSystem } from "./memoryFileSystem.js";
import { MemoryLock } from "./memoryLock.js";
import { MemorySearch } from "./memorySearch.js";
import { PlainPatterns } from "./plainPatterns.js";
import { PlainPdf } from "./plainPdf.js";
import { PlainSigner } from "./plainSigner.js";
import { type ModelScript, ScriptedModel, type ScriptedResponse } from "./scriptedModel.js";
import { ScriptedShell, type ShellScript } from "./scriptedShell.js";

/** A Navigator over fakes, and everything that it told. */
export class NavigatorStage {
  readonly files: MemoryFileSystem;
  readonly lock = new MemoryLock();
  readonly clock: ManualClock;
  readonly shell: ScriptedShell;
  readonly model: ScriptedModel;
  readonly events: ConversationEvent[] = [];
  /** The conversation of each event. */
  readonly places: (ConversationId | undefined)[] = [];
  readonly approvals: ApprovalRequest[] = [];
  readonly navigator: Navigator;
  /** The parts that the Navigator is composed of. */
  readonly dependencies: NavigatorDependencies;
  /** Called with each event. */
  emitTo: (event: ConversationEvent) => void = () => undefined;
  preset: ApprovalPreset = "all";
  categories: CategoryRules = {};
  approve: (
    request: ApprovalRequest,
    signal: AbortSignal,
  ) => ApprovalDecision | Promise<ApprovalDecision> = () => ({
    type: "unavailable",
  });

  constructor(
    scripts: readonly ModelScript[] | ModelScript,
    options: {
      files?: MemoryFileSystem | Record<string, string>;
      commands?: Record<string, ShellScript>;
      lock?: MemoryLock;
      turns?: number;
      spend?: SpendLimits;
      usageLog?: UsageLog;
      concurrency?: number;
      startPlans?: "auto" | "wait";
      documenter?: boolean;
      modes?: Record<string, { turns?: number }>;
      dialect?: DialectChoice;
      modelFor?: (slug: string) => LanguageModel | undefined;
      clock?: ManualClock;
      web?: Web;
      webSearch?: WebSearch;
      contextTokens?: number;
      hostTools?: HostTools;
      serverContent?: ServerContent;
      diagnostics?: Diagnostics;
      editor?: EditorView;
      git?: Git;
      pdf?: PdfReader;
      works?: WorkServices;
      redactor?: Redactor;
      hooks?: unknown;
      snapshots?: Snapshots;
      userPlaces?: UserPlaces;
      planHosts?: PlanHosts;
      isolation?: "none" | "worktree";
    } = {},
  ) {
    const {
      files,
      web,
      hostTools,
      diagnostics,
      editor,
      git,
      pdf = new PlainPdf(),
      works,
    } = options;
    this.files = files instanceof MemoryFileSystem ? files : new MemoryFileSystem(files);
    this.shell = new ScriptedShell(options.commands);
    this.lock = options.lock ?? this.lock;
    this.clock = options.clock ?? new ManualClock();
    this.model = new ScriptedModel(scripts);
    const runtime = new Runtime({
      files: this.files,
      signer: new PlainSigner(),
      shell: this.shell,
      pdf,
      parser: new BashParser(),
      search: new MemorySearch(this.files),
      patterns: new PlainPatterns(),
      ...(web && { web }),
      ...(options.webSearch && { webSearch: () => options.webSearch }),
      ...(hostTools && { hostTools }),
      ...(options.serverContent && { serverContent: options.serverContent }),
      works,
      ...(diagnostics && { diagnostics }),
      ...(editor && { editor }),
      ...(git && { git }),
      ...(options.userPlaces && { userPlaces: options.userPlaces }),
      ...(options.planHosts && { planHosts: options.planHosts }),
      ...(options.snapshots && { snapshots: options.snapshots }),
      redactor: options.redactor,
      lock: this.lock,
      clock: this.clock,
      ids: new CountingIds(),
      model: this.model,
      modelFor: (slug) => options.modelFor?.(slug) ?? this.model,
      usageLog: options.usageLog,
      approver: {
        request: async (request, signal) => {
          this.approvals.push(request);
          return this.approve(request, signal);
        },
      },
      settings: () => ({
        preset: this.preset,
        categories: this.categories,
        ...(options.spend === undefined ? {} : { spend: options.spend }),
        limits: { turns: options.turns ?? 20 },
        concurrency: options.concurrency ?? 1,
        startPlans: options.startPlans ?? "auto",
        documenter: options.documenter ?? false,
        isolation: options.isolation ?? "none",
        contextTokensFor: () => options.contextTokens,
        dialectFor: () => options.dialect ?? "auto",
        modes: options.modes ?? {},
        hooks: options.hooks,
      }),
      emit: (event, conversation) => {
        this.events.push(event);
        this.places.push(conversation);
        this.emitTo(event);
      },
    });
    this.navigator = runtime.navigator;
    this.dependencies = runtime.dependencies;
  }

  /** The notices' texts, in order. */
  get notices(): string[] {
    return this.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
  }

  /** What was announced in the protocol's fixed words, in order. */
  get announced(): Extract<ConversationEvent, { type: "announced" }>[] {
    return this.events.filter((event) => event.type === "announced");
  }

  /** The ends of sessions, as in `Done: All good`. */
  get ends(): string[] {
    return this.events.flatMap((event) =>
      event.type === "sessionEnded" ? [`${event.end}: ${event.message}`] : [],
    );
  }

  get questions(): Extract<ConversationEvent, { type: "question" }>[] {
    return this.events.filter((event) => event.type === "question");
  }

  /** Ids of the tasks that were started, in order. */
  get started(): string[] {
    return this.events.flatMap((event) => (event.type === "sessionStarted" ? [event.taskId] : []));
  }

  get queueText(): string {
    return this.files.text(".rooroo/queue.jsonl") ?? "";
  }

  json(path: string): Record<string, unknown> {
    return JSON.parse(this.files.text(path) ?? "null") as Record<string, unknown>;
  }

  activity(): string[] {
    const text = this.files.text(".rooroo/logs/activity.jsonl") ?? "";
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { event_type: string }).event_type);
  }
}

export function triages(args: Record<string, unknown>): ScriptedResponse {
  return { toolCalls: [{ name: "triage", arguments: { reason: "clear", ...args } }] };
}

export function calls(name: string, args: Record<string, unknown>): ScriptedResponse {
  return { toolCalls: [{ name, arguments: args }] };
}

export function completes(fields: Record<string, unknown> = {}): ScriptedResponse {
  return calls("attempt_completion", {
    status: "Done",
    message: "All good",
    output_artifact_paths: [],
    ...fields,
  });
}

export function asks(question: string, suggestions: string[] = []): ScriptedResponse {
  return calls("ask_followup_question", { question, suggestions });
}
