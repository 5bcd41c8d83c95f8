import { join } from "node:path";
import { messageOf, UserError } from "../../core/errors.js";
import { QueueStore } from "../../core/navigator/queueStore.js";
import { TaskStore } from "../../core/navigator/taskStore.js";
import type { Signer } from "../../core/ports/system.js";
import type { TeamClaim, TeamQueue } from "../../core/ports/teamQueue.js";
import { withLeft } from "../../core/navigator/leftBehindText.js";
import { isPlanSigned } from "../../core/team/signedPlan.js";
import { type Asked, askedPath, formatAsked, isAnswerSigned } from "../../core/team/teamAsk.js";
import { readAnswer } from "../../core/team/teamAnswer.js";
import { TeamApprover } from "../../core/team/teamApprover.js";
import { answerRef, refsOfPlan, resultRef, wipRef } from "../../core/team/teamRefs.js";
import type { TeamCheckout, TeamRepository } from "../../node/git/teamRepository.js";
import { TeamKey } from "../../node/user/teamKey.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { Session, type SessionOptions } from "../session/session.js";
import type { Heartbeat } from "./heartbeat.js";
import { t } from "../language/language.js";
import { inEnglish } from "../../core/conversation/draftedEvents.js";

export interface ClaimedTaskOptions {
  readonly queue: TeamQueue;
  /** The team's key. */
  readonly key: string;
  readonly repository: TeamRepository;
  /** This worker's name. */
  readonly machine: string;
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
    const { repository } = this.options;
    const { claim } = this;
    const { plan, taskId, from } = claim;
    if (!isPlanSigned(plan, this.#signer)) {
      throw new UserError(
        "teamPlanForeign",
        "The plan {planId} was not sent by somebody who has the team's key, so it is not worked on.",
        { planId: plan.id },
      );
    }
    await repository.fetch(from, refsOfPlan(plan));
    let checkout = await repository.checkOut(from, this.#root, this.#place);
    const local = { ...localServices(this.#root, "rooroo worker"), signer: this.#signer };
    const approver = new TeamApprover(claim, this.options.queue, this.#signer, (id, commit) =>
      this.#wordsOf(id, commit),
    );
    const store = new TaskStore(local.files, local.clock, this.#signer);
    const session = new Session({
      ...this.options.settings,
      root: this.#root,
      local,
      approver,
      beforeRequest: async () => {
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
    const answer = await this.#answer(store);
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
    const queue = new QueueStore(files, lock, () => true);
    await queue.change(() => "");
    await queue.append(entry);
  }

  /** Returns the words with which a person has answered the task's question, if it is still open. */
  async #answer(store: TaskStore): Promise<string | undefined> {
    const question = await store.readQuestion(this.claim.taskId);
    for (const ask of this.claim.answers) {
      const { answer } = ask;
      if (answer.kind !== "question" || ask.subject !== question?.questionId) continue;
      if (!isAnswerSigned(ask, answer, this.#signer)) continue;
      return this.#wordsOf(ask.id, answer.commit);
    }
    return undefined;
  }

  async #wordsOf(askId: string, commit: string): Promise<string | undefined> {
    const { repository } = this.options;
    await repository.fetch(commit, [`${answerRef(askId)}*`]);
    return readAnswer(await repository.readFile(commit, "answer.json"));
  }

  async #end(given: {
    checkout: TeamCheckout;
    store: TaskStore;
    local: LocalServices;
    approver: TeamApprover;
    isWaiting: boolean;
    stop: AbortSignal;
  }): Promise<AttemptEnd> {
    const { checkout, store, local, approver, isWaiting, stop } = given;
    const { queue, repository, machine } = this.options;
    const { claim } = this;
    const { taskId, attempt } = claim;
    if (this.#lost) throw new AttemptLost();
    const report = await store.readReport(taskId);
    if (report !== undefined && report.status !== "NeedsClarification") {
      const left = await repository.leftOut(checkout, taskId);
      if (left.length > 0) await store.writeReport(taskId, withLeft(report, left, machine));
      const { head } = await this.#save(checkout, resultRef(taskId, attempt), true);
      const end = report.status === "Done" ? "done" : "failed";
      return (await queue.settle(claim, end, head)) ? end : "lost";
    }
    const asked = isWaiting ? await this.#asked(store, approver) : undefined;
    if (asked === undefined) {
      await this.#save(checkout, wipRef(taskId, attempt), true);
      return (await queue.release(claim, { stopped: stop.aborted })) ? "released" : "lost";
    }
    const text = formatAsked(asked, taskId, this.#signer);
    await local.files.replaceFile(askedPath(taskId), text);
    const { head } = await this.#save(checkout, wipRef(taskId, attempt), true);
    const { id, kind, subject } = asked;
    return (await queue.ask(claim, { id, kind, subject }, head)) ? "asks" : "lost";
  }

  /** Returns what the task waits for; `undefined`: for no person. */
  async #asked(store: TaskStore, { waiting }: TeamApprover): Promise<Asked | undefined> {
    const { taskId, attempt } = this.claim;
    const id = `${taskId}-${attempt}`.replaceAll(/[^A-Za-z0-9_-]/g, "-");
    if (waiting !== undefined) {
      const { request, subject } = waiting;
      const { title, preview, access } = request.action;
      const action = { access, kind: preview.kind };
      const shown = { title, preview: preview.text, action, why: request.why };
      return inEnglish<Asked>({ id, kind: "approval", ...shown, subject });
    }
    const question = await store.readQuestion(taskId);
    if (question === undefined) return undefined;
    const { questionId: subject, text: title, suggestions } = question;
    return { id, kind: "question", title, suggestions, subject };
  }

  /** Makes a commit of the checkout, pushes it and has the queue know it. */
  async #save(checkout: TeamCheckout, ref: string, always: boolean): Promise<TeamCheckout> {
    if (this.#lost) throw new AttemptLost();
    const { repository, queue } = this.options;
    const { taskId: task, attempt } = this.claim;
    const saved = await repository.save(checkout, { task, attempt, always }, this.#place);
    if (saved === undefined) return checkout;
    await repository.push(saved.head, ref);
    if (!(await queue.saved(this.claim, saved.head))) {
      this.#lost = true;
      throw new AttemptLost();
    }
    return saved;
  }

  get #place() {
    return { planId: this.claim.plan.id, signer: this.#signer };
  }
}
