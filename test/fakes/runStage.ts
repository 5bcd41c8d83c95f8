import { PendingMessages } from "../../src/core/agent/pendingMessages.js";
import { EventPublisher } from "../../src/core/conversation/events/eventPublisher.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import { modeName } from "../../src/core/experts/modeName.js";
import type { ModelRequest } from "../../src/core/ports/model.js";
import { decideRun, type RunDecision } from "../../src/core/runs/decideRun.js";
import { RunLayout } from "../../src/core/runs/documents/runLayout.js";
import { RunStore } from "../../src/core/runs/documents/runStore.js";
import { newRun } from "../../src/core/runs/startRun.js";
import { driveRun, type RunEnd } from "../../src/core/runs/work/driveRun.js";
import type { RunServices } from "../../src/core/runs/work/runServices.js";
import { Redactor } from "../../src/core/text/redactor.js";
import { spoken } from "../../src/core/text/words.js";
import type { Beginning } from "../../src/core/work/requestedWork.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { createDependencies } from "../../src/runtime/dependencies.js";
import { CountingIds } from "./countingIds.js";
import { ManualClock } from "./manualClock.js";
import { MemoryFileSystem } from "./memoryFileSystem.js";
import { MemoryLock } from "./memoryLock.js";
import { MemorySearch } from "./memorySearch.js";
import { PlainCharts } from "./plainCharts.js";
import { PlainPatterns } from "./plainPatterns.js";
import { PlainPdf } from "./plainPdf.js";
import { PlainSigner } from "./plainSigner.js";
import { runReply } from "./runPlays.js";
import { ScriptedModel, type ScriptedResponse } from "./scriptedModel.js";
import { ScriptedShell } from "./scriptedShell.js";

/** Answers an agent of a run. `unit` is what it is asked, in short, as in `Planner plan-phase-P1`. */
export type Answer = (
  unit: string,
  request: ModelRequest,
) => ScriptedResponse | undefined | Promise<ScriptedResponse | undefined>;

/** Runs over fakes, with agents that answer as the tests say, else as they should. */
export class RunStage {
  readonly files: MemoryFileSystem;
  lock = new MemoryLock();
  charts: PlainCharts | undefined = new PlainCharts();
  dialect: "auto" | "envelope" = "auto";
  readonly clock = new ManualClock();
  readonly signer = new PlainSigner();
  readonly model: ScriptedModel;
  layout = new RunLayout("");
  readonly events: ConversationEvent[] = [];
  /** Messages of the Communicator. */
  readonly said: string[] = [];
  /** Ids of the agents' sessions whose transcripts were read, in order. */
  private readonly opened: string[] = [];
  readonly stopping = new AbortController();
  private readonly ids = new CountingIds();

  constructor(
    files: Record<string, string> = {},
    answer: Answer = () => undefined,
    private readonly preset: "safe" | "all" = "safe",
  ) {
    this.files = new MemoryFileSystem(files);
    const read = this.files.readFile.bind(this.files);
    this.files.readFile = (path) => {
      const [, id] = /^\.rooroo\/tasks\/(ROO#RUN_.+)\/transcript\.jsonl$/.exec(path) ?? [];
      if (id !== undefined) this.opened.push(id);
      return read(path);
    };
    this.model = new ScriptedModel(async (request) => {
      const results = request.messages.flatMap(({ role, content }) =>
        role === "tool" ? [content] : [],
      );
      const told = request.messages[1]?.content ?? "";
      const given = await answer(this.unitOf(this.opened.at(-1) ?? ""), request);
      return given ?? runReply(told, results);
    });
  }

  get store(): RunStore {
    return new RunStore(this.files, this.lock, this.layout);
  }

  get world(): RunServices {
    const { files, lock, clock, model, ids } = this;
    const world = {
      files,
      lock,
      clock,
      model,
      ids,
      shell: new ScriptedShell(),
      pdf: new PlainPdf(),
      parser: new BashParser(),
      search: new MemorySearch(files),
      patterns: new PlainPatterns(),
      ...(this.charts === undefined ? {} : { charts: this.charts }),
      approver: { request: () => Promise.resolve({ type: "unavailable" } as const) },
      signer: this.signer,
      settings: () => ({
        preset: this.preset,
        dialectFor: () => this.dialect,
        limits: { turns: 20 },
      }),
      emit: () => undefined,
    };
    const publisher = new EventPublisher(clock, ids, (event) => this.events.push(event));
    const { experts } = createDependencies(world, publisher);
    return { files, lock, experts, publisher, say: (text) => this.said.push(text) };
  }

  /** The words that wait for the run's agents. */
  get messages(): PendingMessages {
    const { files, clock, ids } = this;
    const redactor = new Redactor();
    return new PendingMessages({ files, clock, ids, redactor, signer: this.signer });
  }

  /** Leaves words for the agent at work. */
  async tell(text: string): Promise<void> {
    await this.messages.add(this.opened.at(-1) ?? "", { text });
  }

  start(request: string, begun?: Beginning): Promise<string> {
    return newRun(request, this.store, this.world.experts, begun);
  }

  async drive(runId: string): Promise<RunEnd & { readonly reason: string }> {
    const end = await driveRun(runId, this.store, this.world, this.stopping.signal);
    return { ...end, reason: spoken(end.reason) };
  }

  async decide(runId: string, decision: RunDecision): Promise<RunEnd> {
    await decideRun(runId, decision, this.store, this.lock);
    return this.drive(runId);
  }

  /** Ids of the agents' sessions, in the order in which they were first opened. */
  get sessions(): string[] {
    return [...new Set(this.opened)];
  }

  /** The units that agents were called for, as in `Planner plan-phase-P1`, in order. */
  get units(): string[] {
    return this.sessions.map((id) => this.unitOf(id));
  }

  private unitOf(id: string): string {
    const unit = id.replace(/^ROO#RUN_[\d-]+_/, "");
    const started = this.events.find(
      (event) => event.type === "sessionStarted" && event.taskId === id,
    );
    const mode = started?.type === "sessionStarted" ? started.mode : "rooroo-run-communicator";
    return `${modeName(mode.replace("-run", ""))} ${unit}`;
  }

  /** Returns a table's rows, values joined. */
  async rows(name: Parameters<RunStore["rows"]>[0], runId = ""): Promise<string[]> {
    return (await this.store.rows(name, runId)).map((row) => Object.values(row).join(" | "));
  }
}
