import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import { UserError } from "../../core/errors.js";
import type { ConversationId, RunId } from "../../core/ids.js";
import type { Clock } from "../../core/ports/system.js";
import type { RunDecision } from "../../core/runs/decideRun.js";
import type { Runs } from "../../core/runs/runs.js";
import type { RunEnd } from "../../core/runs/work/driveRun.js";
import { isRunUnit } from "../../core/runs/work/runUnit.js";
import { joined } from "../../core/text/joined.js";
import { tasksDoneText } from "../../core/text/tasksDoneText.js";
import { spoken } from "../../core/text/words.js";
import type { Beginning, RequestedRun } from "../../core/work/requestedWork.js";
import type { WorkAnswer } from "../../core/work/work.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import { shorten } from "../text/shorten.js";
import { withoutLinks } from "../text/withoutLinks.js";
import { t } from "../text/words.js";
import type { CommandHandlers } from "../work/commandHandlers.js";
import type { Notices } from "../work/notices.js";
import type { RowTree } from "../work/rowTree.js";
import { type EndNotice, WindowWork, type WorkProgress } from "../work/windowWork.js";
import type { WorkController } from "../work/workFeature.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { Release } from "../workspace/resumableWork.js";
import { namedWork, type Resumable, type ResumeStore } from "../workspace/resumeStore.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import { RunCards } from "./runCards.js";
import { runCommands, type RunCommandSurroundings } from "./runCommands.js";
import { runDocuments } from "./runDocuments.js";
import type { RunList } from "./runList.js";

interface RunDriverOptions {
  readonly workspace: CurrentWorkspace;
  readonly list: RunList;
  readonly tree: RowTree;
  readonly places: ConversationPlaces;
  readonly resumeStore: ResumeStore;
  readonly notices: Notices;
  readonly clock: Clock;
}

/** Drives runs in this window, and shows their cards and what editors say of their documents. */
export class RunDriver
  extends WindowWork<Resumable, RunEnd>
  implements WorkController<RequestedRun, RunCommandSurroundings>
{
  private readonly driven = new Set<string>();
  private readonly shown: vscode.Disposable;

  constructor(private readonly options: RunDriverOptions) {
    super({ ...options, kind: "run", record: options.resumeStore.record("run", namedWork) });
    const { workspace, list, clock } = options;
    const cards = new RunCards(list, workspace, t);
    if (workspace.session !== undefined) cards.listen(workspace.session);
    this.shown = vscode.Disposable.from(cards, runDocuments(workspace, list, clock));
  }

  commands(surroundings: RunCommandSurroundings): CommandHandlers {
    return runCommands({ ...this.options, ...surroundings, driver: this });
  }

  begin(run: RequestedRun, conversation: ConversationId | undefined, begun: Beginning) {
    return this.start(run, conversation, begun);
  }

  /** Answers a proposal as shown, or has a run go on that has stopped. Throws a {@link UserError} if the run now waits for a different one. */
  async answer(runId: RunId, proposalId: string, answer: WorkAnswer): Promise<void> {
    if (answer.type === "TEXT")
      throw new Error("A run's proposal is not answered with a text alone.");
    if (answer.type === "RESUME") {
      void this.drive(runId);
      return;
    }
    if (answer.type === "RETRY" || answer.type === "SKIP") return this.decide(runId, answer);
    const runs = await this.workspace.require().works.runs();
    const run = (await runs.overview()).runs.find((one) => one.runId === runId);
    if (run?.proposal?.id !== proposalId) {
      this.options.list.refresh();
      throw new UserError("proposalReplaced", "This proposal has been answered or replaced.");
    }
    await this.decide(runId, answer);
  }

  override dispose(): void {
    this.shown.dispose();
    super.dispose();
  }

  /**
   * Records a run and starts to drive it. It is shown in this conversation, or else in the side bar's.
   *
   * @param given the request as it was written down; absent: it is written down now
   */
  async start(run: RequestedRun, conversation?: ConversationId, given?: Beginning): Promise<void> {
    const session = this.workspace.require();
    const asked = { kind: "run", run } as const;
    const begun = given ?? (await (await session.navigator()).accept(asked, conversation));
    try {
      if (isOfCommandLine(run, begun)) {
        await begun?.leave();
        throw new UserError(
          "runOfCommandLine",
          "The run was begun on the command line, in a way that only that has. Go on with it there: rooroo status says how.",
        );
      }
      const name = await (await this.runs()).start(run.request, begun);
      const { conversations } = session;
      conversations.startedIn({ kind: "run", name }, conversation ?? conversations.current.id);
      void this.drive(name);
    } finally {
      await begun?.end();
    }
  }

  /**
   * Applies the user's answer, and continues the run with it. Throws a {@link UserError} if the answer
   * does not fit the run's current state.
   */
  async decide(runId: RunId, decision: RunDecision): Promise<void> {
    const runs = await this.runs();
    this.work.markStopped(runId);
    try {
      await runs.decide(runId, decision);
    } finally {
      this.work.clearStopped(runId);
      this.options.list.refresh();
    }
    if (decision.type !== "CANCEL") void this.drive(runId);
  }

  /**
   * Drives the run, which a person has named, and so takes over; resolves when it cannot continue, or at once if it already
   * runs in this window. Errors are shown in the conversation.
   */
  drive(runId: RunId): Promise<void> {
    const session = this.workspace.require();
    return session.run(async () => {
      await (await session.works.runs()).takeOver(runId);
      await this.perform({ name: runId }, session);
    });
  }

  protected stillStopping(runId: RunId): string {
    return t("{0} has been told to stop and has not ended yet.", runId);
  }

  /** A run's own lock is held by whoever drives it, so there is nothing else to be held. */
  protected async claim(
    { name }: Resumable,
    session: WorkspaceSession,
  ): Promise<Release | undefined> {
    const runs = await session.works.runs();
    return (await runs.isFree(name)) ? () => Promise.resolve() : undefined;
  }

  protected async perform({ name }: Resumable, session: WorkspaceSession): Promise<void> {
    const runs = await session.works.runs();
    if (this.driven.has(name)) return;
    this.driven.add(name);
    const drive = async (): Promise<RunEnd> => {
      try {
        return await runs.drive(name);
      } finally {
        // Before the record is removed: the user may confirm at once, and the run must continue then.
        this.driven.delete(name);
      }
    };
    await this.during({ name }, drive, (end) => void this.notifyEnd(name, end, session));
  }

  protected async title(runId: RunId): Promise<string> {
    return t("Run “{0}”", await this.nameOf(runId));
  }

  protected progress(runId: RunId): WorkProgress | undefined {
    const run = this.options.list.overview.runs.find((one) => one.runId === runId);
    if (run === undefined) return undefined;
    const { next, tasks } = run;
    const done = tasksDoneText(tasks.done, tasks.total, t);
    const message = withoutLinks(spoken(next, t));
    return { message: tasks.total === 0 ? message : `${done} · ${message}` };
  }

  /** Notifies the user, who may be elsewhere; the conversation has cards for proposals and reports. */
  private async notifyEnd(runId: RunId, end: RunEnd, session: WorkspaceSession) {
    const { status, reason } = end;
    const isStopped = this.work.isStopped(runId);
    if (status === "stopped") {
      const level = isStopped ? "info" : "warning";
      session.notice(level, joined(`${runId}: `, reason), this.conversationOf(runId));
    }
    if (isStopped) return;
    const notice = endNotice(end, await this.nameOf(runId));
    this.tellEnd(runId, { ...notice, conversation: this.conversationOf(runId) });
  }

  /** Returns a run's request, shortened for a notification. */
  private async nameOf(runId: RunId): Promise<string> {
    const known = this.options.list.overview.runs.find((one) => one.runId === runId);
    if (known !== undefined) return withoutLinks(shorten(known.request, 40));
    const runs = await this.workspace.require().works.runs();
    const run = (await runs.overview()).runs.find((one) => one.runId === runId);
    return withoutLinks(shorten(run?.request ?? runId, 40));
  }

  private async runs(): Promise<Runs> {
    const session = this.workspace.require();
    await session.start();
    return session.works.runs();
  }
}

/** Returns whether a request is for a single command, or for a run at a place of its own. */
function isOfCommandLine(
  { isSimple, directory }: RequestedRun,
  begun: Beginning | undefined,
): boolean {
  return isSimple === true || directory !== undefined || isRunUnit(begun?.became ?? "");
}

type EndWords = readonly [text: string, button: string, command: CommandId];

function endNotice({ status, reason }: RunEnd, name: string): EndNotice {
  const ends: Readonly<Record<RunEnd["status"], EndWords>> = {
    elsewhere: [t("“{0}” is running in another process.", name), t("Show"), "rooroo.showRun"],
    waiting: [
      t("“{0}” is awaiting your confirmation.", name),
      t("Show Proposal"),
      "rooroo.focusChat",
    ],
    done: [t("“{0}” is done.", name), t("Open Outputs"), "rooroo.openRunOutputs"],
    failed: [t("“{0}” has failed.", name), t("Open Report"), "rooroo.openRunReport"],
    stopped: [
      t("“{0}” was stopped: {1}", name, withoutLinks(spoken(reason, t))),
      t("Resume"),
      "rooroo.resumeRun",
    ],
  };
  const [text, button, command] = ends[status];
  const isWarning = status === "failed" || status === "stopped";
  return {
    kind: status === "waiting" ? "needsYou" : "done",
    text,
    button,
    command,
    isWarning,
    // The conversation has cards for all the others.
    isNotInPanel: status === "elsewhere",
  };
}
