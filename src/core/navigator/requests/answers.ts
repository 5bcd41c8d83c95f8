import type { DraftedStep, EventPublisher } from "../../conversation/events/eventPublisher.js";
import { withAttachments } from "../../conversation/input/parseInput.js";
import { plainAnswer } from "../../conversation/input/plainAnswer.js";
import type { UserAction } from "../../conversation/input/userAction.js";
import { spelledWord } from "../../documents/meant/meantWord.js";
import { taskIdPattern } from "../../documents/queue.js";
import { saidBy, UserError } from "../../errors.js";
import type { Modes } from "../../experts/modes.js";
import type { ConversationId, TaskId } from "../../ids.js";
import { joined } from "../../text/joined.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Said, type Words, words } from "../../text/words.js";
import type { GoingOn, Work as LongWorkView, WorkAnswer } from "../../work/work.js";
import type { ReadAttachments } from "../attachments/readAttachments.js";
import type { QueueStore } from "../queue/queueStore.js";
import type { Assignment } from "../running/taskRunner.js";
import type { TaskStore } from "../tasks/taskStore.js";
import { ends, type Work } from "./followUp.js";
import type { BegunRequest } from "./givenRequests.js";
import {
  choicesOf,
  goingOnNames,
  isQuestion,
  type Matter,
  type OpenMatters,
  type OpenQuestion,
  type WorkNeed,
} from "./openMatters.js";
import type { WorkServices } from "./workServices.js";

/** The most things that wait of which a model is told, the newest ones. */
const mostWaiting = 12;
/** The most questions that are offered as what words may be about. */
const mostOffered = 3;

interface AnswerPorts {
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly modes: Modes;
  readonly publisher: EventPublisher;
  readonly works: WorkServices;
}

/** A person's message, and where it is written down. */
export interface Reply {
  readonly words: string;
  readonly attached: ReadAttachments;
  readonly begun: BegunRequest | undefined;
}

/** What waits for a person in one conversation, and how their words reach it. */
export class Answers {
  constructor(
    private readonly dependencies: AnswerPorts,
    private readonly conversation: ConversationId | undefined,
    /** Called with the id of a brainstorm's task, which goes on. */
    private readonly onBrainstorm: (taskId: TaskId) => void,
  ) {}

  /**
   * Returns what a person's words may be about, as the files have it now.
   *
   * @param open what the conversation's events leave open
   * @param isGoingOn whether something was said before: a new conversation is about no work that has stopped
   */
  async waiting(open: OpenMatters, isGoingOn = false): Promise<Matter[]> {
    const works = await this.#longWorks();
    const stopped = isGoingOn ? stoppedOf(works) : [];
    return [...stopped, ...(await this.#all(open, works))].slice(-mostWaiting);
  }

  /** Returns all that waits. What the conversation itself shows comes last, because words are most often about that. */
  async #all(open: OpenMatters, works: readonly LongWorkView[]): Promise<Matter[]> {
    const { store } = this.dependencies;
    const matters: Matter[] = [];
    for (const { ref: work, title, needs, isForeign } of works) {
      // A person takes over what came along by naming it, and no words that a model reads do.
      if (isForeign) continue;
      for (const { kind, id, text } of needs) {
        const is = kind === "question" ? "workQuestion" : "proposal";
        matters.push({ kind: is, id, work, title, text });
      }
    }
    for (const matter of open) {
      if (matter.kind === "unfinished" && (matter.end === undefined || resumes(open, matter.id))) {
        continue;
      }
      if (matter.kind === "question") {
        // It may have been answered elsewhere; a file that others have changed asks nothing.
        const question = await store.readQuestion(matter.taskId).catch(() => undefined);
        if (question?.questionId !== matter.id || question.closed === true) continue;
      }
      matters.push(matter);
    }
    return matters;
  }

  /** Returns the long work; none if its documents cannot be read, because those may have come with the folder. */
  async #longWorks(): Promise<readonly LongWorkView[]> {
    const { works, publisher } = this.dependencies;
    try {
      return (await works.asked?.list(this.conversation)) ?? [];
    } catch (error) {
      publisher.notice("warning", saidBy(error));
      return [];
    }
  }

  /** Returns the question that the words answer beyond doubt, and the answer; then no model is asked. */
  plain(
    typed: string,
    matters: readonly Matter[],
  ): { readonly question: OpenQuestion; readonly words: string } | undefined {
    const [question, ...more] = matters.filter(isQuestion);
    // A job may have asked long ago, and elsewhere.
    if (question?.kind !== "question" || more.length > 0) return undefined;
    // What was shown after the question may be what the words are about.
    if (matters.at(-1) !== question) return undefined;
    const answer = plainAnswer(typed, question.suggestions);
    return answer === undefined ? undefined : { question, words: answer };
  }

  /** Takes the words to whoever has asked; what is said to a proposal changes it. */
  async answer(question: OpenQuestion, reply: Reply, signal: AbortSignal): Promise<Work> {
    if (question.kind === "question") return this.answerTask(question.taskId, reply);
    const text = [reply.words, ...reply.attached.texts].join("\n\n");
    const answer: WorkAnswer =
      question.kind === "proposal" ? { type: "MODIFY", words: text } : { type: "TEXT", text };
    return this.#answerWork(question, answer, reply, signal);
  }

  /** Carries out what the words have chosen of a matter's choices; see {@link choicesOf}. */
  async decide(matter: Matter, choice: string, reply: Reply, signal: AbortSignal): Promise<Work> {
    switch (matter.kind) {
      case "question":
      case "workQuestion":
        return this.answer(matter, reply, signal);
      case "proposal":
        return this.#decideProposal(matter, chosenOf(matter, choice), reply, signal);
      case "offer": {
        const taken = matter.choices[Number(chosenOf(matter, choice)) - 1];
        return taken === undefined
          ? this.#askChoice(matter.choices)
          : this.#act(taken.action, reply);
      }
      case "unfinished": {
        const action = { action: "resume", taskId: matter.id } as const;
        return chosenOf(matter, choice) === undefined
          ? this.#askChoice([{ label: words("Resume"), action }])
          : this.#act(action, reply);
      }
      case "stoppedWork": {
        const chosen = chosenOf(matter, choice);
        const type = matter.goesOn.find((one) => goingOnNames[one] === chosen);
        return type === undefined
          ? this.#askHow(matter)
          : this.#answerWork(matter, { type }, reply, signal);
      }
      case "approval":
        this.dependencies.publisher.notice(
          "info",
          words("A message gives no approval. Decide it where it is shown: {title}", {
            title: visibleLine(matter.title, 200),
          }),
        );
        return ends("waiting");
    }
  }

  #askChoice(choices: readonly { readonly label: Said; readonly action: UserAction }[]): Work {
    const steps = choices.map((step) => ({ type: "action" as const, ...step }));
    this.dependencies.publisher.notice("info", words("Which of these?"), steps);
    return ends("waiting");
  }

  /** Has the person say what their words are about. */
  askWhich(
    matters: readonly Matter[],
    { text, attachments = [], isolated, expert }: Extract<UserAction, { action: "request" }>,
  ): Work {
    const questions = matters.filter(isQuestion).slice(-mostOffered);
    const step = (label: Said, action: UserAction): DraftedStep => {
      return { type: "action", label, action: withAttachments(action, attachments) };
    };
    const label = ({ text: asked }: OpenQuestion): Said =>
      questions.length === 1
        ? words("Answer the Question")
        : words("Answer: {question}", { question: visibleLine(asked, 28) });
    const steps = questions.map((question) =>
      step(label(question), {
        action: "answer",
        about: question.kind === "question" ? question.taskId : question.id,
        text,
      }),
    );
    this.dependencies.publisher.notice("info", words("Is this an answer, or a new request?"), [
      ...steps,
      step(words("New Request"), { action: "request", text, isolated, expert, isNew: true }),
    ]);
    return ends("waiting");
  }

  /**
   * Answers a question by the id of its task, or by its own.
   *
   * @throws {UserError} if it is neither the question of a job or run, nor a task that asks
   */
  async answerAbout(
    about: string,
    open: OpenMatters,
    reply: Reply,
    signal: AbortSignal,
  ): Promise<Work> {
    const waiting = await this.#all(open, await this.#longWorks());
    const found = waiting.filter(isQuestion).find(({ id }) => id === about);
    return found === undefined ? this.answerTask(about, reply) : this.answer(found, reply, signal);
  }

  /**
   * Answers a task's question; the same expert goes on with the task (R-ROO-19).
   *
   * @throws {UserError} if there is no such task, or if it has no open question
   */
  async answerTask(taskId: TaskId, { words: said, attached, begun }: Reply): Promise<Work> {
    await begun?.answers(taskId);
    const task = await this.assigned(taskId);
    if ((await this.dependencies.store.readQuestion(taskId)) === undefined) {
      throw new UserError("noOpenQuestion", "Task {taskId} has no open question.", { taskId });
    }
    if (task.mode.slug === "rooroo-idea-sparker") this.onBrainstorm(taskId);
    return { type: "task", task, answer: { words: said, attached } };
  }

  /**
   * Reads an existing task, perhaps from before a restart: as its line in the queue has it, which a person
   * may have edited, or else as it was last started. Checks the id first: it may come from a page, and it
   * becomes part of a path.
   */
  async assigned(taskId: TaskId): Promise<Assignment> {
    const { store, modes, queue, publisher } = this.dependencies;
    const record = taskIdPattern.test(taskId) ? await store.readRecord(taskId) : undefined;
    const entry = (await queue.entries()).find((queued) => queued.taskId === taskId);
    const mode = modes.all.get(entry?.mode ?? record?.mode ?? "");
    if (record === undefined || mode === undefined) {
      throw new UserError("taskUnknown", "There is no task {taskId} here.", { taskId });
    }
    const conversation = (await store.conversationOf(taskId)) ?? this.conversation;
    publisher.belongs(taskId, conversation);
    return {
      taskId,
      mode,
      conversation,
      goal: entry?.goal ?? record.goal,
      contextPath: entry?.contextPath ?? record.contextPath ?? store.contextPath(taskId),
    };
  }

  /** Confirms a proposal, or asks whether to cancel it; all other words say what is to change in it. */
  async #decideProposal(
    proposal: WorkNeed,
    chosen: string | undefined,
    reply: Reply,
    signal: AbortSignal,
  ): Promise<Work> {
    if (chosen === "cancel") return this.#askToCancel(proposal);
    if (chosen !== "confirm") return this.answer(proposal, reply, signal);
    return this.#answerWork(proposal, { type: "CONFIRM" }, reply, signal);
  }

  async #answerWork(
    { id, work }: Pick<WorkNeed, "id" | "work">,
    answer: WorkAnswer,
    { begun, attached }: Reply,
    signal: AbortSignal,
  ): Promise<Work> {
    const { asked } = this.dependencies.works;
    if (asked === undefined) throw new Error("Long work cannot be answered here.");
    const { length: n } = attached.images;
    if (n > 0) this.dependencies.publisher.notice("warning", imagesLeft(n));
    return { type: "end", outcome: await asked.answer(work, id, answer, signal, begun) };
  }

  /** Says how work that has stopped can go on; each is a person's words away. */
  #askHow({ title, goesOn }: Extract<Matter, { kind: "stoppedWork" }>): Work {
    const ways = goesOn.map((type) => ["\n- ", goingOnWords[type]]);
    const text = words("How is {title} to go on? Say which:", { title: visibleLine(title, 200) });
    this.dependencies.publisher.notice("info", joined(text, "\n", ...ways.flat()));
    return ends("waiting");
  }

  /** Offers the button that cancels a run: a run that is cancelled is lost. */
  #askToCancel({ work }: WorkNeed): Work {
    this.dependencies.publisher.notice(
      "info",
      words("Cancel this run? It cannot be resumed afterwards."),
      [
        {
          type: "command",
          label: words("Cancel Run…"),
          command: "cancelRun",
          about: work.name,
        },
      ],
    );
    return ends("waiting");
  }

  #act(action: Extract<Work, { type: "action" }>["action"], { begun }: Reply): Work {
    return { type: "action", action, conversation: this.conversation, begun };
  }
}

const goingOnWords: Readonly<Record<GoingOn, Words>> = {
  RETRY: words("try again what has failed"),
  SKIP: words("go on without what has failed"),
  RESUME: words("go on"),
};

/** Returns what a person is told of images that come with words for a job or a run, whose documents hold text only. */
export function imagesLeft(n: number): Words {
  return words(
    "{n, plural, one {The image was} other {The # images were}} not passed on: jobs and runs are told in text only. Say what {n, plural, one {it shows} other {they show}}, or put {n, plural, one {it} other {them}} into the folder and name the path.",
    { n },
  );
}

/** Returns the work that has failed or was interrupted: of runs only the newest, which has the last id. */
function stoppedOf(works: readonly LongWorkView[]): Matter[] {
  const runs = works.flatMap(({ ref }) => (ref.kind === "run" ? [ref.name] : []));
  const newest = runs.toSorted().at(-1);
  return works.flatMap(({ ref: work, title, stopped, isForeign }): Matter[] => {
    if (stopped === undefined || isForeign) return [];
    if (work.kind === "run" && work.name !== newest) return [];
    const { why: text, goesOn } = stopped;
    return [{ kind: "stoppedWork", id: work.name, work, title, text, goesOn }];
  });
}

/**
 * Returns the name of the choice that a model names, by its name or label however they are spelled; the only one if it names
 * none. A name that is not offered is no choice: it may be the opposite of the only one.
 */
function chosenOf(matter: Matter, given: string): string | undefined {
  const choices = choicesOf(matter);
  if (given.trim() === "") return choices.length === 1 ? choices[0]?.name : undefined;
  const isMeant = ({ name, label = name }: (typeof choices)[number]) =>
    [name, label, `${name} = ${label}`].some((one) => spelledWord(given, [one]) !== undefined);
  return choices.find(isMeant)?.name;
}

/** Returns whether one of the offers resumes the task. */
function resumes(open: OpenMatters, taskId: TaskId): boolean {
  return open.some(
    (one) =>
      one.kind === "offer" &&
      one.choices.some(({ action }) => action.action === "resume" && action.taskId === taskId),
  );
}
