import * as vscode from "vscode";
import { modeName } from "../../core/experts/modeName.js";
import type { LongWork, ConversationId, TaskId } from "../../core/ids.js";
import { chosenProfile, type ModelChoice } from "../../core/models/modelProfile.js";
import type { Clock } from "../../core/ports/system.js";
import type { PanelStatus } from "../../protocol/messages.js";
import type { PendingChanges } from "../changes/pendingChanges.js";
import { isEditorModel } from "../model/editorModelName.js";
import type { ModelState } from "../model/modelState.js";
import type { PanelApprover } from "../panel/panelApprover.js";
import type { Settings } from "../settings/settings.js";
import type { TaskList } from "../tasks/taskList.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { coalesce, type Coalesced } from "../timing/coalesce.js";
import { type Waiting, type WaitingSource, waitingThings } from "../work/waiting.js";
import type { WorkList } from "../work/workFeature.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { expertsAtWork } from "./expertsAtWork.js";

const demoModel = "rooroo-demo";
/** Addresses of this machine, on which the demo model is served. */
const ofThisMachine = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/i;
/** The only server that is known to require a key. */
const wantsKey = /^https:\/\/api\.openai\.com(\/|$)/i;

interface StatusLists {
  readonly tasks: TaskList;
  /** The long work, kind by kind. */
  readonly works: readonly WorkList[];
}

/** The status that everything around the conversation shows, such as the status bar and the badge. */
export class Status implements WaitingSource, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<PanelStatus>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];
  private state: ModelState | undefined;
  private latest: PanelStatus;
  private waits: readonly Waiting[] = [];
  /** The latest status, and what each open conversation adds to it, as text. */
  private latestKey = "";

  /** Looks again after a short delay; may be called any number of times. */
  readonly refresh: Coalesced;

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly settings: Settings,
    /** Looks up what is known of the model in use. */
    private readonly readState: (models: ModelChoice) => Promise<ModelState>,
    secrets: Pick<vscode.SecretStorage, "onDidChange">,
    private readonly lists: StatusLists,
    private readonly approver: PanelApprover,
    private readonly changes: PendingChanges,
    /** The id of this process, to recognize its own locks. */
    private readonly pid: number,
    clock: Clock,
  ) {
    this.latest = this.look();
    this.refresh = coalesce(() => this.update(), 10, clock);
    this.subscriptions = [
      settings.onDidChange(this.refresh),
      secrets.onDidChange(this.refresh),
      lists.tasks.onDidChange(this.refresh),
      ...lists.works.map((list) => list.onDidChange(this.refresh)),
      changes.onDidChange(this.refresh),
      approver.onDidAsk(this.refresh),
      approver.onDidSettle(this.refresh),
      vscode.workspace.onDidGrantWorkspaceTrust(this.refresh),
      vscode.lm.onDidChangeChatModels(this.refresh),
    ];
  }

  get current(): PanelStatus {
    return this.latest;
  }

  waiting(kind?: Waiting["kind"]): readonly Waiting[] {
    return kind === undefined ? this.waits : this.waits.filter((one) => one.kind === kind);
  }

  /** Returns the status as a panel shows it around a conversation. */
  around(conversation: ConversationId): PanelStatus {
    const partner = this.workspace.session?.talkingTo(conversation) ?? null;
    const { atWork, pending, ...rest } = this.latest;
    const { tasks } = this.lists.tasks.overview;
    const elsewhere = new Set(
      tasks.flatMap(({ taskId, conversation: own = conversation }) =>
        own === conversation ? [] : [taskId],
      ),
    );
    const isHere = ({ taskId, work }: { taskId: TaskId; work?: LongWork }): boolean => {
      const own = work && this.workspace.session?.conversations.ofWork(work);
      return !elsewhere.has(taskId) && (own ?? conversation) === conversation;
    };
    return {
      ...rest,
      atWork: atWork.filter(isHere),
      pending: pending.filter(isHere),
      talkingTo: partner === null ? null : modeName(partner),
      changes: this.changes.of(conversation),
      elsewhere: this.elsewhere(conversation),
    };
  }

  /** Returns what waits for the user in other conversations. */
  private elsewhere(shown: ConversationId): PanelStatus["elsewhere"] {
    const others = this.waits.flatMap(({ conversation }) =>
      conversation === undefined || conversation === shown ? [] : [conversation],
    );
    const [conversation] = others;
    return conversation === undefined ? null : { count: others.length, conversation };
  }

  dispose(): void {
    this.refresh.dispose();
    for (const one of this.subscriptions) one.dispose();
    this.changed.dispose();
  }

  private async update(): Promise<void> {
    this.settings.check();
    this.state = await this.readState(this.settings.models);
    const next = this.look();
    const { session } = this.workspace;
    const partners = session?.conversations.open.map(({ id }) => {
      return [id, session.talkingTo(id), this.changes.of(id)];
    });
    const key = JSON.stringify([next, partners, this.waits]);
    if (key === this.latestKey) return;
    this.latestKey = key;
    this.latest = next;
    this.changed.fire(next);
  }

  private look(): PanelStatus {
    const { profile, asked } = chosenProfile(this.settings.models);
    const { model = "", baseUrl = "" } = asked ?? {};
    const name = model === "" && asked !== undefined ? (this.state?.editorsModel ?? "") : model;
    const { tasks, holder } = this.lists.tasks.overview;
    const { session } = this.workspace;
    const busy = session?.busy() ?? false;
    const elsewhere = !busy && holder !== undefined && holder.pid !== this.pid;
    const works = this.lists.works.flatMap((list) => list.works);
    this.waits = waitingThings({
      tasks,
      works,
      approvals: this.approver.waitingTasks,
      workOf: (taskId) => session?.conversations.workOf(taskId),
      placeOf: (work) => session?.conversations.ofWork(work),
    });
    const needsKey = baseUrl === "" || wantsKey.test(baseUrl);
    return {
      workspace: this.workspace.state,
      model: {
        name,
        ...(profile === "" ? {} : { profile }),
        demo: name.startsWith(demoModel) && ofThisMachine.test(baseUrl),
        ...(this.state?.isBlind ? { blind: true } : {}),
        ...(this.state?.hasNoTools ? { toolless: true } : {}),
        ready: isEditorModel(name) || (name !== "" && (this.state?.hasKey === true || !needsKey)),
      },
      busy,
      queued: tasks.filter((task) => task.state === "queued").length,
      needsYou: this.waits.length,
      approvals: this.approver.waiting,
      works: works.flatMap(({ ref, title, isAtWork, progress, needs }) => {
        const questions = needs.flatMap(({ kind, id }) => (kind === "question" ? [id] : []));
        return isAtWork ? [{ ref, title: shorten(title, 40), progress, questions }] : [];
      }),
      heldBy: elsewhere ? `${holder.label} (process ${holder.pid})` : null,
      changes: null,
      talkingTo: null,
      elsewhere: null,
      preset: this.settings.get("approvals.preset"),
      isolated: this.settings.get("plans.isolation") === "worktree",
      places: this.lists.tasks.overview.places?.length ?? 0,
      experts: this.lists.tasks.overview.experts,
      ...expertsAtWork(
        {
          tasks,
          works,
          toUnits: this.lists.tasks.overview.toUnits ?? [],
          waiting: this.approver.waitingTasks,
        },
        t,
      ),
    };
  }
}
