import * as vscode from "vscode";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { UserError } from "../../core/errors.js";
import { type LongWork, longWorkKinds, type RunId } from "../../core/ids.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { Jobs } from "../../core/jobs/jobs.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { Runs } from "../../core/runs/runs.js";
import type { WorkKind } from "../../core/work/work.js";

/** Creates the long work of a session. */
export interface WorkLoader {
  /** Creates the jobs, which share the Navigator's experts and report to its conversation. */
  jobs(): Promise<Jobs>;
  /**
   * Creates the runs, in the same way as {@link jobs}.
   *
   * @param say called with each message of a run to the user; cards show it
   */
  runs(say: (runId: RunId, text: string) => void): Promise<Runs>;
}

/** A message that a run addresses to the user. */
export interface RunMessage {
  readonly runId: RunId;
  /** Markdown. */
  readonly text: string;
}

/** The long work of a session. The code of each kind is loaded when it is first needed. */
export class SessionWorks implements vscode.Disposable {
  private readonly loaded: { job?: Promise<Jobs>; run?: Promise<Runs> } = {};
  private readonly changed: Readonly<
    Record<LongWork["kind"], vscode.EventEmitter<ConversationEvent>>
  > = { job: new vscode.EventEmitter(), run: new vscode.EventEmitter() };
  private readonly runMessage = new vscode.EventEmitter<RunMessage>();
  readonly onRunMessage = this.runMessage.event;

  constructor(
    private readonly loader: () => Promise<WorkLoader>,
    private readonly files: Pick<FileSystem, "readDirectory">,
  ) {}

  /** Loaded at the first call. */
  jobs(): Promise<Jobs> {
    return (this.loaded.job ??= this.loader().then((loader) => loader.jobs()));
  }

  /** Loaded at the first call. */
  runs(): Promise<Runs> {
    return (this.loaded.run ??= this.loader().then((loader) =>
      loader.runs((runId, text) => {
        this.runMessage.fire({ runId, text });
      }),
    ));
  }

  /** Returns one kind of work; loaded at the first call. */
  kind(kind: LongWork["kind"]): Promise<WorkKind> {
    return kind === "job" ? this.jobs() : this.runs();
  }

  /** Returns the jobs, as their files and locks have them now, whichever process runs them. */
  async jobOverviews(): Promise<readonly JobOverview[]> {
    return (await this.hasJobs()) ? (await this.jobs()).overviews() : [];
  }

  async hasJobs(): Promise<boolean> {
    const entries = await this.files.readDirectory(".jixo");
    return entries.some(({ name }) => /\.(job|task)\.md$/.test(name));
  }

  /** Fires for events of this kind of work; of its agents' events only for token usage. */
  onDidChange(kind: LongWork["kind"]): vscode.Event<ConversationEvent> {
    return this.changed[kind].event;
  }

  /** Tells what follows one kind of work of an event that belongs to it. */
  tell(event: ConversationEvent): void {
    if (event.work === undefined || (event.type === "agent" && event.event.type !== "usage"))
      return;
    this.changed[event.work.kind].fire(event);
  }

  /** Returns whether this window works on it. */
  async isHere({ kind, name }: LongWork): Promise<boolean> {
    const works: WorkKind | undefined = await this.loaded[kind];
    return works?.isHere(name) ?? false;
  }

  /** Stops all that this window works on, before it closes. */
  async stopOwn(reason: UserError): Promise<void> {
    await Promise.all(
      longWorkKinds.map(async (kind) => (await this.loaded[kind])?.stopOwn(reason)),
    );
  }

  dispose(): void {
    for (const kind of longWorkKinds) this.changed[kind].dispose();
    this.runMessage.dispose();
  }
}
