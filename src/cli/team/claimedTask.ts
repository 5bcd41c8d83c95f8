import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { inEnglish } from "../../core/conversation/events/draftedEvents.js";
import { anyExpert } from "../../core/documents/queue.js";
import { messageOf, UserError } from "../../core/errors.js";
import { failedReport, type Report } from "../../core/experts/report.js";
import type { TaskId } from "../../core/ids.js";
import { QueueStore } from "../../core/navigator/queue/queueStore.js";
import { TaskStore } from "../../core/navigator/tasks/taskStore.js";
import { withLeft } from "../../core/navigator/worktrees/leftBehindText.js";
import type { Signer } from "../../core/ports/system.js";
import {
  mostDeaths,
  type TeamClaim,
  type TeamQueue,
  type TeamWorker,
} from "../../core/ports/teamQueue.js";
import { closeAsk } from "../../core/team/closeAsk.js";
import { isPlanSigned, isTurnOf } from "../../core/team/signedPlan.js";
import { StandingAsk } from "../../core/team/standingAsk.js";
import { readAnswer } from "../../core/team/teamAnswer.js";
import { TeamApprover } from "../../core/team/teamApprover.js";
import {
  type Asked,
  askedPath,
  formatAsked,
  readAsked,
  givenUp,
  retryAsk,
  retrySubject,
} from "../../core/team/teamAsk.js";
import {
  answerRefsOf,
  baseRef,
  closedRef,
  refsOfPlan,
  resultRef,
  wipRef,
} from "../../core/team/teamRefs.js";
import type { TeamCheckout, TeamRepository } from "../../node/git/teamRepository.js";
import { TeamKey } from "../../node/user/teamKey.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { t } from "../language/language.js";
import { Session, type SessionOptions } from "../session/session.js";
import type { Heartbeat } from "./heartbeat.js";

export interface ClaimedTaskOptions {
  readonly queue: TeamQueue;
  /** The team's key. */
  readonly key: string;
  readonly repository: TeamRepository;
  readonly worker: TeamWorker;
  /** The absolute path of the folder for checkouts. */
  readonly checkouts: string;
  /** The worker's own settings; nothing of them comes from the queue. */
  readonly settings: Omit<
    SessionOptions,
    "root" | "local" | "approver" | "show" | "onJournalError" | "beforeRequest"
  >;
  readonly heartbeat: Heartbeat;
  /** Tells the worker's person something. */
  tell(text: string): void;
}

/** What became of an attempt. */
export type AttemptEnd = "done" | "failed" | "asks" | "released" | "lost";

/** Thrown inside of a session to end it, because the task is another worker's by now. */
class AttemptLost extends Error {}

/** One attempt of a task, from its checkout to the transaction that ends it. */
export class ClaimedTask {
  readonly #signer: Signer;
  readonly #root: string;
  #lost = false;
  /** Whether an ask was closed, which no commit says yet. */
  #hasClosed = false;
  /** The call of the model that the queue knows this attempt to be at. */
  #call: number | undefined;
  #session: Session | undefined;

  constructor(
    private readonly claim: TeamClaim,
    private readonly options: ClaimedTaskOptions,
  ) {
    this.#signer = new TeamKey(options.key, claim.plan);
    const name = `${claim.taskId}-${claim.attempt}`.replaceAll(/[^A-Za-z0-9_-]/g, "-");
    this.#root = join(options.checkouts, name);
  }

  /**
   * Works until the task ends, asks, or cannot go on.
   *
   * @param stop ends the work; the task is released
   */
  async work(stop: AbortSignal): Promise<AttemptEnd> {
    const { repository, queue, heartbeat } = this.options;
    const { claim } = this;
    heartbeat.add(claim, () => {
      this.#lost = true;
      void this.#session?.stop();
    });
    const onStop = () => void this.#session?.stop();
    stop.addEventListener("abort", onStop);
    try {
      return await this.#attempt(stop);
    } catch (error) {
      if (this.#lost || error instanceof AttemptLost) return "lost";
      if (!stop.aborted) this.options.tell(`${claim.taskId}: ${messageOf(error)}`);
      return (await queue.release(claim, { stopped: stop.aborted })) ? "released" : "lost";
    } finally {
      heartbeat.remove(claim);
      stop.removeEventListener("abort", onStop);
      await repository.remove(this.#root).catch((error: unknown) => {
        this.options.tell(t("{0} is left: {1}", this.#root, messageOf(error)));
      });
    }
  }

  async #attempt(stop: AbortSignal): Promise<AttemptEnd> {
    const { repository, worker } = this.options;
    const { claim } = this;
    const { plan, taskId, from } = claim;
    if (!isPlanSigned(plan, this.#signer)) {
      throw new UserError(
        "teamPlanForeign",
        "The plan {planId} was not sent by somebody who has the team's key, so it is not worked on.",
        { planId: plan.id },
      );
    }
    if (!(await repository.isAt(baseRef(plan.id), plan.base))) {
      throw new UserError(
        "teamPlanOver",
        "The remote does not have what the plan {planId} begins with any more: it has landed or was given up, so it is not worked on.",
        { planId: plan.id },
      );
    }
    await repository.fetch(from, refsOfPlan(plan));
    let checkout = await repository.checkOut(from, this.#root, this.#place);
    const local = { ...localServices(this.#root, "rooroo worker"), signer: this.#signer };
    const store = new TaskStore(local.files, local.clock, this.#signer);
    const isDone = async (id: TaskId) => (await store.readReport(id))?.status === "Done";
    if (!(await isTurnOf(taskId, plan, worker, isDone))) {
      throw new UserError(
        "teamTaskNotNext",
        "It is not the turn of {taskId}: the tasks before it are not all done, or it is for workers with other labels. It is not worked on.",
        { taskId },
      );
    }
    const ask = await this.#standingAsk(local);
    const said = ask.answerTo("approval", retrySubject);
    if (said?.choice === "deny") {
      const reason = said.commit === undefined ? undefined : await this.#wordsOf(said.commit);
      const report = failedReport(givenUp, reason);
      await store.writeReport(taskId, report);
      return this.#settle(report, checkout, store);
    }
    if (claim.deaths >= mostDeaths) {
      return this.#ask(inEnglish<Asked>(retryAsk(this.#askId(), claim)), { checkout, local, ask });
    }
    const approver = new TeamApprover(ask, (commit) => this.#wordsOf(commit));
    const session = new Session({
      ...this.options.settings,
      root: this.#root,
      local,
      approver,
      beforeRequest: async ({ messages }) => {
        await this.#asksModel(messages.filter(({ role }) => role === "assistant").length);
        // The call that was asked about is over when the model is asked again: no answer to it counts from here on.
        await ask.close();
        checkout = await this.#save(checkout, wipRef(taskId, claim.attempt), false);
      },
      show: () => undefined,
      onJournalError: () => undefined,
    });
    this.#session = session;
    if (stop.aborted) void session.stop();
    await session.setUp(stop);
    await session.start(undefined, taskId);
    // Last, so that the queue has this task and nothing that the start has found.
    await this.#enqueue(local, store);
    const answer = await this.#answer(store, ask);
    if (this.#lost) throw new AttemptLost();
    stop.throwIfAborted();
    const outcome =
      answer === undefined
        ? await session.proceed({ one: true })
        : await session.navigator.answer(taskId, answer);
    await session.flush();
    return this.#end({
      checkout,
      store,
      local,
      ask,
      approver,
      isWaiting: outcome.status === "waiting",
      stop,
    });
  }

  /** Puts the one task into the checkout's queue, as its record says. */
  async #enqueue({ files, lock }: LocalServices, store: TaskStore): Promise<void> {
    const { taskId } = this.claim;
    const found = await store.findRecord(taskId);
    if (found?.own !== true || found.value.taskId !== taskId) {
      throw new UserError(
        "teamTaskForeign",
        "The commit has no record of {taskId} that the team's key has signed.",
        { taskId },
      );
    }
    const { parentTaskId, planId, mode, goal, contextPath } = found.value;
    const path = contextPath ?? store.contextPath(taskId);
    const entry = {
      taskId,
      parentTaskId,
      planId,
      mode,
      goal,
      contextPath: path,
      autoProceed: true,
    };
    const queue = new QueueStore(files, lock, anyExpert);
    await queue.change(() => "");
    await queue.append(entry);
  }

  /** Returns what the commit asks, by its own signed file, with the answer that was given. */
  async #standingAsk({ files }: LocalServices): Promise<StandingAsk> {
    const { repository, queue } = this.options;
    const { claim } = this;
    const { taskId, attempt, from } = claim;
    const path = askedPath(taskId);
    const text = await repository.readState(from, path.replace(/^\.rooroo\//, ""));
    const asked = text === undefined ? undefined : readAsked(text, taskId, this.#signer);
    return new StandingAsk(asked, claim.answers, this.#signer, async ({ id }, isAnswered) => {
      const lot = randomBytes(16).toString("hex");
      const said = JSON.stringify({ schema: 1, ask: id, attempt, lot });
      const markFirst = () => repository.pushFirst(closedRef(id), `${said}\n`);
      const end = await closeAsk(claim, id, isAnswered, { queue, markFirst });
      if (end === "lost") {
        this.#lost = true;
        throw new AttemptLost();
      }
      // No commit from here on asks it, and the next one says so even if nothing else has changed.
      await files.removeFile(path);
      this.#hasClosed = true;
      return end === "mayUse";
    });
  }

  /** Returns the words with which a person has answered the task's question, if it is still open. */
  async #answer(store: TaskStore, ask: StandingAsk): Promise<string | undefined> {
    const question = await store.readQuestion(this.claim.taskId);
    const answer = question && ask.answerTo("question", question.questionId);
    if (answer === undefined) return undefined;
    const words = await this.#wordsOf(answer.commit);
    return (await ask.close()) ? words : undefined;
  }

  async #wordsOf(commit: string): Promise<string | undefined> {
    const { repository } = this.options;
    await repository.fetch(commit, [answerRefsOf(this.claim.taskId)]);
    return readAnswer(await repository.readFile(commit, "answer.json"));
  }

  async #end(given: {
    checkout: TeamCheckout;
    store: TaskStore;
    local: LocalServices;
    ask: StandingAsk;
    approver: TeamApprover;
    isWaiting: boolean;
    stop: AbortSignal;
  }): Promise<AttemptEnd> {
    const { checkout, store, local, ask, approver, isWaiting, stop } = given;
    const { queue } = this.options;
    const { claim } = this;
    const { taskId, attempt } = claim;
    if (this.#lost) throw new AttemptLost();
    const report = await store.readReport(taskId);
    if (report !== undefined && report.status !== "NeedsClarification") {
      return this.#settle(report, checkout, store);
    }
    const asked = isWaiting ? await this.#asked(store, approver) : undefined;
    if (asked !== undefined) return this.#ask(asked, { checkout, local, ask });
    await this.#save(checkout, wipRef(taskId, attempt), true);
    return (await queue.release(claim, { stopped: stop.aborted })) ? "released" : "lost";
  }

  /** Ends the task as its report says. */
  async #settle(report: Report, checkout: TeamCheckout, store: TaskStore): Promise<AttemptEnd> {
    const { queue, repository, worker } = this.options;
    const { taskId, attempt } = this.claim;
    const left = await repository.leftOut(checkout, taskId);
    if (left.length > 0) await store.writeReport(taskId, withLeft(report, left, worker.machine));
    const { head } = await this.#save(checkout, resultRef(taskId, attempt), true);
    const end = report.status === "Done" ? "done" : "failed";
    return (await queue.settle(this.claim, end, head)) ? end : "lost";
  }

  /** Ends the attempt with what a person is asked. */
  async #ask(
    asked: Asked,
    given: { checkout: TeamCheckout; local: LocalServices; ask: StandingAsk },
  ): Promise<AttemptEnd> {
    const { checkout, local, ask } = given;
    const { taskId, attempt } = this.claim;
    await ask.close();
    const text = formatAsked(asked, taskId, this.#signer);
    await local.files.replaceFile(askedPath(taskId), text);
    const { head } = await this.#save(checkout, wipRef(taskId, attempt), true);
    const { id, kind, subject } = asked;
    const isAsked = await this.options.queue.ask(this.claim, { id, kind, subject }, head);
    return isAsked ? "asks" : "lost";
  }

  /** Returns what the task waits for; `undefined`: for no person. */
  async #asked(store: TaskStore, { waiting }: TeamApprover): Promise<Asked | undefined> {
    const id = this.#askId();
    if (waiting !== undefined) {
      const { request, subject, allowed } = waiting;
      const { title, preview, access } = request.action;
      const action = { access, kind: preview.kind };
      const before = allowed.length === 0 ? {} : { allowed: [...allowed] };
      const shown = { title, preview: preview.text, action, why: request.why, ...before };
      return inEnglish<Asked>({ id, kind: "approval", ...shown, subject });
    }
    const question = await store.readQuestion(this.claim.taskId);
    if (question === undefined) return undefined;
    const { questionId: subject, text: title, suggestions } = question;
    return { id, kind: "question", title, suggestions, subject };
  }

  /** Drawn by lot, because the attempt's number is what the database says: no two asks have one id. */
  #askId(): string {
    const { taskId, attempt } = this.claim;
    const lot = randomBytes(6).toString("hex");
    return `${taskId}-${attempt}-${lot}`.replaceAll(/[^A-Za-z0-9_-]/g, "-");
  }

  /** Has the queue know at which call the attempt is, before it can end there. */
  async #asksModel(call: number): Promise<void> {
    if (call === this.#call) return;
    this.#call = call;
    if (await this.options.queue.asksModel(this.claim, call)) return;
    this.#lost = true;
    throw new AttemptLost();
  }

  /** Makes a commit of the checkout, pushes it and has the queue know it. */
  async #save(checkout: TeamCheckout, ref: string, always: boolean): Promise<TeamCheckout> {
    if (this.#lost) throw new AttemptLost();
    const { repository, queue } = this.options;
    const { taskId: task, attempt } = this.claim;
    const how = { task, attempt, always: always || this.#hasClosed };
    const saved = await repository.save(checkout, how, this.#place);
    if (saved === undefined) return checkout;
    await repository.push(saved.head, ref);
    if (!(await queue.saved(this.claim, saved.head))) {
      this.#lost = true;
      throw new AttemptLost();
    }
    this.#hasClosed = false;
    return saved;
  }

  get #place() {
    return { planId: this.claim.plan.id, signer: this.#signer };
  }
}
